//! An agent of macOS's launchd. Written after `launchd.plist(5)`; never run on a Mac yet.

use super::Service;
use std::process::Command;

const LABEL: &str = "tandem.node";
pub const FILE: &str = "tandem.node.plist";

pub fn log() -> String {
    format!("{}/Library/Logs/tandem.log", std::env::var("HOME").unwrap_or_default())
}

/// Where the agents of the user's session live.
pub fn domain() -> String {
    let output = Command::new("id").arg("-u").output();
    let user = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    format!("gui/{}", user.unwrap_or_default())
}

pub fn target() -> String {
    format!("{}/{LABEL}", domain())
}

pub fn agent(service: &Service) -> String {
    let words: String = service.words().map(|word| format!("    {}\n", string(&word))).collect();
    let home = service.home.as_ref().map(|home| {
        let value = string(home);
        format!(
            "  <key>EnvironmentVariables</key>\n  <dict>\n    <key>TANDEM_HOME</key>\n    {value}\n  </dict>\n"
        )
    });
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  {}
  <key>ProgramArguments</key>
  <array>
{words}  </array>
{}  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ProcessType</key>
  <string>Interactive</string>
  <key>ExitTimeOut</key>
  <integer>75</integer>
  <key>StandardOutPath</key>
  {log}
  <key>StandardErrorPath</key>
  {log}
</dict>
</plist>
"#,
        string(LABEL),
        home.unwrap_or_default(),
        log = string(&log()),
    )
}

fn string(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!("<string>{text}</string>")
}
