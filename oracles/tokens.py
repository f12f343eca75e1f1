"""Token ids of a nasty corpus in SmolLM2's vocabulary by llama.cpp, as user text and with control tokens."""

from llama_reference import Reference

TEXTS = [
    "",
    " ",
    "  ",
    "\n",
    "\n\n\n",
    "\t\tint x;\r\n",
    "a",
    " a",
    "a ",
    "Hello, world!",
    "   leading and trailing   ",
    "one  two   three    four     five",
    "tabs\tand\t\ttabs\t",
    "mixed \t \n \r\n \n\n  end",
    "I'm you're he'd we'll they've it's DON'T I'M'",
    "don’t “quote” — dash… ellipsis",
    "1 12 123 1234 12345 1234567890 3.14159 1,000,000 0x1F 1e-10 ²³ ½ ١٢٣ १२३",
    "x1y22z333 v2.0.1-rc3 192.168.0.1 2026-11-15T03:56:01Z",
    "camelCaseWords snake_case_words SCREAMING_SNAKE kebab-case-words",
    "https://example.org/path?query=1&other=%20#fragment user@example.org",
    "C:\\Windows\\System32\\drivers\\etc\\hosts",
    "for (int i = 0; i < n; ++i) { a[i] += b[i] * c; }  // comment",
    "def f(x):\n    if x > 0:\n        return x\n\n    return -x\n",
    "<div class=\"a\">&amp; &lt;b&gt;</div><!-- c -->",
    "{\"key\": [1, 2.5, null, true], \"nested\": {\"a\": \"\\u00e9\"}}",
    "$$\\int_0^\\infty e^{-x^2}\\,dx = \\frac{\\sqrt{\\pi}}{2}$$",
    "naïve café résumé Ünïcödé ÀÉÎÕÜ ß ﬁ ﬂ",
    "cafe\u0301 e\u0301e\u0300 A\u030a n\u0303",
    "Привет, мир! Как дела? Ёжик",
    "Γειά σου Κόσμε, άλφα ΒΗΤΑ",
    "你好，世界！今天天气很好。",
    "東京は日本の首都です。カタカナ ひらがな",
    "안녕하세요 세계 한국어",
    "مرحبا بالعالم كيف حالك",
    "שלום עולם",
    "नमस्ते दुनिया",
    "สวัสดีชาวโลก ภาษาไทย",
    "😀",
    "😀😃😄 🎉🎊 👍🏽 👩‍👩‍👧‍👦 🏳️‍🌈 🇫🇷🇩🇪",
    "text😀text 😀 text",
    "☃ ★ ♥ → ⇒ ∀x∈ℝ ∑∏√ ≠≤≥ © ® ™ € £ ¥ ₿",
    "zero\u200bwidth\u200cjoin\u200der\ufeffbom\u00adsoft",
    "non\u00a0breaking\u2003em\u3000ideographic\u2028line\u2029paragraph",
    "\u0000nul\u0001\u0002\u001besc\u007fdel\u0085next",
    "\U0001f9d1\u200d\U0001f4bb \U00010348 \U0001d54f \U000e0041",
    "zalgo z\u0335\u0322a\u0336\u0321l\u0337g\u0338o\u0334",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "................................................................",
    "----------------================################",
    "!?!?!?!! ... ,,, ;;; ::: ((( ))) [[[ ]]] {{{ }}}",
    "        eight spaces\n                sixteen spaces\n",
    "\n \n  \n   \n    x",
    "word\n\nword\n\n\nword\n\n\n\nword",
    "a\u0301\u0302\u0303\u0304 stacked",
    "ǅ ǈ ǋ ʰ ˀ ª º ⅷ Ⅷ ⓐ",
    "<|endoftext|>",
    "<|im_start|>user\nhello<|im_end|>\n",
    "text<|im_start|>text<|im_end|>text",
    "<|im_start|> <|im_end|>  <|endoftext|>\n<|im_start|>",
    "< |im_start| > <|im_start |> <|IM_START|> <|im_start|",
    "<repo_name>a<file_sep>b<filename>c<gh_stars>5<issue_start>d<jupyter_code>e<empty_output>",
    "\ufffd replacement \ufffe \uffff",
    "The quick brown fox jumps over the lazy dog. THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG.",
    "Pneumonoultramicroscopicsilicovolcanoconiosis antidisestablishmentarianism Donaudampfschifffahrt",
]


def make(smollm2):
    reference = Reference(smollm2)
    cases = [
        {
            "text": text,
            "ids": reference.tokenize(text),
            "ids_with_control_tokens": reference.tokenize(text, control_tokens=True),
        }
        for text in TEXTS
    ]
    reference.close()
    return {"cases": cases}


def differences(stored, fresh):
    for old, new in zip(stored["cases"], fresh["cases"], strict=True):
        if old != new:
            yield f"{old['text']!r}: {new}, stored {old}"
