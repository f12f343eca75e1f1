//! `tandem service`: a node that starts with the machine and is started again when it ends.

mod launchd;
mod systemd;

use crate::failure::Advised;
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Keep a node running: as you, not as root
///
/// Writes a unit for systemd's user manager, or an agent for macOS's launchd, and starts it. Nothing outside your home is changed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  tandem service install                          `tandem up`, now and whenever you log in
  tandem service install -- --host 0.0.0.0        … with these arguments of `tandem up`
  tandem service install --print                  show what would be written
  tandem service status
  tandem service uninstall

To join a cluster, do it once by hand (`tandem up --join TOKEN`): the node remembers.
On Linux, `loginctl enable-linger` also keeps it while you are logged out.")]
pub struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Write the service, and start it
    Install {
        /// Show what would be written, and change nothing
        #[arg(long)]
        print: bool,
        /// What keeps services here; by default, what this system has
        #[arg(long, value_enum, hide = true)]
        manager: Option<Manager>,
        /// Arguments of `tandem up`
        #[arg(last = true)]
        up: Vec<OsString>,
    },
    /// Say whether it is installed and runs
    Status,
    /// Stop it, and remove what `install` wrote
    Uninstall,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Manager {
    Systemd,
    Launchd,
}

/// What is to be kept running.
struct Service {
    program: PathBuf,
    arguments: Vec<String>,
    /// Where models are, if not at the usual place.
    home: Option<String>,
}

pub fn run(args: Args) -> Result<()> {
    let here = if cfg!(target_os = "macos") { Manager::Launchd } else { Manager::Systemd };
    match args.action {
        Action::Install { print, manager, up } => {
            let manager = manager.unwrap_or(here);
            let text = manager.text(&Service::of_this_program(up)?);
            if print {
                std::io::stdout().write_all(text.as_bytes())?;
                return Ok(());
            }
            install(here, &text)
        }
        Action::Status => status(here),
        Action::Uninstall => uninstall(here),
    }
}

fn install(manager: Manager, text: &str) -> Result<()> {
    refuse_root()?;
    let file = manager.file()?;
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    for command in manager.starting(&file) {
        if let Err(error) = ordered(&command) {
            // Half a service is none.
            let _ = fs::remove_file(&file);
            return Err(error);
        }
    }
    println!("{} is written, and the node runs. `tandem service status` looks after it.", file.display());
    Ok(())
}

fn status(manager: Manager) -> Result<()> {
    let file = manager.file()?;
    if !file.exists() {
        return Err(Advised::new(
            format!("no service is installed: there is no {}", file.display()),
            "`tandem service install` installs it",
        )
        .into());
    }
    println!("installed: {}", file.display());
    let command = manager.asking();
    let output = Command::new(&command[0]).args(&command[1..]).output();
    let output = output.with_context(|| format!("cannot run `{}`", command.join(" ")))?;
    let said = String::from_utf8_lossy(&output.stdout);
    if !manager.runs(&said) {
        return Err(Advised::new("the service does not run", format!("`{}` tells why", manager.log())).into());
    }
    println!("runs; its log: {}", manager.log());
    Ok(())
}

fn uninstall(manager: Manager) -> Result<()> {
    let file = manager.file()?;
    if !file.exists() {
        println!("No service is installed.");
        return Ok(());
    }
    // It may have been stopped by hand: what matters is that the file goes.
    for command in manager.stopping() {
        if let Err(error) = ordered(&command) {
            eprintln!("{error:#}");
        }
    }
    match fs::remove_file(&file) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            return Err(error).with_context(|| format!("cannot remove {}", file.display()));
        }
        _ => println!("{} is removed. Models and the cluster's keys stay.", file.display()),
    }
    for command in manager.after_removal() {
        ordered(&command)?;
    }
    Ok(())
}

impl Service {
    fn of_this_program(up: Vec<OsString>) -> Result<Service> {
        let program = env::current_exe().context("this program's own path is not known")?;
        let text = |what: OsString| {
            what.into_string().map_err(|what| {
                Advised::new(
                    format!("{} is not valid text, and a service's file is", what.display()),
                    "use another path",
                )
            })
        };
        let arguments = up.into_iter().map(text).collect::<Result<_, _>>()?;
        let home = env::var_os("TANDEM_HOME").filter(|home| !home.is_empty());
        let home = home.map(|home| text(std::path::absolute(&home).unwrap_or(home.into()).into_os_string()));
        text(program.clone().into_os_string())?;
        Ok(Service { program, arguments, home: home.transpose()? })
    }

    /// The program and its arguments.
    fn words(&self) -> impl Iterator<Item = String> + '_ {
        let program = self.program.display().to_string();
        [program, "up".to_owned()].into_iter().chain(self.arguments.iter().cloned())
    }
}

impl Manager {
    fn text(self, service: &Service) -> String {
        match self {
            Manager::Systemd => systemd::unit(service),
            Manager::Launchd => launchd::agent(service),
        }
    }

    fn file(self) -> Result<PathBuf> {
        let set = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let home = set("HOME").ok_or_else(|| {
            Advised::new("HOME is not set, so there is no place for a service", "log in as a user")
        })?;
        Ok(match self {
            Manager::Systemd => {
                let settings = set("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"));
                settings.join("systemd/user").join(systemd::UNIT)
            }
            Manager::Launchd => home.join("Library/LaunchAgents").join(launchd::FILE),
        })
    }

    fn starting(self, file: &Path) -> Vec<Vec<String>> {
        match self {
            Manager::Systemd => words(&[
                &["systemctl", "--user", "daemon-reload"],
                &["systemctl", "--user", "enable", systemd::UNIT],
                &["systemctl", "--user", "restart", systemd::UNIT],
            ]),
            Manager::Launchd => {
                words(&[&["launchctl", "bootstrap", &launchd::domain(), &file.display().to_string()]])
            }
        }
    }

    fn stopping(self) -> Vec<Vec<String>> {
        match self {
            Manager::Systemd => words(&[&["systemctl", "--user", "disable", "--now", systemd::UNIT]]),
            Manager::Launchd => words(&[&["launchctl", "bootout", &launchd::target()]]),
        }
    }

    fn after_removal(self) -> Vec<Vec<String>> {
        match self {
            Manager::Systemd => words(&[&["systemctl", "--user", "daemon-reload"]]),
            Manager::Launchd => Vec::new(),
        }
    }

    fn asking(self) -> Vec<String> {
        let line: &[&str] = match self {
            Manager::Systemd => &["systemctl", "--user", "is-active", systemd::UNIT],
            Manager::Launchd => &["launchctl", "print", &launchd::target()],
        };
        line.iter().map(ToString::to_string).collect()
    }

    fn runs(self, said: &str) -> bool {
        match self {
            Manager::Systemd => said.trim() == "active",
            Manager::Launchd => said.lines().any(|line| line.trim() == "state = running"),
        }
    }

    fn log(self) -> String {
        match self {
            Manager::Systemd => format!("journalctl --user -u {}", systemd::UNIT),
            Manager::Launchd => format!("tail {}", launchd::log()),
        }
    }
}

fn words(lines: &[&[&str]]) -> Vec<Vec<String>> {
    lines.iter().map(|line| line.iter().map(ToString::to_string).collect()).collect()
}

fn ordered(command: &[String]) -> Result<()> {
    let line = command.join(" ");
    let output = Command::new(&command[0]).args(&command[1..]).output().map_err(|error| {
        Advised::new(
            format!("cannot run `{line}`: {error}"),
            "without it, start `tandem up` by whatever starts your programs",
        )
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Advised::new(
            format!("`{line}` ended with {}: {}", output.status, said.trim()),
            "a user's services need a login session: log in as that user rather than by `su` or `sudo`",
        )
        .into());
    }
    Ok(())
}

/// A model server has no use for root's rights, and root's home is not where the user's models are.
fn refuse_root() -> Result<()> {
    let output = Command::new("id").arg("-u").output().context("cannot run `id -u`")?;
    if String::from_utf8_lossy(&output.stdout).trim() == "0" && env::var_os("TANDEM_ALLOW_ROOT").is_none() {
        return Err(Advised::new(
            "this is root: a service is kept by the user it runs as",
            "run it as an ordinary user (set TANDEM_ALLOW_ROOT=1 where there is no other, as in a container)",
        )
        .into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn service() -> Service {
        Service {
            program: "/opt/my tools/tandem".into(),
            arguments: ["--name", "50% \"desk\" $HOME <b>&"].map(str::to_owned).into(),
            home: Some("/data/tan dem".into()),
        }
    }

    #[test]
    fn a_unit_keeps_every_argument_as_it_was_given() {
        let unit = systemd::unit(&service());
        let line = r#"ExecStart="/opt/my tools/tandem" "up" "--name" "50%% \"desk\" $$HOME <b>&""#;
        assert!(unit.lines().any(|it| it == line), "{unit}");
        assert!(unit.lines().any(|it| it == r#"Environment="TANDEM_HOME=/data/tan dem""#), "{unit}");
    }

    #[test]
    fn an_agent_keeps_every_argument_as_it_was_given() {
        let agent = launchd::agent(&service());
        for word in
            ["/opt/my tools/tandem", "up", "--name", "50% \"desk\" $HOME &lt;b&gt;&amp;", "/data/tan dem"]
        {
            assert!(agent.contains(&format!("<string>{word}</string>")), "no {word} in {agent}");
        }
    }
}
