//! Finds a model's file, or brings what is needed of it from the nearest node that has it.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use tandem_cluster::NodeId;
use tandem_fabric::{Arena, Attended, Link, Lobby};
use tandem_formats::Gguf;
use tandem_runtime::ModelFile;
use tokio::sync::{mpsc, watch};

use crate::errands;
use crate::frame::{Errand, Frame, Purpose};
use crate::hex::random_bytes;
use crate::placing::Body;
use crate::shelf::Shelf;
use crate::shell::Event;
use crate::slices::{Unit, of_program, range};
use crate::snapshot::Snapshot;
use crate::weights::{Partial, send};

/// Says, from a file's header, which of its bytes are needed.
type Units<'a> = dyn Fn(&ModelFile, &Gguf) -> Result<Vec<Unit>, String> + 'a;

pub struct Fetcher {
    pub me: NodeId,
    pub shelf: Arc<Shelf>,
    /// Where parts of files are kept.
    pub folder: PathBuf,
    pub events: mpsc::UnboundedSender<Event>,
    pub snapshot: watch::Receiver<Arc<Snapshot>>,
    pub hosts: Box<dyn Fn() -> Vec<IpAddr> + Send + Sync>,
}

impl Fetcher {
    /// A file with everything that the rank reads.
    pub fn for_rank(&self, body: &Body, rank: usize, progress: &dyn Fn(u64, u64)) -> Result<PathBuf, String> {
        if let Some(path) = self.shelf.path(&body.model, body.version) {
            return Ok(path);
        }
        self.fetch(&body.model, body.version, progress, &|file, gguf| {
            let model = file.description().map_err(|error| error.to_string())?;
            let shards = body.blueprint.shards(file, &model).map_err(|error| error.to_string())?;
            let shard = shards.get(rank).ok_or("the blueprint has no such rank")?;
            let program = file.program(&model, shard).map_err(|error| error.to_string())?;
            Ok(of_program(gguf, &program).unwrap_or_else(|| range(0, gguf.file_bytes()).collect()))
        })
    }

    /// A file with at least the header: tokenizer, template and facts.
    pub fn header(&self, model: &str, version: u64) -> Result<PathBuf, String> {
        match self.shelf.path(model, version) {
            Some(path) => Ok(path),
            None => self.fetch(model, version, &|_, _| {}, &|_, _| Ok(Vec::new())),
        }
    }

    fn fetch(
        &self,
        model: &str,
        version: u64,
        progress: &dyn Fn(u64, u64),
        units: &Units,
    ) -> Result<PathBuf, String> {
        let mut last = format!("no live node has the file of {model} in version {version:016x}");
        for node in self.sources(model, version) {
            let tried = self.meet(node, model, version).and_then(|(attended, secret)| {
                let Attended { arena, mut links, pulse: _pulse } = attended;
                let mut established = links.pop().flatten().ok_or("no link was made")?;
                let link = &mut *established.link;
                let brought = self.bring(link, &arena, &secret, model, version, progress, units);
                Partial::end(link);
                brought
            });
            match tried {
                Ok(path) => return Ok(path),
                Err(reason) => last = reason,
            }
        }
        Err(format!("the weights of {model} could not be fetched: {last}"))
    }

    fn bring(
        &self,
        link: &mut dyn Link,
        arena: &Arena,
        secret: &[u8; 32],
        model: &str,
        version: u64,
        progress: &dyn Fn(u64, u64),
        units: &Units,
    ) -> Result<PathBuf, String> {
        let name: String = model.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let path = self.folder.join(format!("{name}-{version:016x}.gguf"));
        let text = |error: crate::weights::WeightsError| error.to_string();
        let mut partial =
            Partial::open(&path).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        let (_, header_bytes) = partial.sizes(link).map_err(text)?;
        let header: Vec<_> = range(0, header_bytes).collect();
        partial.fetch(link, arena, secret, &header, &|_, _| {}).map_err(text)?;
        let file = ModelFile::open(&path).map_err(|error| error.to_string())?;
        let gguf = file.gguf().ok_or("only GGUF files can be fetched from other nodes")?;
        if file.weights().identity().header_hash != version {
            return Err("the other node has another version of the file".into());
        }
        let units = units(&file, gguf)?;
        partial.fetch(link, arena, secret, &units, progress).map_err(text)?;
        Ok(partial.path().to_owned())
    }

    /// Live nodes that have the file, the nearest first.
    fn sources(&self, model: &str, version: u64) -> Vec<NodeId> {
        let snapshot = self.snapshot.borrow().clone();
        let has = |id: &NodeId| {
            let here = snapshot.inventories.get(id).and_then(|inventory| inventory.models.get(model));
            *id != self.me && here.is_some_and(|here| here.version == version)
        };
        let rate = |id: &NodeId| {
            let from = |a: &NodeId, b: &NodeId| {
                snapshot.inventories.get(a)?.links.get(b).map(|link| link.bytes_per_s)
            };
            from(&self.me, id).or_else(|| from(id, &self.me)).unwrap_or(0.0)
        };
        let mut sources: Vec<_> = snapshot.live.iter().filter(|id| has(id)).copied().collect();
        sources.sort_by(|a, b| rate(b).total_cmp(&rate(a)));
        sources
    }

    fn meet(&self, node: NodeId, model: &str, version: u64) -> Result<(Attended, [u8; 32]), String> {
        let hosts = (self.hosts)();
        let lobby = Lobby::open(errands::any_address(&hosts)).map_err(|error| error.to_string())?;
        let secret = random_bytes::<32>().map_err(|error| error.to_string())?;
        let addresses: Vec<_> =
            hosts.iter().map(|host| SocketAddr::new(*host, lobby.address().port())).collect();
        let purpose = Purpose::Weights { model: model.to_owned(), version };
        let texts = addresses.iter().map(SocketAddr::to_string).collect();
        let meet = Errand { addresses: texts, secret, purpose };
        let _ = self.events.send(Event::Send { to: node, frame: Frame::Errand(meet) });
        Ok((errands::attend(lobby, errands::HOST, secret, addresses)?, secret))
    }
}

/// The other side of it: sends a file's pieces to the node that asked.
pub fn serve(
    shelf: &Shelf,
    attended: Attended,
    secret: &[u8; 32],
    model: &str,
    version: u64,
) -> Result<(), String> {
    let path = shelf.path(model, version).ok_or("the file is not here any more")?;
    let header_bytes = {
        let gguf = Gguf::open(&path).map_err(|error| error.to_string())?;
        gguf.header_bytes().ok_or("the model is not one file")?
    };
    let Attended { arena, mut links, pulse: _pulse } = attended;
    let mut established = links.swap_remove(usize::from(errands::HOST)).ok_or("no link was made")?;
    send(&mut *established.link, &arena, secret, &path, header_bytes).map_err(|error| error.to_string())
}
