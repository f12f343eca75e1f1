//! What an installation brings: a service, completions, manual pages, and a program that says what it is.

mod cli;

use cli::{Home, ended};
use std::fs;
use std::process::Command;

#[test]
fn the_version_names_the_commit() {
    let said = Home::new().run(["--version"]).succeeded().stdout.clone();
    let rest = said.strip_prefix(concat!("tandem ", env!("CARGO_PKG_VERSION"), " (")).unwrap();
    assert!(rest.trim_end().ends_with(')') && rest.len() > 5, "{said}");
}

#[test]
fn shells_complete_what_is_typed() {
    let home = Home::new();
    // Each reads the script ($1) and says how `tandem ser` goes on; zsh completes only for a person at a terminal, so it says
    // what it would call.
    let shells = [
        (
            "bash",
            vec!["--norc", "-c"],
            "source $1; COMP_WORDS=(tandem ser); COMP_CWORD=1; _tandem tandem ser tandem; echo ${COMPREPLY[@]}",
            "service",
        ),
        (
            "zsh",
            vec!["-f", "-c"],
            "autoload -U compinit; compinit -u -D; source $1; print $_comps[tandem]",
            "_tandem",
        ),
        ("fish", vec!["--no-config", "-c"], "source $argv[1]; complete -C 'tandem ser'", "service"),
    ];
    for (shell, options, typed, expected) in shells {
        let script = home.run(["completions", shell]).succeeded().stdout.clone();
        assert!(script.contains("local-nodes") && script.contains("uninstall"), "{shell}");
        let file = home.write("script", script.as_bytes());
        let mut command = Command::new(shell);
        command.args(options).arg(typed).env("HOME", home.path("."));
        if shell != "fish" {
            command.arg(shell);
        }
        match command.arg(&file).output() {
            Ok(said) => {
                let said = ended(said).succeeded().stdout.clone();
                assert!(said.starts_with(expected), "{shell}: {said}");
            }
            Err(_) => println!("SKIPPED completing in {shell}: it is not installed"),
        }
    }
    home.run(["completions", "tcsh"]).failed(2, "possible values: bash");
}

#[test]
fn every_command_has_a_manual_page() {
    let home = Home::new();
    home.run(["man", "--to", "pages"]).succeeded();
    let help = home.run(["--help"]).succeeded().stdout.clone();
    let listed = help.split("Commands:").nth(1).unwrap().split("\n\n").next().unwrap();
    let commands: Vec<_> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 15, "{commands:?}");
    for command in commands.iter().filter(|command| **command != "help") {
        let page = fs::read_to_string(home.path(&format!("pages/tandem-{command}.1"))).unwrap();
        assert!(page.contains(".SH NAME") && page.contains(".SH SYNOPSIS"), "{command}: {page}");
    }
    let first = home.run(["man"]).succeeded().stdout.clone();
    assert_eq!(first, fs::read_to_string(home.path("pages/tandem.1")).unwrap());
    home.write("file", b"");
    home.run(["man", "--to", "file"]).failed(1, "cannot make file");
}

#[test]
fn services_are_in_the_form_of_their_managers() {
    let home = Home::new();
    let agent = home.run(["service", "install", "--print", "--manager", "launchd", "--", "--name", "a<b>&c"]);
    let file = home.write("agent.plist", agent.succeeded().stdout.as_bytes());
    let read = "import plistlib, sys; print(plistlib.load(open(sys.argv[1], 'rb'))['ProgramArguments'][1:])";
    match Command::new("python3").args(["-c", read]).arg(file).output() {
        Ok(said) => assert_eq!(ended(said).succeeded().stdout, "['up', '--name', 'a<b>&c']\n"),
        Err(_) => println!("SKIPPED reading the agent's file: python3 is not installed"),
    }
    let unit = home.run(["service", "install", "--print", "--manager", "systemd"]);
    let file = home.write("tandem.service", unit.succeeded().stdout.as_bytes());
    match Command::new("systemd-analyze").args(["--user", "verify"]).arg(file).output() {
        Ok(said) => {
            let said = ended(said);
            assert!(!said.stderr.contains("tandem.service"), "{}", said.stderr);
        }
        Err(_) => println!("SKIPPED verifying the unit: systemd-analyze is not installed"),
    }
}

/// Where systemd keeps services.
#[cfg(target_os = "linux")]
mod systemd {
    use super::cli::{Ended, Home, ended, files_below};
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;

    /// With a `systemctl` that writes down what it is told, and says `answer`.
    fn service(home: &Home, answer: &str, args: &[&str]) -> Ended {
        let folder = home.path("bin");
        fs::create_dir_all(&folder).unwrap();
        let log = home.path("told");
        let script = format!("#!/bin/sh\necho \"$@\" >> '{}'\n{answer}\n", log.display());
        fs::write(folder.join("systemctl"), script).unwrap();
        fs::set_permissions(folder.join("systemctl"), fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
        let mut command = home.command();
        command.env("PATH", path).env("XDG_CONFIG_HOME", home.path("settings")).env("TANDEM_ALLOW_ROOT", "1");
        ended(command.arg("service").args(args).output().unwrap())
    }

    #[test]
    fn a_service_is_installed_looked_after_and_removed() {
        let home = Home::new();
        let unit = home.path("settings/systemd/user/tandem.service");
        service(&home, "", &["status"]).failed(1, "no service is installed");
        service(&home, "", &["install", "--", "--name", "desk lamp"]).succeeded();
        let text = fs::read_to_string(&unit).unwrap();
        let program =
            format!("ExecStart=\"{}\" \"up\" \"--name\" \"desk lamp\"\n", env!("CARGO_BIN_EXE_tandem"));
        assert!(text.contains(&program), "{text}");
        let told = fs::read_to_string(home.path("told")).unwrap();
        assert_eq!(
            told,
            "--user daemon-reload\n--user enable tandem.service\n--user restart tandem.service\n"
        );

        assert!(service(&home, "echo active", &["status"]).succeeded().stdout.contains("runs"));
        let down = service(&home, "echo failed; exit 3", &["status"]);
        assert!(down.code == Some(1) && down.stderr.contains("does not run"), "{}", down.stderr);

        service(&home, "", &["uninstall"]).succeeded();
        assert!(!unit.exists());
        service(&home, "", &["uninstall"]).succeeded();

        // What cannot be started leaves nothing behind.
        service(&home, "echo no bus >&2; exit 1", &["install"]).failed(1, "no bus");
        assert!(!files_below(&home.path("settings")).iter().any(|(name, _)| name.contains("tandem")));
    }

    #[test]
    fn root_keeps_no_service() {
        let home = Home::new();
        let id = Command::new("id").arg("-u").output().unwrap();
        if ended(id).stdout.trim() != "0" {
            println!("SKIPPED refusing root: this is not root");
            return;
        }
        home.run(["service", "install"]).failed(1, "this is root");
    }
}
