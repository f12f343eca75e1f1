//! The text side of a model.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value as Json;
use tandem_dialogue::{Chat, ToolChoice};
use tandem_engine::{Grammars, Picture, Request};
use tandem_text::{
    AnswerFormat, AnswerParser, ChatRequest, ChatTemplate, ChatTemplateError, Prelude, Segment, ShapedAnswer,
    Specials, Thoughts, Tokenizer, TokenizerError,
};

use crate::chat::{callable, in_words, needs_words, variables};
use crate::grammars::SpokenGrammars;
use crate::sight::{Sight, pictures};
use crate::vocabulary::tokenizer_of;
use crate::{FileError, ModelFile, Params, PromptError, Reply};

/// Everything between text and token ids for one model: conversations to requests, events to answers. It needs no weights and
/// may live where the model does not run.
pub struct Speech {
    tokenizer: Arc<Tokenizer>,
    template: ChatTemplate,
    format: AnswerFormat,
    has_template: bool,
    sight: Option<Sight>,
}

#[derive(Debug, thiserror::Error)]
pub enum SpeechError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{file}: {source}")]
    Tokenizer { file: PathBuf, source: TokenizerError },
    #[error(transparent)]
    Template(#[from] ChatTemplateError),
}

/// A conversation as the model sees it.
struct Prompt {
    tokens: Vec<u32>,
    pictures: Vec<Picture>,
    tools: Vec<Json>,
    prelude: Prelude,
}

impl Speech {
    pub fn of(file: &ModelFile) -> Result<Speech, SpeechError> {
        let mut speech = Speech::new(tokenizer_of(file)?, file.template()?.as_deref())?;
        speech.sight = file.description()?.tower.and_then(|tower| Sight::of(&tower, &speech.tokenizer));
        Ok(speech)
    }

    pub fn new(tokenizer: Tokenizer, template: Option<&str>) -> Result<Speech, ChatTemplateError> {
        let has_template = template.is_some();
        let template = ChatTemplate::for_tokenizer(template, &tokenizer)?;
        let has_token = |text: &str| tokenizer.token_named(text).is_some();
        let format = AnswerFormat::detect(template.source(), has_token);
        Ok(Speech { tokenizer: Arc::new(tokenizer), template, format, has_template, sight: None })
    }

    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    /// The model's chat template; `None` where it brings none and a common one is used.
    pub fn template(&self) -> Option<&str> {
        self.has_template.then(|| self.template.source())
    }

    /// Whether the model knows how to think before it answers.
    pub fn thinks(&self) -> bool {
        self.format.thoughts != Thoughts::None
    }

    /// Whether the model was made to call tools; others can be told how.
    pub fn calls_tools(&self) -> bool {
        !needs_words(self.format.calls, self.template.source())
    }

    /// Whether the model can be shown pictures.
    pub fn sees(&self) -> bool {
        self.sight.is_some()
    }

    /// What an engine needs to constrain answers to shapes.
    pub fn grammars(&self) -> Arc<dyn Grammars> {
        Arc::new(SpokenGrammars::new(Arc::clone(&self.tokenizer)))
    }

    /// How many tokens a conversation's prompt has.
    pub fn count(&self, chat: &Chat) -> Result<usize, PromptError> {
        Ok(self.prompt(chat)?.tokens.len())
    }

    /// What to submit for the answer to a conversation, and what will make sense of the events.
    pub fn chat(&self, chat: &Chat, params: &Params) -> Result<(Request, Reply), PromptError> {
        let Prompt { tokens, pictures, tools, prelude } = self.prompt(chat)?;
        let shaped = ShapedAnswer { format: self.format, tokenizer: &self.tokenizer, prelude };
        let must_call = matches!(chat.tool_choice, ToolChoice::Required | ToolChoice::Named(_));
        let constraint = match &params.constraint {
            _ if must_call => Some(shaped.calls(&tools, chat.parallel_tool_calls)?),
            Some(constraint) => Some(shaped.content(constraint)?),
            None if !tools.is_empty()
                && (!chat.parallel_tool_calls || chat.tools.iter().any(|tool| tool.strict)) =>
            {
                let strict = |name: &str| chat.tools.iter().any(|tool| tool.strict && tool.name == name);
                Some(shaped.perhaps_calls(&tools, chat.parallel_tool_calls, strict)?)
            }
            None => None,
        };
        let parser = AnswerParser::new(self.format, &tools, prelude == Prelude::Thinking);
        let (request, reply) = self.request(tokens, &Params { constraint, ..params.clone() });
        let request = Request { pictures, ..request };
        Ok((request, reply.parsed_by(parser, self.format)))
    }

    /// The same for plain text to be continued.
    pub fn complete(&self, text: &str, params: &Params) -> (Request, Reply) {
        self.request(self.tokenizer.encode_with_bos(text, Specials::Text), params)
    }

    /// The same for token ids to be continued.
    pub fn request(&self, prompt: Vec<u32>, params: &Params) -> (Request, Reply) {
        let request = Request {
            prompt,
            tokens_max: params.tokens_max,
            stop: self.tokenizer.end_of_generation().to_vec(),
            sampling: params.sampling.clone(),
            logprobs: params.logprobs,
            constraint: params.constraint.clone(),
            client: params.client,
            deadline: params.deadline,
            ..Request::default()
        };
        (request, Reply::new(Arc::clone(&self.tokenizer), params.stop.clone()))
    }

    /// What to submit for the embedding of a text: the mean of its final hidden states, told by one `Hidden` event.
    pub fn embed(&self, text: &str, client: u64) -> Request {
        let prompt = self.tokenizer.encode_with_bos(text, Specials::Text);
        Request { prompt, embed: true, client, ..Request::default() }
    }

    fn prompt(&self, chat: &Chat) -> Result<Prompt, PromptError> {
        let tools = callable(chat)?;
        let words = needs_words(self.format.calls, self.template.source());
        let told = if words { in_words(&chat.messages, &tools) } else { Vec::new() };
        let messages = if words { &told } else { &chat.messages };
        let (messages, begun) = match messages.split_last() {
            Some((last, before)) if chat.continues => (before, Some(last)),
            _ => (&messages[..], None),
        };
        let request =
            ChatRequest { messages, tools: &tools, add_generation_prompt: true, extra: variables(chat) };
        let pictures = pictures(messages);
        let sight = self.sight.as_ref().filter(|_| !pictures.is_empty());
        if sight.is_none() && !pictures.is_empty() {
            return Err(PromptError::NoSight);
        }
        let mut segments = self.template.render_segments(&request, &self.tokenizer)?;
        if let Some(sight) = sight {
            sight.expand(&mut segments);
        }
        let tail = segments.last().map(|segment| segment.text.trim_end()).unwrap_or_default();
        let mut prelude = match self.format.thoughts {
            Thoughts::Between { open, .. } if tail.ends_with(open) => Prelude::Thinking,
            Thoughts::Between { close, .. } if tail.ends_with(close) => Prelude::Answering,
            Thoughts::None => Prelude::Answering,
            _ => Prelude::Free,
        };
        if let Some(begun) = begun {
            // What begins an answer comes after the thoughts.
            if let (Thoughts::Between { close, .. }, Prelude::Thinking) = (&self.format.thoughts, prelude) {
                segments.push(Segment { text: format!("\n{close}\n\n"), trusted: true });
            }
            segments.push(Segment { text: begun.content.text(), trusted: false });
            prelude = Prelude::Answering;
        }
        let mut tokens = self.tokenizer.encode_segments(&segments);
        let pictures =
            sight.map(|sight| sight.place(&mut tokens, &pictures)).transpose()?.unwrap_or_default();
        Ok(Prompt { tokens, pictures, tools, prelude })
    }
}
