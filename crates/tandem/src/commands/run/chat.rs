//! A conversation at the terminal.

use super::input::{Input, Typed};
use super::pictures;
use super::settings::{NAMES, Settings};
use super::{Answer, print_speed, stream};
use crate::display;
use crate::failure;
use anyhow::Result;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;
use std::io::Write;
use std::path::Path;
use tandem_runtime::{Finish, Message, Model, Role};

const HELP: &str = "\
  /help                 this list
  /clear                forget the conversation
  /image FILE           show a picture with what you say next
  /system TEXT          instructions for the model; without TEXT, take them back
  /set NAME VALUE       change a setting; /set alone shows them
  /save FILE            write the conversation to a file
  /exit                 leave (also Ctrl-D)
A line that ends in \\ goes on in the next; \"\"\" begins and ends several lines.
Ctrl-C stops an answer.";

const LINES_KEPT_MAX: usize = 1000;

pub struct Chat<'a> {
    model: &'a Model,
    name: &'a str,
    system: Option<String>,
    settings: Settings,
    verbose: bool,
    /// Without the system message, which can change.
    turns: Vec<Message>,
    /// To be shown with the next turn.
    pictures: Vec<Vec<u8>>,
}

impl<'a> Chat<'a> {
    pub fn new(
        model: &'a Model,
        name: &'a str,
        system: Option<String>,
        settings: Settings,
        verbose: bool,
    ) -> Chat<'a> {
        Chat { model, name, system, settings, verbose, turns: Vec::new(), pictures: Vec::new() }
    }

    /// With pictures beside the first turn.
    pub fn showing(self, pictures: Vec<Vec<u8>>) -> Chat<'a> {
        Chat { pictures, ..self }
    }

    /// Until the person leaves. Lines are remembered in `history`.
    pub fn run(mut self, history: &Path) -> Result<()> {
        let config =
            rustyline::Config::builder().max_history_size(LINES_KEPT_MAX)?.auto_add_history(true).build();
        let mut editor = DefaultEditor::with_config(config)?;
        // None yet, or not ours to read: a conversation works without.
        let _ = editor.load_history(history);
        say(&format!(
            "{}, context {} tokens. /help lists what you can type.",
            self.name,
            self.model.tokens().load().context
        ));
        let mut input = Input::default();
        loop {
            let prompt = if input.is_fresh() { ">>> " } else { "... " };
            let typed = match editor.readline(prompt) {
                Ok(line) => input.line(&line),
                Err(ReadlineError::Interrupted | ReadlineError::Eof) => break,
                Err(error) => return Err(error.into()),
            };
            match typed {
                Typed::Unfinished | Typed::Nothing => {}
                Typed::Say(text) => self.answer(text)?,
                Typed::Command { name, rest } => {
                    if !self.command(&name, &rest) {
                        break;
                    }
                }
            }
        }
        if let Some(folder) = history.parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        if let Err(error) = editor.save_history(history) {
            say(&format!("note: the history could not be kept in {}: {error}", history.display()));
        }
        Ok(())
    }

    fn answer(&mut self, text: String) -> Result<()> {
        self.turns.push(pictures::message(&text, std::mem::take(&mut self.pictures)));
        let mut messages = Vec::with_capacity(self.turns.len() + 1);
        messages.extend(self.system.as_deref().map(|system| Message::new(Role::System, system)));
        messages.extend(self.turns.iter().cloned());
        let answered = match self.model.chat(&messages, &self.settings.params()) {
            Ok(generation) => stream(generation, true),
            Err(error) => {
                // The conversation goes on without the turn that could not be answered.
                self.turns.pop();
                failure::print(&error.to_string(), Some("/clear forgets the conversation so far"));
                return Ok(());
            }
        };
        let Answer { text, summary } = answered?;
        if summary.finish == Finish::Cancelled {
            say("(stopped)");
        } else if summary.finish == Finish::Length {
            say("(cut off: the context or max_tokens is reached)");
        }
        if self.verbose {
            print_speed(&summary);
        }
        say("");
        self.turns.push(Message::new(Role::Assistant, text));
        Ok(())
    }

    /// `false` ends the conversation.
    fn command(&mut self, name: &str, rest: &str) -> bool {
        match name {
            "/exit" | "/quit" | "/bye" => return false,
            "/help" | "/?" => say(HELP),
            "/image" if rest.is_empty() => say("/image FILE"),
            "/image" => match pictures::read(Path::new(rest)) {
                Ok(picture) => {
                    self.pictures.push(picture);
                    say("The model will see it with what you say next.");
                }
                Err(error) => say(&format!("{error:#}")),
            },
            "/clear" => {
                self.turns.clear();
                self.pictures.clear();
                say("The conversation is forgotten.");
            }
            "/system" if rest.is_empty() => {
                self.system = None;
                say("The model has no instructions.");
            }
            "/system" => {
                self.system = Some(rest.to_owned());
                say("The model has these instructions from now on.");
            }
            "/set" if rest.is_empty() => say(&self.settings.show()),
            "/set" => match rest.split_once(char::is_whitespace) {
                Some((name, value)) => match self.settings.set(name, value.trim()) {
                    Ok(()) => say(&self.settings.show()),
                    Err(reason) => say(&reason),
                },
                None => say(&format!("/set NAME VALUE, where NAME is one of {NAMES}")),
            },
            "/save" if rest.is_empty() => say("/save FILE"),
            "/save" => match self.save(Path::new(rest)) {
                Ok(()) => say(&format!("{} turns are in {rest}.", self.turns.len())),
                Err(error) => say(&format!("cannot write {rest}: {error}")),
            },
            _ => say(&format!("{name} is no command; /help lists them")),
        }
        true
    }

    /// As text to read; an existing file is not overwritten.
    fn save(&self, path: &Path) -> std::io::Result<()> {
        let mut file = std::fs::File::create_new(path)?;
        if let Some(system) = &self.system {
            writeln!(file, "system: {system}\n")?;
        }
        for turn in &self.turns {
            writeln!(file, "{}: {}\n", turn.role.name(), turn.content.text().trim_end())?;
        }
        Ok(())
    }
}

/// Words of the program, not of the model: to stderr, so that what is redirected holds answers only.
fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", display::printable(text));
}
