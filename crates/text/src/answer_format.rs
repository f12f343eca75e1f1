//! How a family of models marks its thoughts and its calls of tools.

/// What to look for in a model's answers. Found from its chat template, since that is what the model was trained with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnswerFormat {
    pub thoughts: Thoughts,
    pub calls: Calls,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thoughts {
    None,
    /// Between these texts, before the answer.
    Between {
        open: &'static str,
        close: &'static str,
    },
    /// In a channel of their own (gpt-oss).
    Channel,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// The whole answer is `{"name": …, "arguments": …}`: what is asked of models that know no better.
    Plain,
    /// `<tool_call>{"name": …, "arguments": …}</tool_call>` (Hermes, Qwen).
    Tagged,
    /// `<tool_call><function=name><parameter=key>value</parameter></function></tool_call>` (Qwen3-Coder).
    Xml,
    /// `<tool_call>name<arg_key>key</arg_key><arg_value>value</arg_value></tool_call>` (GLM-4.5 and later).
    Glm,
    /// `<minimax:tool_call><invoke name="name"><parameter name="key">value</parameter></invoke></minimax:tool_call>` (MiniMax M2).
    MiniMax,
    /// `]<]minimax[>[<tool_call>]<]minimax[>[<invoke name="name">]<]minimax[>[<key>value]<]minimax[>[</key>…`, where objects and lists are elements
    /// too (MiniMax M3).
    MiniMaxM3,
    /// `<｜DSML｜function_calls><｜DSML｜invoke name="name"><｜DSML｜parameter name="key" string="true">value</｜DSML｜parameter>…`
    /// (DeepSeek V3.2).
    Dsml,
    /// `<seed:tool_call><function=name><parameter=key>value</parameter></function></seed:tool_call>` (Seed-OSS).
    Seed,
    /// `<|tool_call>call:name{key:<|"|>text<|"|>,other:2}<tool_call|>` (Gemma 4).
    Gemma,
    /// `{"name": …, "parameters": …}`, with or without `<|python_tag|>` (Llama 3).
    Llama,
    /// `[TOOL_CALLS][{"name": …, "arguments": …}]` (Mistral until 2024).
    MistralList,
    /// `[TOOL_CALLS]name[ARGS]{…}` (Mistral since).
    MistralArgs,
    /// `<｜tool▁call▁begin｜>function<｜tool▁sep｜>name`, the arguments in a fence (DeepSeek V3, R1).
    DeepSeekFenced,
    /// `<｜tool▁call▁begin｜>name<｜tool▁sep｜>{…}<｜tool▁call▁end｜>` (DeepSeek V3.1).
    DeepSeek,
    /// `<|tool_call_begin|>functions.name:0<|tool_call_argument_begin|>{…}<|tool_call_end|>` (Kimi K2).
    Kimi,
    /// `<|open|>tools<|sep|><|open|>call tool="name" index="1"<|sep|><|open|>argument key="key" type="string"<|sep|>value<|close|>argument<|sep|>…`,
    /// and content in a tag of its own (Kimi K3).
    Xtml,
    /// `<|channel|>commentary to=functions.name<|message|>{…}<|call|>` (gpt-oss).
    Harmony,
}

/// A text in the template, and the format it gives away; the first that is there counts.
const CALLS: &[(&str, Calls)] = &[
    ("<|channel|>", Calls::Harmony),
    ("<|tool_calls_section_begin|>", Calls::Kimi),
    ("<|end_of_msg|>", Calls::Xtml),
    ("<minimax:tool_call>", Calls::MiniMax),
    ("]<]minimax[>[", Calls::MiniMaxM3),
    ("｜DSML｜", Calls::Dsml),
    ("<seed:tool_call>", Calls::Seed),
    ("<|tool_call>call:", Calls::Gemma),
    ("<arg_key>", Calls::Glm),
    ("```json", Calls::DeepSeekFenced),
    ("<｜tool▁call▁begin｜>", Calls::DeepSeek),
    ("[ARGS]", Calls::MistralArgs),
    ("[TOOL_CALLS]", Calls::MistralList),
    ("<function=", Calls::Xml),
    ("<tool_call>", Calls::Tagged),
    ("<|python_tag|>", Calls::Llama),
    ("\"parameters\": dictionary", Calls::Llama),
];

const THINK: Thoughts = Thoughts::Between { open: "<think>", close: "</think>" };
const MISTRAL_THINK: Thoughts = Thoughts::Between { open: "[THINK]", close: "[/THINK]" };
const MINIMAX_THINK: Thoughts = Thoughts::Between { open: "<mm:think>", close: "</mm:think>" };
const SEED_THINK: Thoughts = Thoughts::Between { open: "<seed:think>", close: "</seed:think>" };
const XTML_THINK: Thoughts =
    Thoughts::Between { open: "<|open|>think<|sep|>", close: "<|close|>think<|sep|>" };
const GEMMA_THINK: Thoughts = Thoughts::Between { open: "<|channel>thought", close: "<channel|>" };

impl AnswerFormat {
    /// `has_token` says whether the vocabulary has a token of this spelling.
    pub fn detect(template: &str, has_token: impl Fn(&str) -> bool) -> AnswerFormat {
        let fits = |(mark, calls): &&(&str, Calls)| {
            template.contains(mark)
                && (*calls != Calls::DeepSeekFenced || template.contains("<｜tool▁call▁begin｜>"))
        };
        let calls = CALLS.iter().find(fits).map_or(Calls::Plain, |(_, calls)| *calls);
        let thoughts = if calls == Calls::Harmony {
            Thoughts::Channel
        } else if calls == Calls::Xtml {
            XTML_THINK
        } else if template.contains("[THINK]") {
            MISTRAL_THINK
        } else if template.contains("<mm:think>") {
            MINIMAX_THINK
        } else if template.contains("<seed:think>") {
            SEED_THINK
        } else if template.contains("<|channel>thought") {
            GEMMA_THINK
        } else if template.contains("</think>") || has_token("</think>") {
            THINK
        } else {
            Thoughts::None
        };
        AnswerFormat { thoughts, calls }
    }

    /// Control tokens that mean something within an answer; all others are no part of it.
    pub fn marks(&self) -> &'static [&'static str] {
        match self.calls {
            Calls::Plain => &[],
            Calls::Tagged | Calls::Xml => &["<tool_call>", "</tool_call>"],
            Calls::Glm => GLM_MARKS,
            Calls::MiniMax => &["<minimax:tool_call>", "</minimax:tool_call>"],
            Calls::MiniMaxM3 => &["]<]minimax[>["],
            Calls::Dsml => &["｜DSML｜"],
            Calls::Seed => &["<seed:tool_call>", "</seed:tool_call>"],
            Calls::Gemma => &["<|tool_call>", "<tool_call|>", "<|\"|>", "<|channel>"],
            Calls::Llama => &["<|python_tag|>"],
            Calls::MistralList => &["[TOOL_CALLS]"],
            Calls::MistralArgs => &["[TOOL_CALLS]", "[ARGS]", "[CALL_ID]"],
            Calls::DeepSeekFenced | Calls::DeepSeek => DEEPSEEK_MARKS,
            Calls::Kimi => KIMI_MARKS,
            Calls::Xtml => &["<|open|>", "<|close|>", "<|sep|>"],
            Calls::Harmony => HARMONY_MARKS,
        }
    }

    /// What only stands around content.
    pub fn layout(&self) -> &'static [&'static str] {
        match self.calls {
            Calls::Xtml => &RESPONSE,
            _ => &[],
        }
    }

    pub fn thought_marks(&self) -> [&'static str; 2] {
        match self.thoughts {
            Thoughts::Between { open, close } => [open, close],
            _ => ["", ""],
        }
    }

    /// Whether a prompt that ends like this leaves the model in the middle of its thoughts.
    pub fn opens_thoughts(&self, prompt: &str) -> bool {
        matches!(self.thoughts, Thoughts::Between { open, .. } if prompt.trim_end().ends_with(open))
    }
}

/// Around words of Kimi K3, and at the end of all it says.
pub(crate) const RESPONSE: [&str; 3] =
    ["<|open|>response<|sep|>", "<|close|>response<|sep|>", "<|close|>message<|sep|>"];
const GLM_MARKS: &[&str] =
    &["<tool_call>", "</tool_call>", "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>"];
const DEEPSEEK_MARKS: &[&str] = &[
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁calls▁end｜>",
    "<｜tool▁call▁begin｜>",
    "<｜tool▁call▁end｜>",
    "<｜tool▁sep｜>",
];
const KIMI_MARKS: &[&str] = &[
    "<|tool_calls_section_begin|>",
    "<|tool_calls_section_end|>",
    "<|tool_call_begin|>",
    "<|tool_call_end|>",
    "<|tool_call_argument_begin|>",
];
const HARMONY_MARKS: &[&str] =
    &["<|channel|>", "<|message|>", "<|start|>", "<|end|>", "<|call|>", "<|return|>", "<|constrain|>"];
