//! An answer that is sent when it is whole.

use serde_json::Value;

use crate::meter::Meter;
use crate::{Answer, Delta, Failure, Logprob, Summary};

#[derive(Debug)]
pub(crate) struct Whole {
    pub content: String,
    pub reasoning: String,
    pub calls: Vec<Call>,
    pub logprobs: Vec<Logprob>,
    pub summary: Summary,
}

/// A tool's call as the model wrote it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Call {
    pub id: String,
    pub name: String,
    /// JSON text.
    pub arguments: String,
}

impl Call {
    /// An object, whatever the model wrote: a client that asked for an object gets one.
    pub fn object(&self) -> Value {
        match serde_json::from_str(&self.arguments) {
            Ok(object @ Value::Object(_)) => object,
            _ => serde_json::json!({}),
        }
    }
}

impl Whole {
    pub async fn collect(choice: usize, mut answer: Answer, meter: &mut Meter) -> Result<Whole, Failure> {
        let (mut content, mut reasoning) = (String::new(), String::new());
        let (mut calls, mut logprobs) = (Vec::<Call>::new(), Vec::new());
        while let Some(next) = answer.next().await {
            let delta = next.inspect_err(|failure| meter.failed(failure))?;
            meter.observe(choice, &delta);
            match delta {
                Delta::Content(text) => content.push_str(&text),
                Delta::Reasoning(text) => reasoning.push_str(&text),
                Delta::ToolCall { id, name, .. } => calls.push(Call { id, name, arguments: String::new() }),
                Delta::ToolArguments { index, piece } => {
                    if let Some(call) = calls.get_mut(index) {
                        call.arguments.push_str(&piece);
                    }
                }
                Delta::Logprob(logprob) => logprobs.push(logprob),
                Delta::Done(summary) => return Ok(Whole { content, reasoning, calls, logprobs, summary }),
            }
        }
        Err(Failure::Internal("the answer ended early".into()))
    }

    pub async fn collect_all(answers: Vec<Answer>, mut meter: Meter) -> Result<Vec<Whole>, Failure> {
        // They all run already; the order of waiting does not matter.
        let mut wholes = Vec::new();
        for (choice, answer) in answers.into_iter().enumerate() {
            wholes.push(Whole::collect(choice, answer, &mut meter).await?);
        }
        Ok(wholes)
    }
}
