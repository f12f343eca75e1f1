//! An engine on a thread of its own.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::{
    Engine, Entrance, Event, Load, Refused, Request, RequestId, Sink, Ticket, Tokens, engine::Admitted,
};

/// Submits requests to an engine that runs on its own thread until this is dropped.
pub struct Handle {
    entrance: Entrance,
    commands: Sender<Command>,
    next_id: AtomicU64,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// What the engine's thread and its callers both see.
struct Shared {
    /// Requests taken and not done.
    held: AtomicUsize,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    load: Load,
    /// Why nothing new is taken.
    closed: Option<String>,
}

enum Command {
    Submit {
        id: RequestId,
        admitted: Box<Admitted>,
        client: Client,
    },
    /// With the steps that had ended when it was asked for.
    Cancel(RequestId, u64),
    Stop,
}

impl Handle {
    pub fn spawn(engine: Engine) -> std::io::Result<Handle> {
        let (commands, receiver) = channel();
        let state = State { load: engine.load(), closed: None };
        let shared =
            Arc::new(Shared { held: AtomicUsize::new(0), state: Mutex::new(state), changed: Condvar::new() });
        let entrance = engine.entrance();
        let for_thread = Arc::clone(&shared);
        let thread = std::thread::Builder::new().name("engine".into()).spawn(move || {
            let closing = Closing(Arc::clone(&for_thread));
            let clients = HashMap::new();
            let mut served = Loop {
                engine,
                commands: receiver,
                clients,
                cancelled: 0,
                cancel_steps_max: 0,
                shared: for_thread,
            };
            let reason = served.run();
            closing.0.close(reason);
        })?;
        Ok(Handle { entrance, commands, next_id: AtomicU64::new(0), shared, thread: Some(thread) })
    }

    /// Why the engine no longer runs, once that is so.
    pub fn ended(&self) -> Option<String> {
        let thread = self.thread.as_ref()?;
        if !thread.is_finished() {
            return None;
        }
        self.shared.lock().closed.clone()
    }

    /// Take nothing new and let what is there finish. Says whether it did, `within` this time.
    pub fn drain(&self, within: Duration) -> bool {
        self.shared.close("it is shutting down".into());
        let state = self.shared.lock();
        let busy = |_: &mut State| self.shared.held.load(Ordering::SeqCst) > 0;
        let waited = self.shared.changed.wait_timeout_while(state, within, busy);
        !waited.expect("nobody panics holding this").1.timed_out()
    }
}

impl Tokens for Handle {
    fn submit(&self, request: Request, events: Sink) -> Result<Ticket, Refused> {
        if let Some(reason) = &self.shared.lock().closed {
            return Err(Refused::Stopped(reason.clone()));
        }
        let place = Place::take(&self.shared, &self.entrance)?;
        let admitted = Box::new(self.entrance.admit(request)?);
        let id = RequestId(self.next_id.fetch_add(1, Ordering::Relaxed));
        let client = Client { events, done: false, _place: place };
        if let Err(unsent) = self.commands.send(Command::Submit { id, admitted, client }) {
            if let Command::Submit { mut client, .. } = unsent.0 {
                client.done = true;
            }
            let reason = self.shared.lock().closed.clone();
            return Err(Refused::Stopped(reason.unwrap_or_else(|| "its thread panicked".into())));
        }
        let (commands, shared) = (self.commands.clone(), Arc::clone(&self.shared));
        Ok(Ticket::new(move || {
            // No step is counted while this is held, so that the count is that of this moment.
            let state = shared.lock();
            let _ = commands.send(Command::Cancel(id, state.load.steps));
        }))
    }

    fn load(&self) -> Load {
        let state = self.shared.lock();
        let (load, stopped) = (state.load, state.closed.is_some());
        let held = self.shared.held.load(Ordering::SeqCst);
        Load { waiting: held.saturating_sub(load.running), stopped, ..load }
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

impl Shared {
    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().expect("nobody panics holding this")
    }

    fn close(&self, reason: String) {
        self.lock().closed.get_or_insert(reason);
    }
}

/// Closes the door when the engine's thread ends, in whatever way.
struct Closing(Arc<Shared>);

impl Drop for Closing {
    fn drop(&mut self) {
        self.0.close("its thread panicked".into());
    }
}

/// One of the places for requests.
struct Place(Arc<Shared>);

impl Place {
    fn take(shared: &Arc<Shared>, entrance: &Entrance) -> Result<Place, Refused> {
        let room = |held: usize| (held < entrance.held_max()).then_some(held + 1);
        match shared.held.fetch_update(Ordering::SeqCst, Ordering::SeqCst, room) {
            Ok(_) => Ok(Place(Arc::clone(shared))),
            Err(held) => Err(Refused::Busy { waiting: held - entrance.config().sequences_max }),
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let state = self.0.lock();
        self.0.held.fetch_sub(1, Ordering::SeqCst);
        drop(state);
        self.0.changed.notify_all();
    }
}

/// Whoever waits for a request's events. It always hears a last one.
struct Client {
    events: Sink,
    done: bool,
    _place: Place,
}

impl Client {
    fn hear(&mut self, event: Event) {
        self.done |= event.is_last();
        (self.events)(event);
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if !self.done {
            (self.events)(Event::Failed("the engine has stopped".into()));
        }
    }
}

struct Loop {
    engine: Engine,
    commands: Receiver<Command>,
    clients: HashMap<RequestId, Client>,
    cancelled: u64,
    cancel_steps_max: u64,
    shared: Arc<Shared>,
}

impl Loop {
    /// Serve until stopped or lost; says why it ended.
    fn run(&mut self) -> String {
        let mut events = Vec::new();
        loop {
            // Idle: wait for a command. Busy: take what is there and go on.
            let next = match self.engine.is_idle() {
                true => self.commands.recv().map_err(|_| TryRecvError::Disconnected),
                false => self.commands.try_recv(),
            };
            match next {
                Ok(Command::Submit { id, admitted, client }) => {
                    self.clients.insert(id, client);
                    self.engine.add(id, *admitted);
                    continue;
                }
                Ok(Command::Cancel(id, steps_then)) => {
                    if self.engine.cancel(id, &mut events) {
                        self.cancelled += 1;
                        let steps = self.engine.load().steps - steps_then;
                        self.cancel_steps_max = self.cancel_steps_max.max(steps);
                    }
                    self.deliver(&mut events);
                    continue;
                }
                Ok(Command::Stop) | Err(TryRecvError::Disconnected) => {
                    self.engine.fail("the engine was shut down", &mut events);
                    self.deliver(&mut events);
                    return "it was shut down".into();
                }
                Err(TryRecvError::Empty) => {}
            }
            let result = self.engine.step(&mut events);
            if let Err(lost) = &result {
                // Closed before anybody hears of it, so that whoever tries again is told why.
                self.shared.close(lost.to_string());
                self.engine.fail(&lost.to_string(), &mut events);
            }
            self.deliver(&mut events);
            if let Err(lost) = result {
                return lost.to_string();
            }
        }
    }

    fn deliver(&mut self, events: &mut Vec<(RequestId, Event)>) {
        let Loop { cancelled, cancel_steps_max, .. } = *self;
        self.shared.lock().load = Load { cancelled, cancel_steps_max, ..self.engine.load() };
        for (id, event) in events.drain(..) {
            let last = event.is_last();
            if let Some(client) = self.clients.get_mut(&id) {
                client.hear(event);
            }
            if last {
                self.clients.remove(&id);
            }
        }
    }
}
