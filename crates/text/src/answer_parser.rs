//! An answer's text as it comes, parted into content, thoughts and calls of tools.

use crate::answer_format::{AnswerFormat, Calls, Thoughts};
use crate::call_object::{CallObject, Progress};
use serde_json::Value as Json;

/// A part of an answer. Pieces of one kind that follow each other belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    Content(String),
    Reasoning(String),
    /// A call begins; `id` where the model itself gave one.
    Call {
        name: String,
        id: Option<String>,
    },
    /// More of the JSON text of the last call's arguments.
    Arguments(String),
}

/// Takes text in pieces of any size and says what it is. What looks like a call and is none comes out as content: apart from
/// the marks and the white space around them, nothing is lost.
#[derive(Debug)]
pub struct AnswerParser {
    format: AnswerFormat,
    /// As the API describes them; without any, nothing is taken for a call.
    tools: Vec<Json>,
    /// Text whose meaning depends on what follows.
    input: String,
    state: State,
    /// White space of the content that is only kept if more content follows.
    blank: String,
    /// The same of the thoughts.
    blank_thought: String,
    /// Whether content or a call has come.
    begun: bool,
    has_thought: bool,
    after_call: bool,
}

#[derive(Debug)]
enum State {
    Content,
    Thoughts,
    /// After a mark that opens a call: white space, then an object, a list of objects, or XML.
    CallStart {
        open: String,
    },
    Object {
        open: String,
        object: Box<CallObject>,
    },
    /// After an object, before what closes it or the next.
    ObjectEnd,
    /// Between calls of a section.
    Section,
    /// The name, up to where the arguments begin.
    Header {
        open: String,
        head: String,
    },
    /// Up to the marks that end them.
    Arguments {
        fenced: bool,
        any: bool,
    },
    /// `<function=` has come.
    XmlName {
        open: String,
        name: String,
    },
    /// Between parameters.
    XmlBody {
        name: String,
        count: usize,
    },
    XmlParameter {
        name: String,
        count: usize,
        key: Option<String>,
        text: String,
    },
    /// Harmony: who speaks, on which channel.
    Channel {
        head: String,
    },
    Message {
        body: Body,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Body {
    Content,
    Thoughts,
    Arguments,
}

/// Where a mark is in a text.
enum Found {
    At {
        start: usize,
        mark: usize,
    },
    /// From here on it may be the beginning of one.
    Perhaps(usize),
}

impl AnswerParser {
    /// `thinking`: the prompt has opened the model's thoughts.
    pub fn new(format: AnswerFormat, tools: &[Json], thinking: bool) -> AnswerParser {
        let state = match (format.thoughts, thinking) {
            (Thoughts::Channel, _) => State::Channel { head: String::new() },
            (Thoughts::Between { .. }, true) => State::Thoughts,
            _ => State::Content,
        };
        AnswerParser {
            format,
            tools: tools.to_vec(),
            input: String::new(),
            state,
            blank: String::new(),
            blank_thought: String::new(),
            begun: false,
            has_thought: false,
            after_call: false,
        }
    }

    pub fn is_thinking(&self) -> bool {
        matches!(self.state, State::Thoughts | State::Message { body: Body::Thoughts })
    }

    /// Takes more of the answer; what became certain is appended to `parts`.
    pub fn push(&mut self, text: &str, parts: &mut Vec<Part>) {
        self.input.push_str(text);
        while self.step(false, parts) {}
    }

    /// The answer is over.
    pub fn finish(&mut self, parts: &mut Vec<Part>) {
        while self.step(true, parts) {}
        match std::mem::replace(&mut self.state, State::Content) {
            State::CallStart { open } => self.content(&open, parts),
            State::Header { open, head } => self.content(&(open + &head), parts),
            State::XmlName { open, name } => self.content(&(open + &name), parts),
            State::Object { open, object } if !object.is_announced() => {
                self.content(&(open + &object.into_raw()), parts);
            }
            State::XmlBody { .. } => parts.push(Part::Arguments("}".into())),
            State::XmlParameter { name, count, key, text } => {
                if let Some(key) = key {
                    parts.push(Part::Arguments(self.xml_argument(&name, count, &key, &text)));
                }
                parts.push(Part::Arguments("}".into()));
            }
            State::Channel { head } if !head.is_empty() && !head.starts_with("<|") => {
                self.content(&head, parts)
            }
            _ => {}
        }
        if !self.after_call && !self.blank.is_empty() && self.begun {
            parts.push(Part::Content(std::mem::take(&mut self.blank)));
        }
    }

    /// Decides about some of the input; false when it needs more. `done`: no more comes.
    fn step(&mut self, done: bool, parts: &mut Vec<Part>) -> bool {
        if self.input.is_empty() {
            return false;
        }
        match std::mem::replace(&mut self.state, State::Content) {
            State::Content => self.step_content(done, parts),
            State::Thoughts => self.step_thoughts(done, parts),
            State::CallStart { open } => self.step_call_start(open, done, parts),
            State::Object { open, object } => self.step_object(open, object, parts),
            State::ObjectEnd => self.step_object_end(done),
            State::Section => self.step_section(done, parts),
            State::Header { open, head } => self.step_header(open, head, done, parts),
            State::Arguments { fenced, any } => self.step_arguments(fenced, any, done, parts),
            State::XmlName { open, name } => self.step_xml_name(open, name, parts),
            State::XmlBody { name, count } => self.step_xml_body(name, count, done, parts),
            State::XmlParameter { name, count, key, text } => {
                self.step_xml_parameter(name, count, key, text, done, parts)
            }
            State::Channel { head } => self.step_channel(head, done, parts),
            State::Message { body } => self.step_message(body, done, parts),
        }
    }

    fn step_content(&mut self, done: bool, parts: &mut Vec<Part>) -> bool {
        let calls = !self.tools.is_empty();
        if !self.begun {
            let text = self.input.trim_start();
            let blank = self.input.len() - text.len();
            if text.is_empty() {
                if done {
                    self.blank.push_str(&std::mem::take(&mut self.input));
                }
                return false;
            }
            if let Thoughts::Between { open, .. } = self.format.thoughts
                && !self.has_thought
            {
                if text.starts_with(open) {
                    self.input.drain(..blank + open.len());
                    self.state = State::Thoughts;
                    return true;
                }
                if open.starts_with(text) && !done {
                    return false;
                }
            }
            // An object or a fence at the very beginning may be a call.
            if calls && matches!(self.format.calls, Calls::Plain | Calls::Llama) {
                const FENCE: &str = "```json";
                if text.starts_with('{') || text.starts_with(FENCE) {
                    let open = if text.starts_with('{') { blank } else { blank + FENCE.len() };
                    let open: String = self.input.drain(..open).collect();
                    self.begun = true;
                    self.state = State::CallStart { open };
                    return true;
                }
                if FENCE.starts_with(text) && !done {
                    return false;
                }
            }
        }
        let marks: &[&str] = match self.format.calls {
            _ if !calls => &[],
            Calls::Plain | Calls::Harmony => &[],
            Calls::Tagged => &["<tool_call>"],
            Calls::Xml => &["<tool_call>", "<function="],
            Calls::Llama => &["<|python_tag|>"],
            Calls::MistralList | Calls::MistralArgs => &["[TOOL_CALLS]"],
            Calls::DeepSeekFenced | Calls::DeepSeek => &["<｜tool▁calls▁begin｜>"],
            Calls::Kimi => &["<|tool_calls_section_begin|>"],
        };
        match find(&self.input, marks, done) {
            Found::Perhaps(end) => {
                let text: String = self.input.drain(..end).collect();
                self.content(&text, parts);
                false
            }
            Found::At { start, mark } => {
                let text: String = self.input.drain(..start).collect();
                self.content(&text, parts);
                let open: String = self.input.drain(..marks[mark].len()).collect();
                self.begun = true;
                self.state = match self.format.calls {
                    Calls::DeepSeekFenced | Calls::DeepSeek | Calls::Kimi => State::Section,
                    Calls::Xml if open == "<function=" => State::XmlName { open, name: String::new() },
                    _ => State::CallStart { open },
                };
                true
            }
        }
    }

    fn step_thoughts(&mut self, done: bool, parts: &mut Vec<Part>) -> bool {
        let Thoughts::Between { close, .. } = self.format.thoughts else { return false };
        // A model that forgets to end its thoughts still calls tools.
        let found = find(&self.input, &[close], done);
        let (end, closed) = match found {
            Found::At { start, .. } => (start, true),
            Found::Perhaps(end) => (end, false),
        };
        let text: String = self.input.drain(..end).collect();
        self.thought(&text, parts);
        if closed {
            self.input.drain(..close.len());
            self.has_thought = true;
            self.blank_thought.clear();
        } else {
            self.state = State::Thoughts;
        }
        closed
    }

    /// White space, then whatever the format has.
    fn step_call_start(&mut self, mut open: String, done: bool, parts: &mut Vec<Part>) -> bool {
        let blank = self.input.len() - self.input.trim_start().len();
        open.extend(self.input.drain(..blank));
        let Some(first) = self.input.chars().next() else {
            self.state = State::CallStart { open };
            return false;
        };
        const FUNCTION: &str = "<function=";
        match (self.format.calls, first) {
            (Calls::MistralList | Calls::MistralArgs, '[') if open.trim_end().ends_with("[TOOL_CALLS]") => {
                open.push(self.input.remove(0));
                self.state = State::CallStart { open };
            }
            (_, '{') => self.state = State::Object { open, object: Box::default() },
            (Calls::MistralList | Calls::MistralArgs, c) if c.is_alphanumeric() || c == '_' => {
                self.state = State::Header { open, head: String::new() };
            }
            (Calls::Tagged | Calls::Xml, '<') if self.input.starts_with(FUNCTION) => {
                open.extend(self.input.drain(..FUNCTION.len()));
                self.state = State::XmlName { open, name: String::new() };
            }
            (Calls::Tagged | Calls::Xml, '<') if FUNCTION.starts_with(&self.input) && !done => {
                self.state = State::CallStart { open };
                return false;
            }
            _ => self.content(&open, parts),
        }
        true
    }

    fn step_object(&mut self, open: String, mut object: Box<CallObject>, parts: &mut Vec<Part>) -> bool {
        // Without a mark before it, an object is a call only if it names a tool.
        let bare =
            matches!(self.format.calls, Calls::Plain | Calls::Llama) && !open.contains("<|python_tag|>");
        let tools = &self.tools;
        let is_tool = |name: &str| !bare || tools.iter().any(|tool| name_of(tool) == Some(name));
        let first = parts.len();
        let mut rest = self.input.char_indices();
        let progress = loop {
            match rest.next().map(|(_, c)| object.push(c, &is_tool, parts)) {
                None => break Progress::Going,
                Some(Progress::Going) => {}
                Some(end) => break end,
            }
        };
        let taken = self.input.len() - rest.as_str().len();
        let taken: String = self.input.drain(..taken).collect();
        if parts[first..].iter().any(|part| matches!(part, Part::Call { .. })) {
            self.call_began();
        }
        match progress {
            Progress::Going => self.state = State::Object { open, object },
            Progress::Closed => self.state = State::ObjectEnd,
            Progress::Broken if object.is_announced() => {
                // Too late to take the call back: what remains is shown as it is.
                let last = taken.chars().next_back().map(String::from).unwrap_or_default();
                parts.push(Part::Arguments(last));
            }
            Progress::Broken => self.content(&(open + &object.into_raw()), parts),
        }
        true
    }

    /// What may stand between or behind objects is dropped; anything else is content again.
    fn step_object_end(&mut self, done: bool) -> bool {
        let closers: &[&str] = match self.format.calls {
            Calls::Tagged | Calls::Xml => &["</tool_call>"],
            Calls::Plain => &["```"],
            Calls::Llama => &["```", ";", "<|python_tag|>"],
            Calls::MistralList | Calls::MistralArgs => &["]", ","],
            _ => &[],
        };
        let text = self.input.trim_start();
        if text.is_empty() {
            self.input.clear();
            self.state = State::ObjectEnd;
            return false;
        }
        if let Some(closer) = closers.iter().find(|closer| text.starts_with(**closer)) {
            let taken = self.input.len() - text.len() + closer.len();
            self.input.drain(..taken);
            self.state = match *closer {
                "," | ";" | "<|python_tag|>" => State::CallStart { open: String::new() },
                "```" | "]" => State::ObjectEnd,
                _ => State::Content,
            };
            return true;
        }
        if closers.iter().any(|closer| closer.starts_with(text)) && !done {
            self.state = State::ObjectEnd;
            return false;
        }
        self.state = State::Content;
        true
    }

    fn step_section(&mut self, done: bool, parts: &mut Vec<Part>) -> bool {
        let marks: &[&str] = match self.format.calls {
            Calls::Kimi => &["<|tool_call_begin|>", "<|tool_calls_section_end|>"],
            _ => &["<｜tool▁call▁begin｜>", "<｜tool▁calls▁end｜>"],
        };
        match find(&self.input, marks, done) {
            Found::Perhaps(end) => {
                let text: String = self.input.drain(..end).collect();
                self.between_calls(&text, parts);
                self.state = State::Section;
                false
            }
            Found::At { start, mark } => {
                let text: String = self.input.drain(..start).collect();
                self.between_calls(&text, parts);
                let open: String = self.input.drain(..marks[mark].len()).collect();
                if mark == 0 {
                    self.state = State::Header { open, head: String::new() };
                }
                true
            }
        }
    }

    /// Layout is dropped, words are not.
    fn between_calls(&mut self, text: &str, parts: &mut Vec<Part>) {
        if !text.trim().is_empty() {
            self.content(text, parts);
        }
    }

    fn step_header(&mut self, open: String, mut head: String, done: bool, parts: &mut Vec<Part>) -> bool {
        let marks: &[&str] = match self.format.calls {
            Calls::Kimi => &["<|tool_call_argument_begin|>", "<|tool_call_end|>"],
            Calls::MistralList | Calls::MistralArgs => &["[ARGS]", "{", "[CALL_ID]", "[TOOL_CALLS]"],
            _ if head.is_empty() => &["<｜tool▁sep｜>", "<｜tool▁call▁end｜>"],
            // The name is on the line after `function<｜tool▁sep｜>`.
            _ => &["\n", "<｜tool▁call▁end｜>"],
        };
        let (start, mark) = match find(&self.input, marks, done) {
            Found::Perhaps(_) => {
                // A header is short: it is kept until it is whole.
                let whole = done || self.input.len() > HEADER_BYTES_MAX;
                if whole {
                    let text = open + &head + &std::mem::take(&mut self.input);
                    self.content(&text, parts);
                } else {
                    self.state = State::Header { open, head };
                }
                return whole;
            }
            Found::At { start, mark } => (start, marks[mark]),
        };
        let text: String = self.input.drain(..start).collect();
        match mark {
            "{" => {}
            _ => drop(self.input.drain(..mark.len())),
        }
        if mark == "<｜tool▁sep｜>" && text.trim() == "function" {
            head.push_str("function");
            self.state = State::Header { open: open + &text + mark, head };
            return true;
        }
        if mark == "[CALL_ID]" {
            // The id is dropped; `[ARGS]` follows it.
            if let Found::At { start, .. } = find(&self.input, &["[ARGS]"], true) {
                self.input.drain(..start);
                self.input.insert_str(0, &text);
                self.state = State::Header { open, head };
                return true;
            }
            self.input.insert_str(0, &(text + mark));
            self.state = State::Header { open, head };
            return false;
        }
        let ended = matches!(mark, "<|tool_call_end|>" | "<｜tool▁call▁end｜>" | "[TOOL_CALLS]");
        let name = text.trim();
        if name.is_empty() || ended {
            self.content(&(open + &head + &text), parts);
            if mark == "[TOOL_CALLS]" {
                self.input.insert_str(0, mark);
            } else if ended {
                self.state = State::Section;
            }
            return true;
        }
        let (name, id) = match self.format.calls {
            Calls::Kimi => (kimi_name(name), Some(name.to_owned())),
            _ => (name, None),
        };
        parts.push(Part::Call { name: name.to_owned(), id });
        self.call_began();
        self.state = State::Arguments { fenced: mark == "\n", any: false };
        true
    }

    fn step_arguments(&mut self, fenced: bool, any: bool, done: bool, parts: &mut Vec<Part>) -> bool {
        if fenced && !any {
            const FENCE: &str = "```json\n";
            if FENCE.starts_with(&self.input) && self.input != FENCE && !done {
                self.state = State::Arguments { fenced, any };
                return false;
            }
            if self.input.starts_with(FENCE) {
                self.input.drain(..FENCE.len());
            }
            self.state = State::Arguments { fenced, any: true };
            return true;
        }
        let marks: &[&str] = match self.format.calls {
            Calls::Kimi => &["<|tool_call_end|>", "<|tool_calls_section_end|>"],
            Calls::MistralList | Calls::MistralArgs => &["[TOOL_CALLS]"],
            _ if fenced => &["\n```<｜tool▁call▁end｜>", "```<｜tool▁call▁end｜>", "<｜tool▁call▁end｜>"],
            _ => &["<｜tool▁call▁end｜>", "<｜tool▁calls▁end｜>"],
        };
        let found = find(&self.input, marks, done);
        let (end, ended) = match found {
            Found::At { start, mark } => (start, Some(marks[mark])),
            Found::Perhaps(end) => (end, None),
        };
        let text: String = self.input.drain(..end).collect();
        let any = any || !text.is_empty();
        if !text.is_empty() {
            parts.push(Part::Arguments(text));
        }
        match ended {
            None => {
                self.state = State::Arguments { fenced, any };
                false
            }
            Some(mark) => {
                if !any {
                    parts.push(Part::Arguments("{}".into()));
                }
                match mark {
                    // These also end what is around them.
                    "[TOOL_CALLS]" | "<|tool_calls_section_end|>" | "<｜tool▁calls▁end｜>" => {}
                    _ => drop(self.input.drain(..mark.len())),
                }
                if mark != "[TOOL_CALLS]" {
                    self.state = State::Section;
                }
                true
            }
        }
    }

    fn step_xml_name(&mut self, open: String, mut name: String, parts: &mut Vec<Part>) -> bool {
        match self.input.find(['>', '<', '\n']) {
            Some(end) if self.input[end..].starts_with('>') => {
                name.extend(self.input.drain(..=end));
                name.pop();
                parts.push(Part::Call { name: name.clone(), id: None });
                parts.push(Part::Arguments("{".into()));
                self.call_began();
                self.state = State::XmlBody { name, count: 0 };
                true
            }
            Some(_) => {
                self.content(&(open + &name), parts);
                true
            }
            None => {
                name.push_str(&std::mem::take(&mut self.input));
                self.state = State::XmlName { open, name };
                false
            }
        }
    }

    fn step_xml_body(&mut self, name: String, count: usize, done: bool, parts: &mut Vec<Part>) -> bool {
        let marks = ["<parameter=", "</function>", "</tool_call>"];
        match find(&self.input, &marks, done) {
            Found::Perhaps(end) => {
                self.input.drain(..end);
                self.state = State::XmlBody { name, count };
                false
            }
            Found::At { start, mark } => {
                self.input.drain(..start + marks[mark].len());
                self.state = match mark {
                    0 => State::XmlParameter { name, count, key: None, text: String::new() },
                    _ => {
                        parts.push(Part::Arguments("}".into()));
                        if mark == 1 { State::ObjectEnd } else { State::Content }
                    }
                };
                true
            }
        }
    }

    fn step_xml_parameter(
        &mut self,
        name: String,
        count: usize,
        key: Option<String>,
        mut text: String,
        done: bool,
        parts: &mut Vec<Part>,
    ) -> bool {
        let Some(key) = key else {
            return match self.input.find('>') {
                Some(end) => {
                    text.extend(self.input.drain(..=end));
                    text.pop();
                    self.state = State::XmlParameter { name, count, key: Some(text), text: String::new() };
                    true
                }
                None => {
                    text.push_str(&std::mem::take(&mut self.input));
                    self.state = State::XmlParameter { name, count, key: None, text };
                    false
                }
            };
        };
        // Some forget to close a parameter before the next.
        let marks = ["</parameter>", "<parameter=", "</function>"];
        match find(&self.input, &marks, done) {
            Found::Perhaps(end) => {
                text.extend(self.input.drain(..end));
                self.state = State::XmlParameter { name, count, key: Some(key), text };
                false
            }
            Found::At { start, mark } => {
                text.extend(self.input.drain(..start));
                if mark == 0 {
                    self.input.drain(..marks[0].len());
                }
                parts.push(Part::Arguments(self.xml_argument(&name, count, &key, &text)));
                self.state = State::XmlBody { name, count: count + 1 };
                true
            }
        }
    }

    /// `"key": value`, as the tool's schema has it.
    fn xml_argument(&self, name: &str, count: usize, key: &str, text: &str) -> String {
        let text = text.strip_prefix('\n').unwrap_or(text);
        let text = text.strip_suffix('\n').unwrap_or(text);
        let tool = self.tools.iter().find(|tool| name_of(tool) == Some(name));
        let kind = tool
            .and_then(|tool| function_of(tool).pointer("/parameters/properties")?.get(key)?.get("type"))
            .and_then(Json::as_str);
        let value = match kind {
            Some("string") => None,
            _ => serde_json::from_str::<Json>(text.trim()).ok(),
        };
        let value = value.unwrap_or_else(|| text.into());
        let comma = if count > 0 { ", " } else { "" };
        format!("{comma}{}: {value}", Json::from(key))
    }

    /// Harmony: `<|channel|>name to=functions.tool<|constrain|>json<|message|>`.
    fn step_channel(&mut self, mut head: String, done: bool, parts: &mut Vec<Part>) -> bool {
        let found = find(&self.input, &["<|message|>"], done);
        let Found::At { start, .. } = found else {
            if done || self.input.len() + head.len() > HEADER_BYTES_MAX {
                head.push_str(&std::mem::take(&mut self.input));
                self.state = State::Channel { head: String::new() };
                if !head.trim().is_empty() && !head.contains("<|channel|>") && !head.contains("<|start|>") {
                    self.content(&head, parts);
                }
                return false;
            }
            self.state = State::Channel { head };
            return false;
        };
        head.extend(self.input.drain(..start));
        self.input.drain(.."<|message|>".len());
        let recipient = head.split("to=").nth(1).map(|rest| {
            let end = rest.find(|c: char| c.is_whitespace() || c == '<').unwrap_or(rest.len());
            rest[..end].to_owned()
        });
        let channel = head.split("<|channel|>").nth(1).map(str::trim_start).unwrap_or_default();
        let body = match recipient {
            Some(name) if !self.tools.is_empty() => {
                let name = name.strip_prefix("functions.").unwrap_or(&name).to_owned();
                parts.push(Part::Call { name, id: None });
                self.call_began();
                self.begun = true;
                Body::Arguments
            }
            _ if channel.starts_with("analysis") => Body::Thoughts,
            _ => Body::Content,
        };
        self.state = State::Message { body };
        true
    }

    fn step_message(&mut self, body: Body, done: bool, parts: &mut Vec<Part>) -> bool {
        let marks = ["<|end|>", "<|call|>", "<|return|>", "<|start|>", "<|channel|>"];
        let (end, ended) = match find(&self.input, &marks, done) {
            Found::At { start, mark } => (start, Some(mark)),
            Found::Perhaps(end) => (end, None),
        };
        let text: String = self.input.drain(..end).collect();
        match body {
            _ if text.is_empty() => {}
            Body::Content => self.content(&text, parts),
            Body::Thoughts => self.thought(&text, parts),
            Body::Arguments => parts.push(Part::Arguments(text)),
        }
        match ended {
            None => {
                self.state = State::Message { body };
                false
            }
            Some(mark) => {
                if mark < 3 {
                    self.input.drain(..marks[mark].len());
                }
                self.blank_thought.clear();
                self.state = State::Channel { head: String::new() };
                true
            }
        }
    }

    fn call_began(&mut self) {
        self.blank.clear();
        self.begun = true;
        self.after_call = true;
    }

    /// White space at the end is kept back until more follows; at the beginning and after calls it is layout.
    fn content(&mut self, text: &str, parts: &mut Vec<Part>) {
        let kept = text.trim_end().len();
        if kept > 0 {
            let mut said = if self.after_call { String::new() } else { std::mem::take(&mut self.blank) };
            let text = &text[..kept];
            said.push_str(if self.after_call { text.trim_start() } else { text });
            if !self.begun && self.has_thought {
                said = said.trim_start().to_owned();
            }
            self.blank.clear();
            self.begun = true;
            self.after_call = false;
            parts.push(Part::Content(said));
        }
        self.blank.push_str(&text[kept..]);
    }

    fn thought(&mut self, text: &str, parts: &mut Vec<Part>) {
        let kept = text.trim_end().len();
        if kept > 0 {
            let mut thought = std::mem::take(&mut self.blank_thought);
            thought.push_str(&text[..kept]);
            if !self.has_thought {
                thought = thought.trim_start().to_owned();
            }
            self.has_thought = true;
            parts.push(Part::Reasoning(thought));
        }
        self.blank_thought.push_str(&text[kept..]);
    }
}

/// Longer than any name of a tool.
const HEADER_BYTES_MAX: usize = 1024;

/// The first of the marks in `text`, or from where on one may have begun.
fn find(text: &str, marks: &[&str], done: bool) -> Found {
    let first = marks.iter().enumerate().filter_map(|(index, mark)| Some((text.find(mark)?, index))).min();
    if let Some((start, mark)) = first {
        return Found::At { start, mark };
    }
    if done {
        return Found::Perhaps(text.len());
    }
    let longest = marks.iter().map(|mark| mark.len()).max().unwrap_or(1) - 1;
    let mut from = text.len().saturating_sub(longest);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let begins = |at: &usize| marks.iter().any(|mark| mark.starts_with(&text[*at..]));
    let starts = text[from..].char_indices().map(|(at, _)| from + at);
    Found::Perhaps(starts.into_iter().find(begins).unwrap_or(text.len()))
}

fn function_of(tool: &Json) -> &Json {
    tool.get("function").unwrap_or(tool)
}

pub(crate) fn name_of(tool: &Json) -> Option<&str> {
    function_of(tool).get("name")?.as_str()
}

/// `functions.name:0` names `name`.
fn kimi_name(id: &str) -> &str {
    let name = id.strip_prefix("functions.").unwrap_or(id);
    match name.rsplit_once(':') {
        Some((name, index)) if index.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => name,
    }
}
