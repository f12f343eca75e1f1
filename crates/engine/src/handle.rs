//! An engine on a thread of its own.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use crate::{Engine, Event, Refused, Request, RequestId};

/// Submits requests to an engine that runs on its own thread until this is dropped.
pub struct Handle {
    commands: Sender<Command>,
    next_id: AtomicU64,
    stopped: Arc<Mutex<Option<String>>>,
    thread: Option<JoinHandle<()>>,
}

enum Command {
    Submit { id: RequestId, request: Request, events: Sender<Event>, taken: Sender<Result<(), Refused>> },
    Cancel(RequestId),
    Stop,
}

impl Handle {
    pub fn spawn(engine: Engine) -> std::io::Result<Handle> {
        let (commands, receiver) = channel();
        let stopped = Arc::new(Mutex::new(None));
        let reason = Arc::clone(&stopped);
        let thread = std::thread::Builder::new().name("engine".into()).spawn(move || {
            let mut served = Loop { engine, commands: receiver, clients: HashMap::new() };
            // Whoever finds the channel closed finds the reason.
            let lost = served.run();
            *reason.lock().expect("nobody panics holding this") = Some(lost);
            drop(served);
        })?;
        Ok(Handle { commands, next_id: AtomicU64::new(0), stopped, thread: Some(thread) })
    }

    pub fn submit(&self, request: Request) -> Result<Stream, Refused> {
        let id = RequestId(self.next_id.fetch_add(1, Ordering::Relaxed));
        let (events, receiver) = channel();
        let (taken, answer) = channel();
        let stopped = || {
            let reason = self.stopped.lock().expect("nobody panics holding this").clone();
            Refused::Stopped(reason.unwrap_or_else(|| "its thread panicked".into()))
        };
        self.commands.send(Command::Submit { id, request, events, taken }).map_err(|_| stopped())?;
        answer.recv().map_err(|_| stopped())??;
        Ok(Stream { id, events: receiver, commands: self.commands.clone(), done: false })
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        let _ = self.commands.send(Command::Stop);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// One request's events, ending with `Done` or `Failed`. Dropping it cancels the request.
pub struct Stream {
    id: RequestId,
    events: Receiver<Event>,
    commands: Sender<Command>,
    done: bool,
}

impl Stream {
    /// Stop at the next step; `Done` still comes, with what was produced until then.
    pub fn cancel(&self) {
        let _ = self.commands.send(Command::Cancel(self.id));
    }

    /// A way to cancel from another thread while this one waits for the next event.
    pub fn canceller(&self) -> impl Fn() + Send + 'static {
        let (commands, id) = (self.commands.clone(), self.id);
        move || {
            let _ = commands.send(Command::Cancel(id));
        }
    }
}

impl Iterator for Stream {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        if self.done {
            return None;
        }
        let event = self.events.recv().unwrap_or_else(|_| Event::Failed("the engine's thread ended".into()));
        self.done = matches!(event, Event::Done(_) | Event::Failed(_));
        Some(event)
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        if !self.done {
            self.cancel();
        }
    }
}

struct Loop {
    engine: Engine,
    commands: Receiver<Command>,
    clients: HashMap<RequestId, Sender<Event>>,
}

impl Loop {
    /// Serve until stopped or lost; says why it ended.
    fn run(&mut self) -> String {
        let mut events = Vec::new();
        loop {
            // Idle: wait for a command. Busy: take what is there and go on.
            let next =
                if self.engine.is_idle() { self.commands.recv().ok() } else { self.commands.try_recv().ok() };
            match next {
                Some(Command::Submit { id, request, events, taken }) => {
                    let answer = self.engine.submit(id, request);
                    if answer.is_ok() {
                        self.clients.insert(id, events);
                    }
                    let _ = taken.send(answer);
                    continue;
                }
                Some(Command::Cancel(id)) => {
                    self.engine.cancel(id, &mut events);
                    self.deliver(&mut events);
                    continue;
                }
                Some(Command::Stop) => {
                    self.engine.fail("the engine was shut down", &mut events);
                    self.deliver(&mut events);
                    return "it was shut down".into();
                }
                None if self.engine.is_idle() => return "it was shut down".into(),
                None => {}
            }
            let result = self.engine.step(&mut events);
            if let Err(lost) = &result {
                self.engine.fail(&lost.to_string(), &mut events);
            }
            self.deliver(&mut events);
            if let Err(lost) = result {
                return lost.to_string();
            }
        }
    }

    fn deliver(&mut self, events: &mut Vec<(RequestId, Event)>) {
        for (id, event) in events.drain(..) {
            let last = matches!(event, Event::Done(_) | Event::Failed(_));
            // A client that hung up has also sent `Cancel`.
            if let Some(client) = self.clients.get(&id) {
                let _ = client.send(event);
            }
            if last {
                self.clients.remove(&id);
            }
        }
    }
}
