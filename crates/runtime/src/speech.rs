//! The text side of a model.

use std::sync::Arc;

use tandem_engine::Request;
use tandem_text::{ChatRequest, ChatTemplate, ChatTemplateError, Specials, Tokenizer};

use crate::{FileError, ModelFile, Params, Reply};

/// Everything between text and token ids for one model: conversations to requests, events to answers. It needs no weights and
/// may live where the model does not run.
pub struct Speech {
    tokenizer: Arc<Tokenizer>,
    template: ChatTemplate,
}

#[derive(Debug, thiserror::Error)]
pub enum SpeechError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Template(#[from] ChatTemplateError),
}

impl Speech {
    pub fn of(file: &ModelFile) -> Result<Speech, SpeechError> {
        let tokenizer = file.tokenizer()?;
        let template = ChatTemplate::for_tokenizer(file.template()?.as_deref(), &tokenizer)?;
        Ok(Speech { tokenizer: Arc::new(tokenizer), template })
    }

    pub fn tokenizer(&self) -> &Tokenizer {
        &self.tokenizer
    }

    pub fn template(&self) -> &ChatTemplate {
        &self.template
    }

    /// The prompt of a conversation.
    pub fn prompt(&self, chat: &ChatRequest) -> Result<Vec<u32>, ChatTemplateError> {
        let segments = self.template.render_segments(chat, &self.tokenizer)?;
        Ok(self.tokenizer.encode_segments(&segments))
    }

    /// What to submit for the answer to a conversation, and what will make sense of the events.
    pub fn chat(&self, chat: &ChatRequest, params: &Params) -> Result<(Request, Reply), ChatTemplateError> {
        let prompt = self.prompt(chat)?;
        Ok(self.request(prompt, params))
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
}
