//! Conversations to prompts, by the Jinja template that comes with a model.

use crate::control_guard::{MarkSet, segments};
use crate::message::{CallStyle, message_json};
use crate::python_json::{JsonStyle, dump};
use crate::strftime::strftime;
use crate::tokenizer::{Segment, Tokenizer};
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Kwargs, Serde};
use minijinja::{Environment, Error, ErrorKind, Value};
use serde_json::{Map, Value as Json};
use std::borrow::Cow;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};
use tandem_dialogue::{Message, Role, ToolCall};

/// A chat template, parsed once. What `transformers` offers templates is there: `raise_exception`, `strftime_now`,
/// Python's methods of strings and dicts, its `tojson`, `break` and `continue`, `{% generation %}`.
#[derive(Debug)]
pub struct ChatTemplate {
    environment: Environment<'static>,
    source: String,
    bos: Option<String>,
    eos: Option<String>,
    call_style: OnceLock<CallStyle>,
}

/// What a prompt is made of.
#[derive(Clone, Debug, Default)]
pub struct ChatRequest<'a> {
    pub messages: &'a [Message],
    /// Tools as JSON schema objects, the way OpenAI's API describes them.
    pub tools: &'a [Json],
    /// Ends the prompt with what makes the model answer.
    pub add_generation_prompt: bool,
    /// Further variables, such as `enable_thinking`.
    pub extra: Map<String, Json>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChatTemplateError {
    #[error("the chat template cannot be parsed, line {line}: {what}")]
    Syntax { line: usize, what: String },
    #[error("the chat template refuses this conversation: {0}")]
    Refused(String),
    #[error("the chat template failed, line {line}: {what}")]
    Failed { line: usize, what: String },
    #[error("the chat template did not finish within {0} steps; it may loop for ever")]
    TooManySteps(u64),
    #[error("the chat template made more than {0} bytes of text")]
    TooLong(usize),
    #[error("the conversation uses all 32 code points from U+FDD0 to U+FDEF, which are reserved; remove one")]
    NoFreeMark,
}

/// Used when a model has no template: ChatML, which most chat models have seen.
pub const FALLBACK_TEMPLATE: &str = "\
{%- for message in messages -%}
{{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' -}}
{%- endfor -%}
{%- if add_generation_prompt -%}
{{- '<|im_start|>assistant\\n' -}}
{%- endif -%}";

const NAME: &str = "chat template";
/// Instructions a template may run. Long conversations take some ten thousand.
const STEPS_MAX: u64 = 5_000_000;
/// Text a template may produce.
const OUTPUT_BYTES_MAX: usize = 256 << 20;
/// Marks the message of an error as raised by the template itself.
const RAISED: &str = "raised by the template: ";

impl ChatTemplate {
    /// `bos` and `eos` are the texts of those tokens, where the model has them.
    pub fn new(
        source: &str,
        bos: Option<&str>,
        eos: Option<&str>,
    ) -> Result<ChatTemplate, ChatTemplateError> {
        let mut environment = Environment::new();
        let syntax =
            SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build().map_err(error_of)?;
        environment.set_syntax(syntax);
        environment.set_fuel(Some(STEPS_MAX));
        environment.set_auto_escape_callback(|_| minijinja::AutoEscape::None);
        environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
        environment.add_filter("tojson", to_json);
        // In Python nothing can be iterated over `None`.
        environment.add_test("iterable", |value: &Value| !value.is_none() && value.try_iter().is_ok());
        environment.add_function("raise_exception", |message: String| -> Result<Value, Error> {
            Err(Error::new(ErrorKind::InvalidOperation, format!("{RAISED}{message}")))
        });
        let mut template = ChatTemplate {
            environment,
            source: source.to_owned(),
            bos: bos.map(str::to_owned),
            eos: eos.map(str::to_owned),
            call_style: OnceLock::new(),
        };
        let source = without_generation_tags(source);
        template.environment.add_template_owned(NAME, source.into_owned()).map_err(error_of)?;
        Ok(template.with_clock(|| {
            let since = SystemTime::now().duration_since(UNIX_EPOCH);
            since.map_or(0, |since| since.as_secs() as i64)
        }))
    }

    /// For a model's tokenizer; without a `source`, the [`FALLBACK_TEMPLATE`].
    pub fn for_tokenizer(
        source: Option<&str>,
        tokenizer: &Tokenizer,
    ) -> Result<ChatTemplate, ChatTemplateError> {
        let text = |id: Option<u32>| Some(String::from_utf8_lossy(&tokenizer.piece(id?)).into_owned());
        let (bos, eos) = (text(tokenizer.bos()), text(tokenizer.eos()));
        ChatTemplate::new(source.unwrap_or(FALLBACK_TEMPLATE), bos.as_deref(), eos.as_deref())
    }

    /// Sets what time `strftime_now` tells, in seconds since 1970.
    pub fn with_clock(mut self, unix_s: impl Fn() -> i64 + Send + Sync + 'static) -> ChatTemplate {
        let strftime_now = move |format: String| strftime(&format, unix_s());
        self.environment.add_function("strftime_now", strftime_now);
        self
    }

    pub fn source(&self) -> &str {
        &self.source
    }

    /// The prompt as text. To tokenise it use [`ChatTemplate::render_segments`], which keeps users from writing
    /// control tokens.
    pub fn render(&self, request: &ChatRequest) -> Result<String, ChatTemplateError> {
        self.render_context(self.context(request))
    }

    /// The prompt for [`Tokenizer::encode_segments`]: the same text, in stretches that say where control tokens may be.
    pub fn render_segments(
        &self,
        request: &ChatRequest,
        tokenizer: &Tokenizer,
    ) -> Result<Vec<Segment>, ChatTemplateError> {
        let mut context = self.context(request);
        let guard = tokenizer.control_guard();
        let mut taken = MarkSet::of(&self.source);
        visit_strings(&context, &mut |text| taken.add(text));
        let mark = taken.free().ok_or(ChatTemplateError::NoFreeMark)?;
        // BOS and EOS are the model's own and come after: they stay as they are.
        map_strings(&mut context, &|text| guard.mark(text, mark));
        let rendered = self.render_context(context)?;
        Ok(segments(&rendered, mark))
    }

    /// What users had a say in.
    fn context(&self, request: &ChatRequest) -> Json {
        let mut context = request.extra.clone();
        let calls = request.messages.iter().any(|message| !message.tool_calls.is_empty());
        let style = if calls { self.call_style() } else { CallStyle::ALL[0] };
        let messages: Vec<Json> =
            request.messages.iter().map(|message| message_json(message, style)).collect();
        let tools = if request.tools.is_empty() { Json::Null } else { request.tools.into() };
        context.insert("messages".into(), messages.into());
        context.insert("tools".into(), tools);
        context.entry("documents").or_insert(Json::Null);
        context.insert("add_generation_prompt".into(), request.add_generation_prompt.into());
        Json::Object(context)
    }

    /// The first way of telling of a call that the template understands.
    fn call_style(&self) -> CallStyle {
        *self.call_style.get_or_init(|| {
            const NEEDLE: &str = "needle-7391";
            let call = ToolCall {
                id: Some("abcdefghi".into()),
                name: "probe".into(),
                arguments: serde_json::json!({"place": NEEDLE}),
            };
            let asked = Message::new(Role::User, "?");
            let calling = Message { tool_calls: vec![call], ..Message::new(Role::Assistant, "") };
            let understood = |style: &CallStyle| {
                let messages: Vec<Json> =
                    [&asked, &calling].map(|message| message_json(message, *style)).into();
                let context = serde_json::json!({
                    "messages": messages, "tools": null, "documents": null, "add_generation_prompt": false,
                });
                let text = self.render_context(context).unwrap_or_default();
                // Not as a string within a string.
                text.contains(NEEDLE) && !text.contains(&format!("\\\"{NEEDLE}"))
            };
            // One that shows no calls at all is shown a text, which every template takes.
            CallStyle::ALL.into_iter().find(|style| understood(style)).unwrap_or(CallStyle::ALL[1])
        })
    }

    fn render_context(&self, mut context: Json) -> Result<String, ChatTemplateError> {
        for (name, text) in [("bos_token", &self.bos), ("eos_token", &self.eos)] {
            if let (Some(text), Json::Object(context)) = (text, &mut context) {
                context.insert(name.into(), text.as_str().into());
            }
        }
        let template = self.environment.get_template(NAME).map_err(error_of)?;
        let mut out = BoundedOutput::default();
        let done = template.render_captured_to(Value::from(Serde(context)), &mut out);
        if out.overflowed {
            return Err(ChatTemplateError::TooLong(OUTPUT_BYTES_MAX));
        }
        done.map_err(error_of)?;
        Ok(String::from_utf8_lossy(&out.bytes).into_owned())
    }
}

/// Takes text up to a limit.
#[derive(Default)]
struct BoundedOutput {
    bytes: Vec<u8>,
    overflowed: bool,
}

impl std::io::Write for BoundedOutput {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.bytes.len() + bytes.len() > OUTPUT_BYTES_MAX {
            self.overflowed = true;
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn error_of(error: Error) -> ChatTemplateError {
    let mut source: Option<&dyn std::error::Error> = Some(&error);
    while let Some(cause) = source {
        if let Some(error) = cause.downcast_ref::<Error>() {
            if let Some(message) = error.detail().and_then(|detail| detail.strip_prefix(RAISED)) {
                return ChatTemplateError::Refused(message.to_owned());
            }
            if error.kind() == ErrorKind::OutOfFuel {
                return ChatTemplateError::TooManySteps(STEPS_MAX);
            }
        }
        source = cause.source();
    }
    let line = error.line().unwrap_or(0);
    let what = match error.detail() {
        Some(detail) => format!("{}: {detail}", error.kind()),
        None => error.kind().to_string(),
    };
    match error.kind() {
        ErrorKind::SyntaxError | ErrorKind::InvalidDelimiter => ChatTemplateError::Syntax { line, what },
        _ => ChatTemplateError::Failed { line, what },
    }
}

/// `tojson(ensure_ascii=False, indent=None, separators=None, sort_keys=False)`, as `transformers` has it.
fn to_json(value: Value, options: Kwargs) -> Result<Value, Error> {
    let indent: Option<Value> = options.get("indent")?;
    let indent = match indent.filter(|indent| !indent.is_none()) {
        None => None,
        Some(indent) => match (indent.as_str(), indent.as_usize()) {
            (Some(text), _) => Some(text.to_owned()),
            (None, Some(width)) => Some(" ".repeat(width.min(64))),
            (None, None) => {
                return Err(Error::new(ErrorKind::InvalidOperation, "tojson: indent is no number"));
            }
        },
    };
    let separators: Option<Vec<String>> = options.get("separators")?;
    let (item_separator, key_separator) = match separators.as_deref() {
        None if indent.is_some() => (",".to_owned(), ": ".to_owned()),
        None => (", ".to_owned(), ": ".to_owned()),
        Some([item, key]) => (item.clone(), key.clone()),
        Some(_) => return Err(Error::new(ErrorKind::InvalidOperation, "tojson: separators is no pair")),
    };
    let style = JsonStyle {
        indent,
        item_separator,
        key_separator,
        sort_keys: options.get::<Option<bool>>("sort_keys")?.unwrap_or(false),
        ascii: options.get::<Option<bool>>("ensure_ascii")?.unwrap_or(false),
    };
    options.assert_all_used()?;
    dump(&value, &style).map(Value::from)
}

/// `{% generation %}` marks the assistant's words for training. Here it is a block like any other.
fn without_generation_tags(source: &str) -> Cow<'_, str> {
    if !source.contains("generation") {
        return Cow::Borrowed(source);
    }
    let mut replaced = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(open) = rest.find("{%") {
        replaced.push_str(&rest[..open]);
        let tag = &rest[open..];
        let Some(close) = tag.find("%}") else {
            rest = tag;
            break;
        };
        let inner = &tag[2..close];
        let name = inner.trim_matches(|c: char| c.is_whitespace() || c == '-' || c == '+');
        let block = match name {
            "generation" => Some("if true"),
            "endgeneration" => Some("endif"),
            _ => None,
        };
        match block {
            Some(block) => replaced.push_str(&tag[..close + 2].replacen(name, block, 1)),
            None => replaced.push_str(&tag[..close + 2]),
        }
        rest = &tag[close + 2..];
    }
    replaced.push_str(rest);
    Cow::Owned(replaced)
}

fn visit_strings(json: &Json, visit: &mut dyn FnMut(&str)) {
    match json {
        Json::String(text) => visit(text),
        Json::Array(items) => items.iter().for_each(|item| visit_strings(item, visit)),
        Json::Object(entries) => entries.iter().for_each(|(key, value)| {
            visit(key);
            visit_strings(value, visit);
        }),
        _ => {}
    }
}

fn map_strings(json: &mut Json, map: &dyn Fn(&str) -> Cow<'_, str>) {
    match json {
        Json::String(text) => {
            if let Cow::Owned(changed) = map(text) {
                *text = changed;
            }
        }
        Json::Array(items) => items.iter_mut().for_each(|item| map_strings(item, map)),
        Json::Object(entries) => {
            let before = std::mem::take(entries);
            for (key, mut value) in before {
                map_strings(&mut value, map);
                let key = map(&key).into_owned();
                entries.insert(key, value);
            }
        }
        _ => {}
    }
}
