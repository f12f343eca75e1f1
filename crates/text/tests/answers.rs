//! Answers in each family's format, in pieces of any size.

use serde_json::{Value, json};
use tandem_text::{
    AnswerFormat, AnswerParser, AnswerPart as Part, Calls, ChatRequest, ChatTemplate, Content, Message, Role,
    Thoughts, ToolCall,
};

const THINK: Thoughts = Thoughts::Between { open: "<think>", close: "</think>" };

fn tools() -> Vec<Value> {
    let properties = json!({"city": {"type": "string"}, "days": {"type": "integer"}});
    let tool = |name| json!({"type": "function", "function": {"name": name, "description": name, "parameters": {"type": "object", "properties": properties}}});
    vec![tool("weather"), tool("now")]
}

fn format(calls: Calls) -> AnswerFormat {
    let thoughts = match calls {
        Calls::Harmony => Thoughts::Channel,
        Calls::MistralList | Calls::MistralArgs => Thoughts::Between { open: "[THINK]", close: "[/THINK]" },
        Calls::MiniMaxM3 => Thoughts::Between { open: "<mm:think>", close: "</mm:think>" },
        Calls::Seed => Thoughts::Between { open: "<seed:think>", close: "</seed:think>" },
        Calls::Xtml => Thoughts::Between { open: "<|open|>think<|sep|>", close: "<|close|>think<|sep|>" },
        Calls::Gemma => Thoughts::Between { open: "<|channel>thought", close: "<channel|>" },
        _ => THINK,
    };
    AnswerFormat { thoughts, calls }
}

/// Parts with neighbours of a kind joined, in short: `c:` content, `r:` reasoning, `t:` tool, `a:` arguments.
fn parse(format: AnswerFormat, thinking: bool, tools: &[Value], pieces: &[&str]) -> Vec<String> {
    let mut parser = AnswerParser::new(format, tools, thinking);
    let mut parts = Vec::new();
    for piece in pieces {
        parser.push(piece, &mut parts);
    }
    parser.finish(&mut parts);
    let mut joined: Vec<String> = Vec::new();
    for part in parts {
        let (kind, text) = match part {
            Part::Content(text) => ("c:", text),
            Part::Reasoning(text) => ("r:", text),
            Part::Arguments(text) => ("a:", text),
            Part::Call { name, id } => {
                joined.push(format!("t:{name}{}", id.map(|id| format!(" {id}")).unwrap_or_default()));
                continue;
            }
        };
        match joined.last_mut() {
            Some(last) if last.starts_with(kind) => last.push_str(&text),
            _ => joined.push(format!("{kind}{text}")),
        }
    }
    joined
}

#[track_caller]
fn check_with(format: AnswerFormat, thinking: bool, tools: &[Value], text: &str, expected: &[&str]) {
    assert_eq!(parse(format, thinking, tools, &[text]), expected, "{text:?} at once");
    let cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).skip(1).collect();
    let single: Vec<&str> = {
        let ends = cuts.iter().copied().chain([text.len()]);
        std::iter::once(0).chain(cuts.iter().copied()).zip(ends).map(|(a, b)| &text[a..b]).collect()
    };
    assert_eq!(parse(format, thinking, tools, &single), expected, "{text:?} by character");
    for cut in &cuts {
        let (a, b) = text.split_at(*cut);
        assert_eq!(parse(format, thinking, tools, &[a, b]), expected, "{a:?} | {b:?}");
    }
    // Pieces of changing size.
    let mut state = text.len() as u64 + 1;
    for _ in 0..20 {
        let (mut pieces, mut from) = (Vec::new(), 0);
        for cut in &cuts {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            if (state >> 33).is_multiple_of(4) {
                pieces.push(&text[from..*cut]);
                from = *cut;
            }
        }
        pieces.push(&text[from..]);
        assert_eq!(parse(format, thinking, tools, &pieces), expected, "{pieces:?}");
    }
}

#[track_caller]
fn check(calls: Calls, text: &str, expected: &[&str]) {
    check_with(format(calls), false, &tools(), text, expected);
}

#[test]
fn thoughts_come_before_the_answer() {
    let tagged = format(Calls::Tagged);
    check(Calls::Tagged, "<think>\nhm, 2+2\n\n</think>\n\nIt is 4.\n", &["r:hm, 2+2", "c:It is 4.\n"]);
    check(Calls::Tagged, "<think>\n\n</think>\n\nYes", &["c:Yes"]);
    check(Calls::Tagged, "No thoughts, <think> is text here", &["c:No thoughts, <think> is text here"]);
    check_with(tagged, true, &[], "hm</think>So", &["r:hm", "c:So"]);
    check_with(tagged, true, &[], "never ends </thin", &["r:never ends </thin"]);
    check(Calls::MistralArgs, "[THINK]hm[/THINK]So", &["r:hm", "c:So"]);
    check(Calls::Tagged, "  \n", &[]);
    check(Calls::Tagged, "a  \n b\n\n", &["c:a  \n b\n\n"]);
}

#[test]
fn hermes_and_qwen() {
    let call = |city: &str| {
        format!(
            "<tool_call>\n{{\"name\": \"weather\", \"arguments\": {{\"city\": \"{city}\"}}}}\n</tool_call>"
        )
    };
    check(Calls::Tagged, &call("Bern"), &["t:weather", "a:{\"city\": \"Bern\"}"]);
    check(
        Calls::Tagged,
        &format!("<think>x</think>\n\nLet me see.\n{}\n{}\n", call("B}\\\"{</tool_call>"), call("Ü")),
        &[
            "r:x",
            "c:Let me see.",
            "t:weather",
            "a:{\"city\": \"B}\\\"{</tool_call>\"}",
            "t:weather",
            "a:{\"city\": \"Ü\"}",
        ],
    );
    check(
        Calls::Tagged,
        "<tool_call>{\"arguments\": {\"a\": [1, {}]}, \"name\": \"now\"}</tool_call> done",
        &["t:now", "a:{\"a\": [1, {}]}", "c:done"],
    );
    check(Calls::Tagged, "<tool_call>{\"name\": \"now\"}</tool_call>", &["t:now", "a:{}"]);
    check(
        Calls::Tagged,
        "<tool_call>{\"name\": \"now\", \"arguments\": \"{\\\"a\\\": 1}\"}</tool_call>",
        &["t:now", "a:{\"a\": 1}"],
    );
    check(
        Calls::Tagged,
        "<tool_call>{\"name\": \"now\", \"arguments\": null}</tool_call>",
        &["t:now", "a:{}"],
    );
}

#[test]
fn what_is_no_call_is_content() {
    for text in [
        "<tool_call>not json</tool_call>",
        "<tool_call>\n{\"nam\": 3}\n</tool_call>",
        "<tool_call>\n{\"name\": 3}\n</tool_call>",
        "<tool_call>{\"name\" \"now\"}",
        "<tool_call>{\"name\": \"no",
        "a < b <tool_cal",
        "{\"name\": \"now\", \"arguments\": {}}",
        "<tool_call>",
        "<tool_call>{\"x\": ]}",
    ] {
        check(Calls::Tagged, text, &[&format!("c:{text}")]);
    }
    let text = "<tool_call>{\"name\": \"now\", \"arguments\": {}}</tool_call>";
    check_with(format(Calls::Tagged), false, &[], text, &[&format!("c:{text}")]);
    for text in
        ["{\"name\": \"Bob\", \"arguments\": 3}", "{\"a\": 1}", "{not", "[1, 2]", "```json\n{\"a\": 1}\n```"]
    {
        check(Calls::Llama, text, &[&format!("c:{text}")]);
        check(Calls::Plain, text, &[&format!("c:{text}")]);
    }
    check(Calls::Llama, "<|python_tag|>print(1)", &["c:<|python_tag|>print(1)"]);
    check(Calls::Kimi, "<|tool_calls_section_begin|>hm<|tool_calls_section_end|>", &["c:hm"]);
    check(Calls::MistralList, "[TOOL_CALLS] ?", &["c:[TOOL_CALLS] ?"]);
}

#[test]
fn a_call_that_breaks_off_keeps_what_came() {
    check(
        Calls::Tagged,
        "<tool_call>{\"name\": \"now\", \"arguments\": {\"a\": \"b",
        &["t:now", "a:{\"a\": \"b"],
    );
    check(
        Calls::Kimi,
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.now:0",
        &["c:<|tool_call_begin|>functions.now:0"],
    );
}

#[test]
fn qwen3_coder() {
    check(
        Calls::Xml,
        "I look.\n<tool_call>\n<function=weather>\n<parameter=city>\nNew\n\"York\"\n</parameter>\n<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>",
        &["c:I look.", "t:weather", "a:{\"city\": \"New\\n\\\"York\\\"\", \"days\": 2}"],
    );
    check(
        Calls::Xml,
        "<function=now>\n</function>\n</tool_call>\n<tool_call>\n<function=weather>\n<parameter=city>5</parameter></function></tool_call>",
        &["t:now", "a:{}", "t:weather", "a:{\"city\": \"5\"}"],
    );
    check(Calls::Xml, "<tool_call>\n<function=a b\nc", &["c:<tool_call>\n<function=a b\nc"]);
}

#[test]
fn glm() {
    check(
        Calls::Glm,
        "<think>hm</think>\nI look.\n<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>New\n\"York\"</arg_value>\n<arg_key>days</arg_key>\n<arg_value>2</arg_value>\n</tool_call>",
        &["r:hm", "c:I look.", "t:weather", "a:{\"city\": \"New\\n\\\"York\\\"\", \"days\": 2}"],
    );
    // GLM-4.7 leaves out the line breaks.
    check(
        Calls::Glm,
        "<tool_call>now</tool_call><tool_call>weather<arg_key>city</arg_key><arg_value>5</arg_value></tool_call>",
        &["t:now", "a:{}", "t:weather", "a:{\"city\": \"5\"}"],
    );
    check(Calls::Glm, "<tool_call>{\"name\": \"now\", \"arguments\": {}}</tool_call>", &["t:now", "a:{}"]);
    check(Calls::Glm, "<tool_call>a > b", &["c:<tool_call>a > b"]);
}

#[test]
fn minimax() {
    check(
        Calls::MiniMax,
        "<minimax:tool_call>\n<invoke name=\"weather\">\n<parameter name=\"city\">Bern</parameter>\n<parameter name=\"days\">2</parameter>\n</invoke>\n<invoke name=\"now\">\n</invoke>\n</minimax:tool_call>",
        &["t:weather", "a:{\"city\": \"Bern\", \"days\": 2}", "t:now", "a:{}"],
    );
    check(
        Calls::MiniMax,
        "<minimax:tool_call><invoke name=now></invoke></minimax:tool_call> done",
        &["t:now", "a:{}", "c:done"],
    );
    check(Calls::MiniMax, "<minimax:tool_call>\n<invoke>", &["c:<minimax:tool_call>\n<invoke>"]);
}

#[test]
fn minimax_m3() {
    let marked = |text: &str| text.replace('«', "]<]minimax[>[<");
    let m3 = |text: &str, expected: &[&str]| check(Calls::MiniMaxM3, &marked(text), expected);
    m3(
        "<mm:think>hm</mm:think>I look.«tool_call>\n«invoke name=\"weather\">«city>New\nYork«/city>«days>2«/days>«/invoke>\n«invoke name=\"now\">«/invoke>\n«/tool_call>",
        &["r:hm", "c:I look.", "t:weather", "a:{\"city\":\"New\\nYork\",\"days\":2}", "t:now", "a:{}"],
    );
    m3(
        "</mm:think>«tool_call>«invoke name=\"now\">«at>«item>«x>1«/x>«/item>«item>a«/item>«/at>«of>«item>b«/item>«y>true«/y>«/of>«/invoke>«/tool_call> done",
        &["t:now", "a:{\"at\":[{\"x\":1},\"a\"],\"of\":{\"item\":\"b\",\"y\":true}}", "c:done"],
    );
    m3("</mm:think>So", &["c:So"]);
    m3("«tool_call>\n«invoke name=\"now\">«a>«a>1«/a>«/a>", &["t:now", "a:{\"a\":{\"a\":1}}"]);
    let broken = marked("«tool_call>\nno");
    check(Calls::MiniMaxM3, &broken, &[&format!("c:{broken}")]);
}

#[test]
fn deepseek_v32() {
    check(
        Calls::Dsml,
        "<think>hm</think>I look.\n\n<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"weather\">\n<｜DSML｜parameter name=\"city\" string=\"true\">5 <b> \"x\"</｜DSML｜parameter>\n<｜DSML｜parameter name=\"days\" string=\"false\">[2, {}]</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name=\"now\">\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
        &[
            "r:hm",
            "c:I look.",
            "t:weather",
            "a:{\"city\": \"5 <b> \\\"x\\\"\", \"days\": [2,{}]}",
            "t:now",
            "a:{}",
        ],
    );
    // What it says of a value goes before the schema.
    check(
        Calls::Dsml,
        "<｜DSML｜function_calls><｜DSML｜invoke name=\"weather\"><｜DSML｜parameter name=\"days\" string=\"true\">2</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜function_calls>",
        &["t:weather", "a:{\"days\": \"2\"}"],
    );
    let text = "<｜DSML｜function_calls>\nnone";
    check(Calls::Dsml, text, &[&format!("c:{text}")]);
}

#[test]
fn kimi_k3() {
    let call = "<|open|>tools<|sep|><|open|>call tool=\"weather\" index=\"1\"<|sep|><|open|>argument key=\"city\" type=\"string\"<|sep|>\n5 \"x\" <|close|>argument<|sep|><|open|>argument key=\"days\" type=\"array\"<|sep|>[2, {}]<|close|>argument<|sep|><|close|>call<|sep|><|open|>call tool=\"now\" index=\"2\"<|sep|><|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|>";
    let calls = ["t:weather", "a:{\"city\": \"\\n5 \\\"x\\\" \", \"days\": [2,{}]}", "t:now", "a:{}"];
    let said = "<|open|>response<|sep|>I look.<|close|>response<|sep|>";
    let expected: Vec<&str> = ["r:hm", "c:I look."].into_iter().chain(calls).collect();
    check(Calls::Xtml, &format!("<|open|>think<|sep|>hm<|close|>think<|sep|>{said}{call}"), &expected);
    // The prompt has opened the thoughts, or the response.
    let xtml = format(Calls::Xtml);
    check_with(xtml, true, &tools(), &format!("hm<|close|>think<|sep|>{said}{call}"), &expected);
    let rest = "So.<|close|>response<|sep|><|close|>message<|sep|>";
    check_with(xtml, false, &[], rest, &["c:So."]);
    let block = "<|open|>tools<|sep|><|open|>call tool=\"weather\" index=\"1\"<|sep|><|open|>json type=\"object\"<|sep|>{\"city\": \"Bern\", \"days\": 2}<|close|>json<|sep|><|close|>call<|sep|><|close|>tools<|sep|>";
    check(Calls::Xtml, block, &["t:weather", "a:{\"city\": \"Bern\", \"days\": 2}"]);
    let quoted = "<|open|>tools<|sep|><|open|>call tool=\"a&amp;&quot;b\" index=\"1\"<|sep|><|open|>argument key=\"k&quot;\" type=\"string\"<|sep|>v";
    check(Calls::Xtml, quoted, &["t:a&\"b", "a:{\"k\\\"\": \"v\"}"]);
}

#[test]
fn seed() {
    check(
        Calls::Seed,
        "<seed:think>hm</seed:think>\nI look.\n<seed:tool_call>\n<function=weather>\n<parameter=city>New\n\"York\"</parameter>\n<parameter=days>2</parameter>\n</function>\n</seed:tool_call>\n<seed:tool_call>\n<function=now>\n</function>\n</seed:tool_call>",
        &[
            "r:hm",
            "c:I look.",
            "t:weather",
            "a:{\"city\": \"New\\n\\\"York\\\"\", \"days\": 2}",
            "t:now",
            "a:{}",
        ],
    );
}

#[test]
fn gemma_4() {
    let q = "<|\"|>";
    check(
        Calls::Gemma,
        &format!(
            "<|channel>thought\nhm\n<channel|>I look.<|tool_call>call:weather{{city:{q}a}}, \"b\"\n<tool_call|>{q},days:2}}<tool_call|><|tool_call>call:now{{}}<tool_call|>"
        ),
        &[
            "r:hm",
            "c:I look.",
            "t:weather",
            "a:{\"city\": \"a}, \\\"b\\\"\\n<tool_call|>\", \"days\": 2}",
            "t:now",
            "a:{}",
        ],
    );
    check(
        Calls::Gemma,
        &format!(
            "<|tool_call>call:now{{a:[1,{q}x{q},{{b:true,{q}c:{q}:null}},[]], d: Bern , e:None,}}<tool_call|>Done"
        ),
        &[
            "t:now",
            "a:{\"a\": [1, \"x\", {\"b\": true, \"c:\": null}, []], \"d\": \"Bern\", \"e\": null}",
            "c:Done",
        ],
    );
    // Brackets that do not fit, and a call that ends too soon.
    check(Calls::Gemma, "<|tool_call>call:now{a:[1}<tool_call|>", &["t:now", "a:{\"a\": [1]}"]);
    check(Calls::Gemma, "<|tool_call>call:now{a:<tool_call|>", &["t:now", "a:{\"a\": null}"]);
    check(Calls::Gemma, &format!("<|tool_call>call:now{{a:{q}b"), &["t:now", "a:{\"a\": \"b"]);
    for text in ["<|tool_call>now{}<tool_call|>", "<|tool_call>call:now<tool_call|>", "<|tool_call>call:no"] {
        check(Calls::Gemma, text, &[&format!("c:{text}")]);
    }
    check(Calls::Gemma, "<|channel>thought\n<channel|>Yes", &["c:Yes"]);
}

/// What a model's published template writes of an answer is what a model of that family was taught to write: it is read back
/// as it was given.
#[test]
fn calls_of_published_templates_are_read_back() {
    let arguments = json!({"city": "Genève, \"}\"", "days": 2});
    let call = |name: &str, arguments: Value| ToolCall {
        id: Some("abcdefghi".into()),
        name: name.into(),
        arguments,
    };
    let answer = Message {
        content: Content::Text("Let me see.".into()),
        reasoning: Some("Hm, where?".into()),
        tool_calls: vec![call("weather", arguments.clone())],
        ..Message::new(Role::Assistant, "")
    };
    let ask = Message::new(Role::User, "Weather?");
    let extra = json!({"enable_thinking": true, "thinking": true});
    let turn_ends =
        ["<|im_end|>", "<seed:eos>", "<｜end▁of▁sentence｜>", "<|tool_response>", "<|end_of_text|>", "</s>"]
            .into_iter()
            .chain(["<|eot_id|>", "<|eom_id|>", "[e~[", "<|call|>", "<|observation|>"]);
    let mut families = 0;
    for entry in std::fs::read_dir("tests/goldens/families").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "jinja") {
            continue;
        }
        let template = std::fs::read_to_string(&path).unwrap();
        let template = ChatTemplate::new(&template, Some("<s>"), Some("</s>")).unwrap();
        let render = |messages: &[Message], add_generation_prompt| {
            let extra = extra.as_object().unwrap().clone();
            template.render(&ChatRequest { messages, tools: &tools(), add_generation_prompt, extra })
        };
        let format = AnswerFormat::detect(template.source(), |_| false);
        let prompt = render(std::slice::from_ref(&ask), true).unwrap();
        // Beside calls, some take thoughts or words, not both.
        let thoughtless = Message { reasoning: None, ..answer.clone() };
        let whole = render(&[ask.clone(), answer.clone()], false)
            .or_else(|_| render(&[ask.clone(), thoughtless], false))
            .unwrap();
        // Some leave thoughts of the past out, and with them what opened them.
        let unopened = prompt.trim_end().strip_suffix(format.thought_marks()[0]).unwrap_or(&prompt);
        let (said, thinking) = match whole.strip_prefix(&prompt) {
            Some(said) => (said, format.opens_thoughts(&prompt)),
            None => (whole.strip_prefix(unopened).expect("an answer continues its prompt"), false),
        };
        let close = format.thought_marks()[1];
        let thinking = thinking || !close.is_empty() && said.starts_with(close);
        let end = turn_ends.clone().filter_map(|end| said.find(end)).min().unwrap_or(said.len());
        let parts = parse(format, thinking, &tools(), &[&said[..end]]);
        let of = |kind: &str| -> String { parts.iter().filter_map(|part| part.strip_prefix(kind)).collect() };
        let family = path.file_stem().unwrap().to_str().unwrap();
        // Kimi's calls are named by their ids, SmolLM3's template writes none.
        match family {
            "kimi-k2-thinking" => assert_eq!(of("t:"), "abcdefghi abcdefghi"),
            "smollm3" => continue,
            _ => assert_eq!(of("t:"), "weather", "{family}: {said:?}"),
        }
        assert_eq!(serde_json::from_str::<Value>(&of("a:")).unwrap(), arguments, "{family}: {said:?}");
        let words = of("r:") + &of("c:");
        let all = ["Hm, where?Let me see.", "Let me see.", ""];
        assert!(all.contains(&words.as_str()), "{family}: {parts:?}");
        let thinks = ["deepseek-v3.2", "gemma-4", "seed-oss"].contains(&family);
        assert!(!thinks || of("r:") == "Hm, where?" && of("c:") == "Let me see.", "{family}: {parts:?}");
        families += 1;
    }
    assert_eq!(families, 20);
}

#[test]
fn llama_and_plain_json() {
    let text = "{\"name\": \"weather\", \"parameters\": {\"city\": \"Bern\"}}";
    check(Calls::Llama, text, &["t:weather", "a:{\"city\": \"Bern\"}"]);
    check(Calls::Llama, &format!("<|python_tag|>{text}"), &["t:weather", "a:{\"city\": \"Bern\"}"]);
    check(
        Calls::Llama,
        &format!("{text}; {text}"),
        &["t:weather", "a:{\"city\": \"Bern\"}", "t:weather", "a:{\"city\": \"Bern\"}"],
    );
    check(Calls::Plain, &format!("\n```json\n{text}\n```\n"), &["t:weather", "a:{\"city\": \"Bern\"}"]);
}

#[test]
fn mistral() {
    check(
        Calls::MistralList,
        "[TOOL_CALLS] [{\"name\": \"weather\", \"arguments\": {\"city\": \"a]b\"}}, {\"name\": \"now\", \"arguments\": {}, \"id\": \"x\"}]",
        &["t:weather", "a:{\"city\": \"a]b\"}", "t:now", "a:{}"],
    );
    check(
        Calls::MistralArgs,
        "Sure.[TOOL_CALLS]weather[ARGS]{\"city\": \"Bern\"}[TOOL_CALLS]now[CALL_ID]abc[ARGS]{}",
        &["c:Sure.", "t:weather", "a:{\"city\": \"Bern\"}", "t:now", "a:{}"],
    );
    check(Calls::MistralArgs, "[TOOL_CALLS]weather{\"days\": 1}", &["t:weather", "a:{\"days\": 1}"]);
}

#[test]
fn deepseek() {
    check(
        Calls::DeepSeek,
        "hm</think>Ok<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>weather<｜tool▁sep｜>{\"city\": \"Bern\"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        &["c:hm</think>Ok", "t:weather", "a:{\"city\": \"Bern\"}", "t:now", "a:{}"],
    );
    check(
        Calls::DeepSeekFenced,
        "<think>\nx\n</think>\n\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>weather\n```json\n{\"city\": \"`\\n```\"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        &["r:x", "t:weather", "a:{\"city\": \"`\\n```\"}", "t:now", "a:{}"],
    );
}

#[test]
fn kimi() {
    check(
        Calls::Kimi,
        "Looking.<|tool_calls_section_begin|><|tool_call_begin|>functions.weather:0<|tool_call_argument_begin|>{\"city\": \"Bern\"}<|tool_call_end|><|tool_call_begin|>functions.now:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>",
        &[
            "c:Looking.",
            "t:weather functions.weather:0",
            "a:{\"city\": \"Bern\"}",
            "t:now functions.now:1",
            "a:{}",
        ],
    );
}

#[test]
fn harmony() {
    check(
        Calls::Harmony,
        "<|channel|>analysis<|message|>Think.\nMore<|end|><|start|>assistant<|channel|>final<|message|>Hello <b>!",
        &["r:Think.\nMore", "c:Hello <b>!"],
    );
    check(
        Calls::Harmony,
        "<|channel|>analysis<|message|>Use it<|end|><|start|>assistant<|channel|>commentary to=functions.weather <|constrain|>json<|message|>{\"city\":\"Bern\"}",
        &["r:Use it", "t:weather", "a:{\"city\":\"Bern\"}"],
    );
    check(
        Calls::Harmony,
        "<|channel|>commentary<|message|>Plan.<|end|><|start|>assistant to=functions.now<|channel|>commentary json<|message|>{}<|call|>",
        &["c:Plan.", "t:now", "a:{}"],
    );
    check(Calls::Harmony, "just text", &["c:just text"]);
}

#[test]
fn formats_are_known_by_their_templates() {
    let detect = |template: &str| AnswerFormat::detect(template, |_| false);
    assert_eq!(detect("{{ messages }}"), AnswerFormat { thoughts: Thoughts::None, calls: Calls::Plain });
    assert_eq!(detect("<tool_call> </think>"), AnswerFormat { thoughts: THINK, calls: Calls::Tagged });
    assert!(detect("</think>").opens_thoughts("<|im_start|>assistant\n<think>\n"));
    assert!(!detect("</think>").opens_thoughts("<think>\n\n</think>\n\n"));
    assert_eq!(detect("```json <tool_call>").calls, Calls::Tagged);
    assert_eq!(detect("<tool_call> <arg_key> </think>").calls, Calls::Glm);
    assert_eq!(detect("<minimax:tool_call>").calls, Calls::MiniMax);
    let m3 = detect(include_str!("goldens/families/minimax-m3.jinja"));
    assert_eq!(m3, format(Calls::MiniMaxM3));
}
