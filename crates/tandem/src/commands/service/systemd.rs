//! A unit of systemd's user manager.

use super::Service;

pub const UNIT: &str = "tandem.service";

pub fn unit(service: &Service) -> String {
    let command: Vec<String> = service.words().map(|word| quoted(&word)).collect();
    let home = service.home.as_ref().map(|home| {
        // Here a dollar is itself.
        format!("Environment={}\n", quoted(&format!("TANDEM_HOME={home}")).replace("$$", "$"))
    });
    format!(
        "\
[Unit]
Description=Tandem: several computers, one large language model
Documentation=man:tandem(1)
After=network-online.target

[Service]
ExecStart={}
{}# Links over RDMA pin memory; where the limit is lower, it stays so.
LimitMEMLOCK=infinity
# The node itself ends its workers, once answers are finished.
KillMode=mixed
TimeoutStopSec=75
Restart=on-failure
RestartSec=2

[Install]
WantedBy=default.target
",
        command.join(" "),
        home.unwrap_or_default()
    )
}

/// One word of a command, whatever is in it: systemd reads `%` and `$` even within quotes.
fn quoted(word: &str) -> String {
    let mut quoted = String::from("\"");
    for c in word.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '%' | '$' => quoted.extend([c, c]),
            '\n' => quoted.push_str("\\n"),
            _ => quoted.push(c),
        }
    }
    quoted + "\""
}
