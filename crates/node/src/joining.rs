//! Being let into a cluster with a token.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tandem_cluster::{JoinRefused, Member, Saved};
use tokio::sync::mpsc;

use crate::channel::{ChannelError, Claim};
use crate::discovery::discover;
use crate::frame::Frame;
use crate::hints::Hints;
use crate::home::{Home, Identity, Membership};
use crate::links::reach;
use crate::token::JoinToken;

/// How long a joining node looks for a member that lets it in.
const JOIN_MAX: Duration = Duration::from_secs(15);
const REFUSALS_MAX: usize = 8;
const ANSWER_MAX: Duration = Duration::from_secs(3);

/// Looks for a member that lets this node in.
pub async fn join(
    home: &Home,
    identity: &mut Identity,
    token: &JoinToken,
    member: Member,
    peers: &[String],
    discovery: bool,
) -> Result<Membership, String> {
    let (found, mut hints) = mpsc::channel(64);
    // Port 0: this node is no member yet, and nobody should call it.
    let beacons = discovery.then(|| tokio::spawn(discover(token.cluster.hash(), 0, found)));
    let named: Vec<String> = token.addresses.iter().chain(peers).cloned().collect();
    let mut heard = Hints::default();
    let deadline = Instant::now() + JOIN_MAX;
    let mut last =
        "no member of the cluster was found; is one running, and reachable from here? `--peer host` names it"
            .to_owned();
    let mut refusals = 0;
    let result = 'search: loop {
        while let Ok(hint) = hints.try_recv() {
            heard.hear(hint, Instant::now());
        }
        let due = heard.due(Instant::now());
        let due = due.iter().map(SocketAddr::to_string).filter(|address| !named.contains(address));
        for address in &named.iter().cloned().chain(due).collect::<Vec<_>>() {
            match ask_to_join(address, identity, token, &member).await {
                Ok(Ok(membership)) => break 'search Ok(membership),
                Ok(Err(refused @ JoinRefused::Removed)) => {
                    *identity = home.new_identity().map_err(|error| error.to_string())?;
                    last = refused.to_string();
                }
                // Another member may be able to.
                Ok(Err(refused @ JoinRefused::NotKept(_))) => last = format!("{address}: {refused}"),
                Ok(Err(refused)) => break 'search Err(refused.to_string()),
                Err(error @ ChannelError::OtherVersion { .. }) => break 'search Err(error.to_string()),
                Err(error) => {
                    refusals += usize::from(matches!(error, ChannelError::Refused));
                    last = format!("{address}: {error}");
                }
            }
        }
        // A token that is good reaches every member within a moment.
        if refusals >= REFUSALS_MAX {
            break Err(last);
        }
        if Instant::now() >= deadline {
            break Err(last);
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    };
    if let Some(beacons) = beacons {
        beacons.abort();
    }
    result
}

/// The outer error is worth another try, the inner one is the cluster's answer.
async fn ask_to_join(
    address: &str,
    identity: &Identity,
    token: &JoinToken,
    member: &Member,
) -> Result<Result<Membership, JoinRefused>, ChannelError> {
    let claim = Claim::Invited(token.invite);
    let mut channel = reach(address, identity, claim, &token.key).await?;
    channel.writer.send(&Frame::Join(member.clone()).to_bytes()).await?;
    let bytes = tokio::time::timeout(ANSWER_MAX, channel.reader.next()).await;
    let bytes = bytes.map_err(|_| ChannelError::Timeout)??;
    match Frame::from_bytes(&bytes) {
        Some(Frame::Welcome(welcome)) => {
            let saved = Saved { shared: welcome.shared, counter: 0 };
            Ok(Ok(Membership::new(token.cluster.clone(), welcome.key, saved)))
        }
        Some(Frame::Refused(refused)) => Ok(Err(refused)),
        _ => Err(ChannelError::NotTandem),
    }
}
