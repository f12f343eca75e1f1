//! The control channel: encrypted, authenticated both ways, and silent to strangers.
//!
//! A caller says in the clear only its protocol version, whether it comes as a member or with an invitation, and which
//! cluster or invitation it means. Then Noise `XXpsk0`: the key shared by the cluster's members, or the invitation's, is mixed
//! in from the first message on, so that whoever lacks it learns nothing, not even the other side's public key; static keys
//! prove who is who. After that, messages of any size up to [`MESSAGE_MAX`] in sealed pieces.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use snow::{Builder, HandshakeState, StatelessTransportState};
use tandem_cluster::NodeId;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::time::timeout;

use crate::home::{Identity, NOISE};

/// Major and minor. The major part changes whenever nodes of different software could misunderstand each other; nodes that
/// differ in the minor part work together, and pass over what they do not know.
pub const PROTOCOL: u16 = 0x0500;

/// A prompt of some million tokens.
pub const MESSAGE_MAX: usize = 64 << 20;

const MAGIC: &[u8; 4] = b"TNDM";
const HANDSHAKE_MAX: Duration = Duration::from_secs(3);
const PIECE: usize = 65_000;

/// What a caller wants to be let in as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// Of the cluster with this hash.
    Member([u8; 8]),
    /// With this invitation.
    Invited([u8; 8]),
}

#[derive(Debug, thiserror::Error)]
pub enum ChannelError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("nothing came in time")]
    Timeout,
    #[error("the other side is not a Tandem node; check the address and the port")]
    NotTandem,
    #[error(
        "the other node speaks version {}.{} of the protocol and this one {}.{}; run the same version of Tandem on both",
        theirs >> 8, theirs & 0xff, PROTOCOL >> 8, PROTOCOL & 0xff
    )]
    OtherVersion { theirs: u16 },
    #[error("the other side did not let us in; it does not know the token, or is of another cluster")]
    Refused,
    #[error("the handshake failed: {0}")]
    Handshake(snow::Error),
    #[error("a message of {0} bytes, at most {MESSAGE_MAX} are taken")]
    TooLong(usize),
    #[error("the channel was tampered with: {0}")]
    Seal(snow::Error),
}

/// An open channel to a node whose key is proven.
pub struct Channel {
    pub remote: NodeId,
    pub claim: Claim,
    pub reader: Reader,
    pub writer: Writer,
}

pub struct Reader {
    stream: OwnedReadHalf,
    seal: Arc<StatelessTransportState>,
    nonce: u64,
    buffer: Vec<u8>,
}

pub struct Writer {
    stream: OwnedWriteHalf,
    seal: Arc<StatelessTransportState>,
    nonce: u64,
}

/// Opens a channel to whoever listens on the other end.
pub async fn call(
    mut stream: TcpStream,
    identity: &Identity,
    claim: Claim,
    psk: &[u8; 32],
) -> Result<Channel, ChannelError> {
    stream.set_nodelay(true)?;
    let open = async {
        let hello = hello(claim);
        stream.write_all(&hello).await?;
        let mut answer = [0; 6];
        match stream.read_exact(&mut answer).await {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Err(ChannelError::Refused),
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => {
                return Err(ChannelError::Refused);
            }
            Err(error) => return Err(error.into()),
        }
        check_version(&answer)?;
        let mut noise = builder(identity, psk, &hello)?.build_initiator().map_err(ChannelError::Handshake)?;
        send_step(&mut noise, &mut stream).await?;
        hear_step(&mut noise, &mut stream).await.map_err(refused)?;
        send_step(&mut noise, &mut stream).await?;
        finish(noise, claim)
    };
    let (remote, claim, seal) = timeout(HANDSHAKE_MAX, open).await.map_err(|_| ChannelError::Timeout)??;
    Ok(halves(stream, remote, claim, seal))
}

/// Answers a caller; `psk` gives the key that belongs to its claim, and nothing is said to a claim without one.
pub async fn answer(
    mut stream: TcpStream,
    identity: &Identity,
    psk: impl Fn(Claim) -> Option<[u8; 32]>,
) -> Result<Channel, ChannelError> {
    stream.set_nodelay(true)?;
    let open = async {
        let mut hello = [0; 15];
        stream.read_exact(&mut hello).await?;
        if &hello[..4] != MAGIC {
            return Err(ChannelError::NotTandem);
        }
        let mut version = [0; 6];
        version[..4].copy_from_slice(MAGIC);
        version[4..].copy_from_slice(&PROTOCOL.to_le_bytes());
        let theirs = check_version(&hello[..6]);
        if theirs.is_err() {
            // Said so that the other side can tell its user.
            stream.write_all(&version).await?;
            stream.shutdown().await?;
        }
        theirs?;
        let which = std::array::from_fn(|i| hello[7 + i]);
        let claim = match hello[6] {
            0 => Claim::Member(which),
            1 => Claim::Invited(which),
            _ => return Err(ChannelError::NotTandem),
        };
        let psk = psk(claim).ok_or(ChannelError::Refused)?;
        stream.write_all(&version).await?;
        let mut noise =
            builder(identity, &psk, &hello)?.build_responder().map_err(ChannelError::Handshake)?;
        hear_step(&mut noise, &mut stream).await?;
        send_step(&mut noise, &mut stream).await?;
        hear_step(&mut noise, &mut stream).await?;
        finish(noise, claim)
    };
    let (remote, claim, seal) = timeout(HANDSHAKE_MAX, open).await.map_err(|_| ChannelError::Timeout)??;
    Ok(halves(stream, remote, claim, seal))
}

fn hello(claim: Claim) -> [u8; 15] {
    let (kind, which) = match claim {
        Claim::Member(which) => (0, which),
        Claim::Invited(which) => (1, which),
    };
    let mut bytes = [0; 15];
    bytes[..4].copy_from_slice(MAGIC);
    bytes[4..6].copy_from_slice(&PROTOCOL.to_le_bytes());
    bytes[6] = kind;
    bytes[7..].copy_from_slice(&which);
    bytes
}

fn check_version(bytes: &[u8]) -> Result<(), ChannelError> {
    if &bytes[..4] != MAGIC {
        return Err(ChannelError::NotTandem);
    }
    let theirs = u16::from_le_bytes([bytes[4], bytes[5]]);
    if theirs >> 8 == PROTOCOL >> 8 { Ok(()) } else { Err(ChannelError::OtherVersion { theirs }) }
}

fn builder<'a>(
    identity: &'a Identity,
    psk: &'a [u8; 32],
    hello: &'a [u8],
) -> Result<Builder<'a>, ChannelError> {
    let make =
        || Builder::new(NOISE.parse()?).local_private_key(&identity.private)?.psk(0, psk)?.prologue(hello);
    make().map_err(ChannelError::Handshake)
}

async fn send_step(noise: &mut HandshakeState, stream: &mut TcpStream) -> Result<(), ChannelError> {
    let mut message = [0; 514];
    let len = noise.write_message(&[], &mut message[2..]).map_err(ChannelError::Handshake)?;
    message[..2].copy_from_slice(&(len as u16).to_le_bytes());
    Ok(stream.write_all(&message[..2 + len]).await?)
}

async fn hear_step(noise: &mut HandshakeState, stream: &mut TcpStream) -> Result<(), ChannelError> {
    let len = stream.read_u16_le().await? as usize;
    let mut message = [0; 512];
    let message = message.get_mut(..len).ok_or(ChannelError::NotTandem)?;
    stream.read_exact(message).await?;
    noise.read_message(message, &mut [0; 512]).map_err(ChannelError::Handshake)?;
    Ok(())
}

/// The other side hangs up on a wrong key without a word.
fn refused(error: ChannelError) -> ChannelError {
    match error {
        ChannelError::Io(_) => ChannelError::Refused,
        other => other,
    }
}

type Finished = (NodeId, Claim, StatelessTransportState);

fn finish(noise: HandshakeState, claim: Claim) -> Result<Finished, ChannelError> {
    let remote = noise.get_remote_static().and_then(|key| <[u8; 32]>::try_from(key).ok());
    let remote = remote.ok_or(ChannelError::NotTandem)?;
    let seal = noise.into_stateless_transport_mode().map_err(ChannelError::Handshake)?;
    Ok((NodeId(remote), claim, seal))
}

fn halves(stream: TcpStream, remote: NodeId, claim: Claim, seal: StatelessTransportState) -> Channel {
    let seal = Arc::new(seal);
    let (read, write) = stream.into_split();
    Channel {
        remote,
        claim,
        reader: Reader { stream: read, seal: Arc::clone(&seal), nonce: 0, buffer: Vec::new() },
        writer: Writer { stream: write, seal, nonce: 0 },
    }
}

impl Writer {
    pub async fn send(&mut self, message: &[u8]) -> Result<(), ChannelError> {
        if message.len() > MESSAGE_MAX {
            return Err(ChannelError::TooLong(message.len()));
        }
        let mut plain = Vec::with_capacity(message.len() + 4);
        plain.extend_from_slice(&(message.len() as u32).to_le_bytes());
        plain.extend_from_slice(message);
        let mut sealed = vec![0; plain.len() + (plain.len() / PIECE + 1) * 18];
        let mut at = 0;
        for piece in plain.chunks(PIECE) {
            let len = self
                .seal
                .write_message(self.nonce, piece, &mut sealed[at + 2..])
                .map_err(ChannelError::Seal)?;
            self.nonce += 1;
            sealed[at..at + 2].copy_from_slice(&(len as u16).to_le_bytes());
            at += 2 + len;
        }
        Ok(self.stream.write_all(&sealed[..at]).await?)
    }
}

impl Reader {
    pub async fn next(&mut self) -> Result<Vec<u8>, ChannelError> {
        let mut sealed = vec![0; PIECE + 16];
        loop {
            if let Some((head, rest)) = self.buffer.split_first_chunk::<4>() {
                let len = u32::from_le_bytes(*head) as usize;
                if len > MESSAGE_MAX {
                    return Err(ChannelError::TooLong(len));
                }
                if rest.len() >= len {
                    let message = rest[..len].to_vec();
                    self.buffer.drain(..4 + len);
                    return Ok(message);
                }
            }
            let len = self.stream.read_u16_le().await? as usize;
            let piece = sealed.get_mut(..len).ok_or(ChannelError::NotTandem)?;
            self.stream.read_exact(piece).await?;
            let start = self.buffer.len();
            self.buffer.resize(start + len, 0);
            let opened = self
                .seal
                .read_message(self.nonce, piece, &mut self.buffer[start..])
                .map_err(ChannelError::Seal)?;
            self.nonce += 1;
            self.buffer.truncate(start + opened);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::net::TcpListener;

    fn identity() -> Identity {
        let pair = Builder::new(NOISE.parse().unwrap()).generate_keypair().unwrap();
        Identity { private: pair.private.try_into().unwrap(), id: NodeId(pair.public.try_into().unwrap()) }
    }

    async fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let caller = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        (caller, listener.accept().await.unwrap().0)
    }

    #[tokio::test]
    async fn both_sides_know_each_other_and_messages_of_all_sizes_pass() {
        let (a, b) = (identity(), identity());
        let (caller, answerer) = pair().await;
        let claim = Claim::Member([3; 8]);
        let key = [9; 32];
        let (here, there) = tokio::join!(call(caller, &a, claim, &key), answer(answerer, &b, |_| Some(key)));
        let (mut here, mut there) = (here.unwrap(), there.unwrap());
        assert_eq!((here.remote, there.remote, there.claim), (b.id, a.id, claim));
        for len in [0, 1, PIECE - 4, PIECE, 1_000_000] {
            let message: Vec<u8> = (0..len).map(|i| i as u8).collect();
            let (sent, heard) = tokio::join!(here.writer.send(&message), there.reader.next());
            sent.unwrap();
            assert_eq!(heard.unwrap(), message);
            there.writer.send(&message[..len.min(10)]).await.unwrap();
            assert_eq!(here.reader.next().await.unwrap(), message[..len.min(10)]);
        }
    }

    #[tokio::test]
    async fn a_wrong_key_a_stranger_and_another_version_are_refused() {
        let (a, b) = (identity(), identity());
        let (caller, answerer) = pair().await;
        let claim = Claim::Invited([1; 8]);
        let (here, there) =
            tokio::join!(call(caller, &a, claim, &[1; 32]), answer(answerer, &b, |_| Some([2; 32])));
        assert!(matches!(here, Err(ChannelError::Refused)), "{:?}", here.err());
        assert!(matches!(there, Err(ChannelError::Handshake(_))), "{:?}", there.err());

        let (caller, answerer) = pair().await;
        let (here, _) = tokio::join!(call(caller, &a, claim, &[1; 32]), answer(answerer, &b, |_| None));
        assert!(matches!(here, Err(ChannelError::Refused)), "{:?}", here.err());

        let (mut caller, answerer) = pair().await;
        let mut other = hello(claim);
        other[5] = 99;
        caller.write_all(&other).await.unwrap();
        let there = answer(answerer, &b, |_| Some([1; 32])).await;
        assert!(matches!(there, Err(ChannelError::OtherVersion { theirs: 0x6300 })), "{:?}", there.err());
        let mut told = Vec::new();
        caller.read_to_end(&mut told).await.unwrap();
        assert_eq!(told, [b"TNDM", &PROTOCOL.to_le_bytes()[..]].concat(), "the caller can say what is wrong");

        let (caller, mut answerer) = pair().await;
        let newer = async {
            answerer.read_exact(&mut [0; 15]).await.unwrap();
            answerer.write_all(b"TNDM\x07\x63").await.unwrap();
        };
        let (here, ()) = tokio::join!(call(caller, &a, claim, &[1; 32]), newer);
        let said = here.err().unwrap().to_string();
        assert!(said.contains("version 99.7") && said.contains("run the same version"), "{said}");
    }
}
