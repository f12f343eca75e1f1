"""Conversations for the chat template goldens."""

WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Weather <now> & \"later\" at a place, e.g. Zürich",
        "parameters": {
            "type": "object",
            "properties": {
                "location": {"type": "string", "description": "City"},
                "days": {"type": "integer", "minimum": 1, "default": 1.0},
            },
            "required": ["location"],
        },
    },
}
TIME = {"type": "function", "function": {"name": "now", "description": "The time", "parameters": {"type": "object", "properties": {}, "required": []}}}

USER = {"role": "user", "content": "  Hello, world!  "}
SYSTEM = {"role": "system", "content": "You are brief.\nÜber-brief."}
ANSWER = {"role": "assistant", "content": "Hi!\n"}
THOUGHT = {"role": "assistant", "content": "<think>\nhm\n</think>\n\nIt is 4."}
REASONED = {"role": "assistant", "content": "It is 5.", "reasoning_content": "\ncount\n"}
CALL = {
    "role": "assistant",
    "content": "",
    "tool_calls": [
        {"id": "abcdefghi", "type": "function", "function": {"name": "get_weather", "arguments": {"location": "Genève", "days": 2}}}
    ],
}
TWO_CALLS = {
    "role": "assistant",
    "content": "Let me see.",
    "tool_calls": CALL["tool_calls"] + [{"id": "jklmnopqr", "type": "function", "function": {"name": "now", "arguments": {}}}],
}
RESULT = {"role": "tool", "content": "{\"temperature\": 21.5}", "tool_call_id": "abcdefghi", "name": "get_weather"}
RESULT2 = {"role": "tool", "content": "12:00", "tool_call_id": "jklmnopqr", "name": "now"}
NEXT = {"role": "user", "content": "Thanks! <b>Now</b> 'what' \"else\"?\n\n"}

# (messages, tools, add_generation_prompt, extra)
CASES = [
    ([USER], None, True, {}),
    ([USER], None, False, {}),
    ([SYSTEM, USER], None, True, {}),
    ([SYSTEM, USER, ANSWER, NEXT], None, True, {}),
    ([USER, THOUGHT, NEXT], None, True, {"enable_thinking": False}),
    ([USER, REASONED, NEXT, THOUGHT], None, False, {}),
    ([SYSTEM, USER], [WEATHER, TIME], True, {"enable_thinking": True}),
    ([USER, CALL, RESULT], [WEATHER], True, {}),
    ([SYSTEM, USER, TWO_CALLS, RESULT, RESULT2, ANSWER, NEXT], [WEATHER, TIME], True, {}),
    ([USER, NEXT], None, True, {}),
    ([ANSWER, USER], None, True, {}),
    ([SYSTEM, SYSTEM, USER, ANSWER, USER, ANSWER], None, False, {"now_text": "now"}),
]
