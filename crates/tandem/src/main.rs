//! The `tandem` command line: reads the arguments, composes the crates below, prints, and picks the exit code.
//!
//! One file per command under `commands`. Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted. What a script
//! reads goes to stdout; progress, notes and errors go to stderr.

mod commands;
mod conversion;
mod display;
mod failure;
mod interrupt;
mod locate;
mod logging;
mod mixture;
mod model_size;
mod planned_model;
mod progress;

use clap::{CommandFactory, Parser, Subcommand};
use std::process::ExitCode;

#[derive(Parser)]
#[command(name = "tandem", version = env!("TANDEM_VERSION"), about = "Several computers, one large language model.", after_help = EXAMPLES)]
#[command(subcommand_required = true, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  tandem run                                   chat with the default model
  tandem run llama3.2 \"Why is the sky blue?\"   one answer
  tandem pull Qwen/Qwen3-4B-GGUF:Q4_K_M        bring a model to this machine
  tandem models                                what is here
  tandem up                                    serve the OpenAI, Anthropic and Ollama APIs

A MODEL is a name from `tandem models --available`, a hub id (org/name[:quant]),
a .gguf file or a folder. Models live in TANDEM_HOME (default: the user's data
folder).";

#[derive(Subcommand)]
enum Command {
    Up(commands::up::Args),
    Run(commands::run::Args),
    Token(commands::token::Args),
    Nodes(commands::nodes::Args),
    Remove(commands::remove::Args),
    Load(commands::load::Args),
    Unload(commands::unload::Args),
    Ps(commands::ps::Args),
    Top(commands::top::Args),
    Doctor(commands::doctor::Args),
    Pull(commands::pull::Args),
    Models(commands::models::Args),
    Inspect(commands::inspect::Args),
    Plan(commands::plan::Args),
    Convert(commands::convert::Args),
    Quantize(commands::quantize::Args),
    Key(commands::key::Args),
    Devices(commands::devices::Args),
    Bench(commands::bench::Args),
    Selftest(commands::selftest::Args),
    Cp(commands::cp::Args),
    Launch(commands::launch::Args),
    Service(commands::service::Args),
    Completions(commands::completions::Args),
    Man(commands::man::Args),
    #[command(hide = true)]
    Perplexity(commands::perplexity::Args),
    #[command(hide = true)]
    MakeModel(commands::make_model::Args),
    #[command(hide = true)]
    Worker(commands::worker::Args),
}

/// Mesa loads a layer into every program that asks for GPUs, which looks for a screen and complains on stderr where there is
/// none. Nothing is drawn here.
#[allow(unsafe_code)]
fn quiet_graphics_layers() {
    // SAFETY: the first thing the program does: no other thread runs that could read the environment.
    unsafe { std::env::set_var("NODEVICE_SELECT", "1") };
}

fn main() -> ExitCode {
    quiet_graphics_layers();
    let command = Cli::parse().command;
    match &command {
        Command::Worker(args) if args.ends_with_parent() => interrupt::leave_to_parent(),
        _ => interrupt::install(),
    }
    let result = match command {
        Command::Up(args) => commands::up::run(args),
        Command::Run(args) => commands::run::run(args),
        Command::Token(args) => commands::token::run(args),
        Command::Nodes(args) => commands::nodes::run(args),
        Command::Remove(args) => commands::remove::run(args),
        Command::Load(args) => commands::load::run(args),
        Command::Unload(args) => commands::unload::run(args),
        Command::Ps(args) => commands::ps::run(args),
        Command::Top(args) => commands::top::run(args),
        Command::Doctor(args) => commands::doctor::run(args),
        Command::Pull(args) => commands::pull::run(args),
        Command::Models(args) => commands::models::run(args),
        Command::Plan(args) => commands::plan::run(args),
        Command::Inspect(args) => commands::inspect::run(args),
        Command::Convert(args) => commands::convert::run(args),
        Command::Quantize(args) => commands::quantize::run(args),
        Command::Key(args) => commands::key::run(args),
        Command::Devices(args) => commands::devices::run(args),
        Command::Bench(args) => commands::bench::run(args),
        Command::Selftest(args) => commands::selftest::run(args),
        Command::Cp(args) => commands::cp::run(args),
        Command::Launch(args) => commands::launch::run(args),
        Command::Service(args) => commands::service::run(args),
        Command::Completions(args) => commands::completions::run(args, Cli::command()),
        Command::Man(args) => commands::man::run(args, Cli::command()),
        Command::Perplexity(args) => commands::perplexity::run(args),
        Command::MakeModel(args) => commands::make_model::run(args),
        Command::Worker(args) => commands::worker::run(args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error),
    }
}
