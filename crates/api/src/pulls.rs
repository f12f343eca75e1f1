//! Models on their way here that nobody holds a connection for: they go on when the page that asked is closed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use tokio::task::AbortHandle;

use crate::{Failure, PullProgress, Service};

#[derive(Default)]
pub(crate) struct Pulls {
    /// By the name that was asked for.
    pulls: Mutex<BTreeMap<String, Pull>>,
}

struct Pull {
    news: Value,
    /// Whether it has ended, well or not.
    ended: bool,
    task: Option<AbortHandle>,
}

/// A list that nobody clears stays short.
const KEPT_MAX: usize = 32;

impl Pulls {
    /// Begins, unless that is under way already.
    pub fn begin(self: &Arc<Pulls>, service: &Arc<dyn Service>, model: String) -> Result<(), Failure> {
        let mut pulls = self.pulls();
        if pulls.get(&model).is_some_and(|pull| !pull.ended) {
            return Ok(());
        }
        pulls.retain(|_, pull| !pull.ended);
        if pulls.len() >= KEPT_MAX {
            return Err(Failure::Unavailable(format!(
                "{KEPT_MAX} models are being downloaded already; wait until one is done"
            )));
        }
        let (own, name) = (Arc::clone(self), model.clone());
        let mut progress = service.pull(model.clone());
        let task = tokio::spawn(async move {
            let mut end = Value::Null;
            while let Some(news) = progress.recv().await {
                match news {
                    Ok(PullProgress::Note(note)) => own.tell(&name, json!({"note": note})),
                    Ok(PullProgress::File { name: file, total_bytes, have_bytes, .. }) => {
                        own.tell(
                            &name,
                            json!({"file": file, "total_bytes": total_bytes, "have_bytes": have_bytes}),
                        );
                    }
                    Ok(PullProgress::Done) => end = json!({"done": true}),
                    Err(failure) => end = json!({"failed": failure.to_string()}),
                }
            }
            own.end(&name, end);
        });
        let pull =
            Pull { news: json!({"note": "asking the hub"}), ended: false, task: Some(task.abort_handle()) };
        pulls.insert(model, pull);
        Ok(())
    }

    /// Ends a pull, or forgets one that has ended. What has come stays, for the next time.
    pub fn forget(&self, model: &str) -> Result<(), Failure> {
        let Some(pull) = self.pulls().remove(model) else {
            return Err(Failure::NotFound(format!("{model} is not being downloaded")));
        };
        if let Some(task) = pull.task {
            task.abort();
        }
        Ok(())
    }

    pub fn state(&self) -> Value {
        let pulls = self.pulls();
        Value::Object(pulls.iter().map(|(model, pull)| (model.clone(), pull.news.clone())).collect())
    }

    fn tell(&self, model: &str, news: Value) {
        if let Some(pull) = self.pulls().get_mut(model) {
            pull.news = news;
        }
    }

    fn end(&self, model: &str, news: Value) {
        if let Some(pull) = self.pulls().get_mut(model) {
            (pull.news, pull.ended, pull.task) = (news, true, None);
        }
    }

    fn pulls(&self) -> MutexGuard<'_, BTreeMap<String, Pull>> {
        self.pulls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
