//! What an engine drives.

use tandem_tensor::{Batch, PeerLost, Rest, Session};

/// A whole model, on one rank or on many, that computes batches in the order in which they begin.
pub trait Stepper: Send {
    /// How many batches may be under way at once: more than one where stages work on different batches at a time.
    fn depth(&self) -> usize {
        1
    }

    /// Whether one more batch may be under way, whose rows' tokens the batch before it gives ([`Batch::fed`]).
    fn feeds(&self) -> bool {
        false
    }

    /// Begin `batch`, which may then go on while others begin. At most `depth` may be begun and not finished, and one that is fed.
    fn start(&mut self, batch: &Batch) -> Result<(), PeerLost>;

    /// Wait for the oldest batch that was begun. Afterwards `result` holds its rows.
    fn finish(&mut self) -> Result<(), PeerLost>;

    /// `[batch.outputs.len(), vocabulary]` of the last batch that was finished.
    fn result(&self) -> &[f32];

    /// Whether it keeps to [`Batch::masks`] and gives [`rests`](Self::rests): see [`Session::reduces`].
    fn reduces(&self) -> bool {
        false
    }

    /// What is known of the values that `result` leaves out, for each output; empty where it has them all.
    fn rests(&self) -> &[Rest] {
        &[]
    }

    /// Bring all values of one output into `result`. No other batch may have begun since the last was finished.
    fn fetch(&mut self, _output: usize) -> Result<(), PeerLost> {
        Ok(())
    }

    /// `[batch.outputs.len(), hidden width]` of that batch; empty where it did not ask for them, `None` where this model never has
    /// them.
    fn hidden(&self) -> Option<&[f32]> {
        None
    }
}

/// A model that one rank holds.
pub struct OneRank(pub Box<dyn Session>);

impl Stepper for OneRank {
    fn start(&mut self, batch: &Batch) -> Result<(), PeerLost> {
        self.0.start(batch).map_err(|lost| lost.said_by(0))
    }

    fn finish(&mut self) -> Result<(), PeerLost> {
        self.0.finish().map_err(|lost| lost.said_by(0))
    }

    fn feeds(&self) -> bool {
        self.0.feeds()
    }

    fn result(&self) -> &[f32] {
        self.0.result()
    }

    fn reduces(&self) -> bool {
        self.0.reduces()
    }

    fn rests(&self) -> &[Rest] {
        self.0.rests()
    }

    fn fetch(&mut self, output: usize) -> Result<(), PeerLost> {
        self.0.fetch(output).map_err(|lost| lost.said_by(0))
    }

    fn hidden(&self) -> Option<&[f32]> {
        self.0.hidden()
    }
}
