//! Constraints in a model's own format of answers: thoughts first, calls of tools between its marks.

mod bare;

use crate::answer_format::{AnswerFormat, Calls, RESPONSE, Thoughts};
use crate::answer_parser::name_of;
use crate::grammar::{GrammarError, laid_out};
use crate::grammar_cost::parse;
use crate::tokenizer::Tokenizer;
use crate::vocab::TokenKind;
use serde_json::{Value as Json, json};
use std::fmt::Write;
use tandem_dialogue::Constraint;

/// Where the prompt leaves the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prelude {
    /// In the middle of its thoughts.
    Thinking,
    /// It may think first.
    Free,
    /// It answers at once.
    Answering,
}

/// Writes grammars for one model.
pub struct ShapedAnswer<'a> {
    pub format: AnswerFormat,
    pub tokenizer: &'a Tokenizer,
    pub prelude: Prelude,
}

impl ShapedAnswer<'_> {
    /// Calls of these tools: one, or with `parallel` one or more.
    pub fn calls(&self, tools: &[Json], parallel: bool) -> Result<Constraint, GrammarError> {
        let rules = self.call_rules(tools, parallel, |_| true)?;
        let body = format!("body: {} {} calls\n", self.no_words(), self.mark(self.opening()));
        Ok(Constraint::Lark(self.after_thoughts(rules + &body)))
    }

    /// Words, calls, or words and then calls: as the model likes, but what begins like a call is one, of a tool that there is.
    /// Arguments of those that are `strict` obey their schemas.
    pub fn perhaps_calls(
        &self,
        tools: &[Json],
        parallel: bool,
        strict: impl Fn(&str) -> bool,
    ) -> Result<Constraint, GrammarError> {
        let mut rules = self.call_rules(tools, parallel, strict)?;
        let opening = self.opening();
        // What the reader of answers would take for a call.
        let taken = match self.format.calls {
            // Only at the beginning, with or without white space before it.
            Calls::Plain | Calls::Llama => {
                "(/[\\s{]/ ANY | \"```json\" ANY | ANY \"<|python_tag|>\" ANY)".to_owned()
            }
            Calls::Xml => format!("(ANY ({} | \"<function=\") ANY)", quoted(opening)),
            Calls::Harmony => "(ANY /<\\|(end|call|return|start|channel)\\|>/ ANY)".to_owned(),
            _ => format!("(ANY {} ANY)", quoted(opening)),
        };
        let _ = writeln!(rules, "ANY: /(?s:.*)/\nWORDS: ANY & ~{taken}");
        let body = match (self.format.calls, self.control(opening)) {
            (Calls::Plain | Calls::Llama, _) => "body: calls | WORDS\n".to_owned(),
            (Calls::Harmony, _) => {
                let [channel, message] = ["<|channel|>", "<|message|>"].map(|text| self.mark(text));
                format!("body: calls | {channel} \"final\" {message} WORDS\n")
            }
            (_, Some(id)) => format!("body: WORDS (<[{id}]> calls)?\n"),
            (Calls::Xtml, None) if self.control("<|open|>").is_some() => {
                let [open, close, end] = RESPONSE.map(|text| self.mark(text));
                format!("body: ({open})? WORDS ({close} ({} calls | {end})?)?\n", self.mark(opening))
            }
            // Spelled out, it is found as soon as it is there.
            (Calls::Xml, None) => format!(
                "body: WORDS | before calls\nbefore[suffix={}]: BEFORE\nBEFORE: ANY & ~(ANY \"<function=\" ANY)\n",
                quoted(opening)
            ),
            (_, None) => format!("body: WORDS | before calls\n{}\n", self.any_until("before", opening)),
        };
        Ok(Constraint::Lark(self.after_thoughts(rules + &body)))
    }

    /// The rule `calls`: what follows the mark that opens the first.
    fn call_rules(
        &self,
        tools: &[Json],
        parallel: bool,
        strict: impl Fn(&str) -> bool,
    ) -> Result<String, GrammarError> {
        let mut rules = String::new();
        let mut names = Vec::new();
        for (index, tool) in tools.iter().enumerate() {
            let name = name_of(tool)
                .ok_or_else(|| GrammarError::Unsupported(format!("tool {index} has no name")))?;
            let parameters = strict(name).then(|| parameters_of(tool));
            match self.format.calls {
                Calls::Xml
                | Calls::Glm
                | Calls::MiniMax
                | Calls::MiniMaxM3
                | Calls::Dsml
                | Calls::Seed
                | Calls::Xtml => {
                    self.xml_parameters(index, parameters.as_ref(), &mut rules);
                }
                Calls::Gemma => self.bare_parameters(index, parameters.as_ref(), &mut rules),
                _ => {}
            }
            let parameters = parameters.unwrap_or_else(|| json!({"type": "object"}));
            let _ = writeln!(rules, "call{index}: {}", self.call(index, name, &parameters));
            names.push(format!("call{index}"));
        }
        if names.is_empty() {
            return Err(GrammarError::Unsupported("a tool must be called, but none is given".into()));
        }
        let _ = writeln!(rules, "call: {}", names.join(" | "));
        if self.format.calls == Calls::Gemma {
            rules.push_str(&self.bare_rules());
        }
        let opening = self.mark(self.opening());
        let (open, between, close) = match self.format.calls {
            Calls::Plain | Calls::Llama | Calls::Harmony => ("", None, String::new()),
            Calls::Tagged | Calls::Xml | Calls::Glm | Calls::Seed => {
                ("", Some(format!("\"\\n\" {opening}")), String::new())
            }
            Calls::Dsml => {
                let close = format!("\"\\n\" {}", self.mark("</｜DSML｜function_calls>"));
                ("\"\\n\"", Some("\"\\n\"".to_owned()), close)
            }
            Calls::MiniMax => {
                let close = format!("\"\\n\" {}", self.mark("</minimax:tool_call>"));
                ("\"\\n\"", Some("\"\\n\"".to_owned()), close)
            }
            Calls::MiniMaxM3 => {
                let close = format!("\"\\n\" {}", self.mark("]<]minimax[>[</tool_call>"));
                ("\"\\n\"", Some("\"\\n\"".to_owned()), close)
            }
            Calls::MistralList => ("\"[\"", Some("/, ?/".to_owned()), "\"]\"".to_owned()),
            Calls::MistralArgs | Calls::Gemma => ("", Some(opening), String::new()),
            Calls::DeepSeekFenced => ("", Some("\"\\n\"".to_owned()), self.mark("<｜tool▁calls▁end｜>")),
            Calls::DeepSeek => ("", Some(String::new()), self.mark("<｜tool▁calls▁end｜>")),
            Calls::Kimi => ("", Some(String::new()), self.mark("<|tool_calls_section_end|>")),
            Calls::Xtml => {
                let close = self.mark("<|close|>tools<|sep|><|close|>message<|sep|>");
                ("", Some(String::new()), close)
            }
        };
        let more = match between {
            Some(between) if parallel => format!(" ({between} call)*"),
            _ => String::new(),
        };
        let _ = writeln!(rules, "calls: {open} call{more} {close}");
        Ok(rules)
    }

    /// What stands for words before calls, where these have tags of their own that cannot be left out.
    fn no_words(&self) -> String {
        let [open, close, _] = RESPONSE;
        match (self.format.calls, self.prelude) {
            (Calls::Xtml, Prelude::Answering) => self.mark(close),
            (Calls::Xtml, _) => format!("{} {}", self.mark(open), self.mark(close)),
            _ => String::new(),
        }
    }

    /// What calls begin with, where they have a mark: each of them, or all together.
    fn opening(&self) -> &'static str {
        match self.format.calls {
            Calls::Plain | Calls::Llama | Calls::Harmony => "",
            Calls::Tagged | Calls::Xml | Calls::Glm => "<tool_call>",
            Calls::MiniMax => "<minimax:tool_call>",
            Calls::MiniMaxM3 => "]<]minimax[>[<tool_call>",
            Calls::Dsml => "<｜DSML｜function_calls>",
            Calls::Seed => "<seed:tool_call>",
            Calls::Gemma => "<|tool_call>",
            Calls::MistralList | Calls::MistralArgs => "[TOOL_CALLS]",
            Calls::DeepSeekFenced | Calls::DeepSeek => "<｜tool▁calls▁begin｜>",
            Calls::Kimi => "<|tool_calls_section_begin|>",
            Calls::Xtml => "<|open|>tools<|sep|>",
        }
    }

    /// An answer of this shape, after the thoughts.
    pub fn content(&self, shape: &Constraint) -> Result<Constraint, GrammarError> {
        let bare = self.prelude == Prelude::Answering && self.format.thoughts != Thoughts::Channel
            || self.format.thoughts == Thoughts::None;
        let body = match shape {
            shape if bare => return Ok(shape.clone()),
            Constraint::JsonObject => json_rule(json!({"type": "object"})),
            Constraint::JsonSchema(text) => json_rule(parse(text)?),
            Constraint::Regex(regex) => format!("/{}/", llguidance::regex_to_lark(regex, "")),
            // A grammar says all there is to say.
            Constraint::Lark(_) => return Ok(shape.clone()),
        };
        let final_channel = match self.format.thoughts {
            Thoughts::Channel => {
                format!("{} \"final\" {} ", self.mark("<|channel|>"), self.mark("<|message|>"))
            }
            _ if self.format.calls == Calls::Xtml => self.mark(RESPONSE[0]) + " ",
            _ => String::new(),
        };
        Ok(Constraint::Lark(self.after_thoughts(format!("body: {final_channel}content\ncontent: {body}\n"))))
    }

    /// Rules that begin with `body`, preceded by the model's thoughts.
    fn after_thoughts(&self, rules: String) -> String {
        let start = match (self.format.thoughts, self.prelude) {
            (Thoughts::None, _) | (Thoughts::Between { .. }, Prelude::Answering) => {
                "start: body\n".to_owned()
            }
            (Thoughts::Between { close, .. }, Prelude::Thinking) => {
                format!("start: thoughts GAP body\n{}", self.until(close))
            }
            (Thoughts::Between { open, close }, Prelude::Free) => {
                format!("start: body | {} thoughts GAP body\n{}", self.mark(open), self.until(close))
            }
            (Thoughts::Channel, _) => {
                let [channel, message, start] =
                    ["<|channel|>", "<|message|>", "<|start|>"].map(|text| self.mark(text));
                format!(
                    "start: body | {channel} \"analysis\" {message} thoughts {start} \"assistant\" body\n{}",
                    self.until("<|end|>")
                )
            }
        };
        format!("{start}{rules}GAP: /[ \\n]{{0,2}}/\n")
    }

    /// The rule `thoughts`: anything up to `close`.
    fn until(&self, close: &str) -> String {
        self.any_until("thoughts", close) + "\n"
    }

    /// A rule of this name: any text, up to what ends it.
    fn any_until(&self, rule: &str, end: &str) -> String {
        match self.first_control(end) {
            Some((before, id, after)) => {
                let before = llguidance::regex_to_lark(&regex_syntax::escape(before), "");
                format!("{rule}: /(?s:.*){before}/ <[{id}]> {}", self.mark(after))
            }
            None => format!("{rule}[suffix={}]: /(?s:.*)/", quoted(end)),
        }
    }

    /// One call of one tool, without the mark that opens it.
    fn call(&self, index: usize, name: &str, parameters: &Json) -> String {
        let object = |key: &str| {
            json_rule(json!({
                "type": "object",
                "properties": {"name": {"const": name}, key: parameters},
                "required": ["name", key],
                "additionalProperties": false,
            }))
        };
        let arguments = json_rule(parameters.clone());
        let mark = |text: &str| self.mark(text);
        match self.format.calls {
            Calls::Plain | Calls::MistralList => object("arguments"),
            Calls::Llama => object("parameters"),
            Calls::Tagged => {
                format!("\"\\n\" {} \"\\n\" {}", object("arguments"), mark("</tool_call>"))
            }
            Calls::Xml | Calls::Seed => format!(
                "{} parameters{index} {} {}",
                quoted(&format!("\n<function={name}>\n")),
                quoted("</function>\n"),
                mark(if self.format.calls == Calls::Xml { "</tool_call>" } else { "</seed:tool_call>" })
            ),
            Calls::Glm => {
                format!("{} /\\n?/ parameters{index} {}", quoted(name), mark("</tool_call>"))
            }
            Calls::MiniMax => {
                format!("{} parameters{index} \"</invoke>\"", quoted(&format!("<invoke name=\"{name}\">\n")))
            }
            Calls::MiniMaxM3 => format!(
                "{} parameters{index} {}",
                mark(&format!("]<]minimax[>[<invoke name=\"{name}\">")),
                mark("]<]minimax[>[</invoke>")
            ),
            Calls::Dsml => format!(
                "{} parameters{index} {}",
                mark(&format!("<｜DSML｜invoke name=\"{name}\">\n")),
                mark("</｜DSML｜invoke>")
            ),
            Calls::Gemma => {
                format!("{} parameters{index} {}", quoted(&format!("call:{name}")), mark("<tool_call|>"))
            }
            Calls::MistralArgs => {
                format!("{} {} {arguments}", quoted(name), mark("[ARGS]"))
            }
            Calls::DeepSeek => format!(
                "{} {} {} {arguments} {}",
                mark("<｜tool▁call▁begin｜>"),
                quoted(name),
                mark("<｜tool▁sep｜>"),
                mark("<｜tool▁call▁end｜>")
            ),
            Calls::DeepSeekFenced => format!(
                "{} \"function\" {} {} {arguments} \"\\n```\" {}",
                mark("<｜tool▁call▁begin｜>"),
                mark("<｜tool▁sep｜>"),
                quoted(&format!("{name}\n```json\n")),
                mark("<｜tool▁call▁end｜>")
            ),
            Calls::Kimi => format!(
                "{} {} /[0-9]/ {} {arguments} {}",
                mark("<|tool_call_begin|>"),
                quoted(&format!("functions.{name}:")),
                mark("<|tool_call_argument_begin|>"),
                mark("<|tool_call_end|>")
            ),
            Calls::Xtml => format!(
                "{} /[0-9]{{1,2}}/ {} parameters{index} {}",
                mark(&format!("<|open|>call tool=\"{}\" index=\"", escaped(name))),
                mark("\"<|sep|>"),
                mark("<|close|>call<|sep|>")
            ),
            Calls::Harmony => format!(
                "{} {} {} \"json\" {} {arguments}",
                mark("<|channel|>"),
                quoted(&format!("commentary to=functions.{name} ")),
                mark("<|constrain|>"),
                mark("<|message|>")
            ),
        }
    }

    /// The rule of a tool's parameters in XML, in the schema's order; any at all where there is none to obey.
    fn xml_parameters(&self, index: usize, parameters: Option<&Json>, rules: &mut String) {
        let Some(parameters) = parameters else {
            let key = "/[^<>\"\\n\\/\\]\\[]+/";
            let open = self.parameter_open(key, None);
            let value = self.any_until(&format!("value{index}"), self.parameter_close());
            let _ = writeln!(
                rules,
                "parameters{index}: parameter{index}*\nparameter{index}: {open} value{index} {}\n{value}",
                self.parameter_gap(key)
            );
            return;
        };
        let none = serde_json::Map::new();
        let properties = parameters.get("properties").and_then(Json::as_object).unwrap_or(&none);
        let required: Vec<&str> = parameters
            .get("required")
            .and_then(Json::as_array)
            .into_iter()
            .flatten()
            .filter_map(Json::as_str)
            .collect();
        let mut sequence = String::new();
        for (number, (key, schema)) in properties.iter().enumerate() {
            let rule = format!("parameter{index}x{number}");
            let optional = if required.contains(&key.as_str()) { "" } else { "?" };
            let _ = write!(sequence, "{rule}{optional} ");
            let texts: Option<Vec<&str>> = schema
                .get("enum")
                .and_then(Json::as_array)
                .and_then(|list| list.iter().map(Json::as_str).collect());
            let is_text = schema.get("type").and_then(Json::as_str) == Some("string");
            let open = self.parameter_open(&quoted(key), Some(is_text || texts.is_some()));
            let (gap, close) = (self.parameter_gap(&quoted(key)), self.mark(self.parameter_close()));
            let _ = match texts {
                Some(texts) => {
                    let choice: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
                    writeln!(rules, "{rule}: {open} ({}) {close} {gap}", choice.join(" | "))
                }
                None if is_text => {
                    let text = self.any_until(&format!("{rule}text"), self.parameter_close());
                    writeln!(rules, "{rule}: {open} {rule}text {gap}\n{text}")
                }
                None => writeln!(rules, "{rule}: {open} {} {close} {gap}", json_rule(schema.clone())),
            };
        }
        // A rule may not be empty.
        let _ = writeln!(rules, "parameters{index}: {sequence}\"\"");
    }

    /// What comes before a parameter's value; `key` is written as grammars write it. `is_text`, where it is known.
    fn parameter_open(&self, key: &str, is_text: Option<bool>) -> String {
        match self.format.calls {
            Calls::Glm => {
                let [open, close, value] =
                    ["<arg_key>", "</arg_key>", "<arg_value>"].map(|text| self.mark(text));
                format!("{open} {key} {close} /\\n?/ {value}")
            }
            Calls::MiniMax => format!("{} {key} {}", quoted("<parameter name=\""), quoted("\">")),
            Calls::MiniMaxM3 => format!("{} {key} \">\"", self.mark("]<]minimax[>[<")),
            Calls::Dsml => {
                let open = self.mark("<｜DSML｜parameter name=\"");
                let kind = is_text.map_or("/true|false/".to_owned(), |is_text| quoted(&is_text.to_string()));
                format!("{open} {key} {} {kind} {}", quoted("\" string=\""), quoted("\">"))
            }
            Calls::Xtml => {
                // What it says of a value's kind is what the reader goes by.
                let kind = match is_text {
                    Some(true) => quoted("string"),
                    Some(false) => "/number|boolean|null|object|array/".to_owned(),
                    None => "/string|number|boolean|null|object|array/".to_owned(),
                };
                let open = self.mark("<|open|>argument key=\"");
                format!("{open} {key} {} {kind} {}", quoted("\" type=\""), self.mark("\"<|sep|>"))
            }
            Calls::Seed => format!("{} {key} \">\"", quoted("<parameter=")),
            _ => format!("{} {key} {}", quoted("<parameter="), quoted(">\n")),
        }
    }

    /// What ends it.
    fn parameter_close(&self) -> &'static str {
        match self.format.calls {
            Calls::Glm => "</arg_value>",
            Calls::MiniMax | Calls::Seed => "</parameter>\n",
            Calls::MiniMaxM3 => "]<]minimax[>[</",
            Calls::Dsml => "</｜DSML｜parameter>\n",
            Calls::Xtml => "<|close|>argument<|sep|>",
            _ => "\n</parameter>\n",
        }
    }

    /// What may follow that, or must.
    fn parameter_gap(&self, key: &str) -> String {
        match self.format.calls {
            Calls::Glm => "/\\n?/".to_owned(),
            Calls::MiniMaxM3 => format!("{key} \">\""),
            _ => String::new(),
        }
    }

    /// A mark as the grammar writes it: by id what is a control token, as text what is not.
    fn mark(&self, text: &str) -> String {
        let text_rule = |text: &str| if text.is_empty() { String::new() } else { quoted(text) };
        match self.first_control(text) {
            Some((before, id, after)) => format!("{} <[{id}]> {}", text_rule(before), self.mark(after)),
            None => text_rule(text),
        }
    }

    /// The first control token in a mark, with what is before it and after it.
    fn first_control<'m>(&self, text: &'m str) -> Option<(&'m str, u32, &'m str)> {
        if let Some(id) = self.control(text) {
            return Some(("", id, ""));
        }
        let found = |mark: &&'static str| Some((text.find(mark)?, mark.len(), self.control(mark)?));
        let (at, bytes, id) = self.format.marks().iter().filter_map(found).min()?;
        Some((&text[..at], id, &text[at + bytes..]))
    }

    fn control(&self, text: &str) -> Option<u32> {
        self.tokenizer.token_named(text).filter(|id| self.tokenizer.kind(*id) == TokenKind::Control)
    }
}

/// As an attribute holds it.
fn escaped(name: &str) -> String {
    name.replace('&', "&amp;").replace('"', "&quot;")
}

fn parameters_of(tool: &Json) -> Json {
    let function = tool.get("function").unwrap_or(tool);
    match function.get("parameters") {
        Some(parameters) if parameters.is_object() => parameters.clone(),
        _ => json!({"type": "object"}),
    }
}

fn json_rule(schema: Json) -> String {
    format!("%json {}", laid_out(schema))
}

/// A text in Lark's quotes, which are JSON's.
fn quoted(text: &str) -> String {
    Json::from(text).to_string()
}
