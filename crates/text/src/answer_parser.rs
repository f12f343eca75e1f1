//! An answer's text as it comes, parted into content, thoughts and calls of tools.

mod bare;
mod elements;
mod harmony;
mod objects;
mod sections;
mod xml;

use crate::answer_format::{AnswerFormat, Calls, Thoughts};
use crate::call_object::CallObject;
use bare::BareObject;
pub(crate) use bare::QUOTE;
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
    /// From the brace that opens them, in Gemma's own notation.
    BareArguments(Box<BareObject>),
    /// What begins a call has come.
    XmlName {
        open: String,
        name: String,
    },
    /// A call's arguments as elements within each other, up to its end.
    Elements {
        name: String,
        text: String,
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
            State::Elements { name, text } => parts.push(Part::Arguments(self.elements(&name, &text))),
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
            State::BareArguments(object) => self.step_bare_arguments(object, done, parts),
            State::XmlName { open, name } => self.step_xml_name(open, name, parts),
            State::Elements { name, text } => self.step_elements(name, text, done, parts),
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
            if let Thoughts::Between { open, close } = self.format.thoughts
                && !self.has_thought
            {
                if text.starts_with(open) {
                    self.input.drain(..blank + open.len());
                    self.state = State::Thoughts;
                    return true;
                }
                // MiniMax M3 begins so where it has none.
                if text.starts_with(close) && self.format.calls == Calls::MiniMaxM3 {
                    self.input.drain(..blank + close.len());
                    self.has_thought = true;
                    return true;
                }
                let perhaps = |mark: &str| mark.starts_with(text);
                if (perhaps(open) || perhaps(close) && self.format.calls == Calls::MiniMaxM3) && !done {
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
            Calls::Glm => &["<tool_call>"],
            Calls::MiniMax => &["<minimax:tool_call>"],
            Calls::MiniMaxM3 => &["]<]minimax[>[<tool_call>"],
            Calls::Dsml => &["<｜DSML｜function_calls>"],
            Calls::Seed => &["<seed:tool_call>"],
            Calls::Gemma => &["<|tool_call>"],
            Calls::Llama => &["<|python_tag|>"],
            Calls::MistralList | Calls::MistralArgs => &["[TOOL_CALLS]"],
            Calls::DeepSeekFenced | Calls::DeepSeek => &["<｜tool▁calls▁begin｜>"],
            Calls::Kimi => &["<|tool_calls_section_begin|>"],
            Calls::Xtml => &["<|open|>tools<|sep|>"],
        };
        let layout = self.format.layout();
        let marks: Vec<&str> = marks.iter().chain(layout).copied().collect();
        match find(&self.input, &marks, done) {
            Found::Perhaps(end) => {
                let text: String = self.input.drain(..end).collect();
                self.content(&text, parts);
                false
            }
            Found::At { start, mark } => {
                let text: String = self.input.drain(..start).collect();
                self.content(&text, parts);
                let open: String = self.input.drain(..marks[mark].len()).collect();
                if layout.contains(&open.as_str()) {
                    return true;
                }
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
