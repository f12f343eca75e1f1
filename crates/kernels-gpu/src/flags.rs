//! Flags both ways: the host's half of the exchanges of a step whose device goes on waiting for them.
//!
//! A device and the host share words of memory. At the end of a piece of a step the device copies its values there and writes the
//! exchange's number to a word that the host polls; the host lets its peers do their part with the values, in place, and writes the
//! number to another word, which the device polls at the beginning of the next piece. The next piece is on its way to the device
//! before the host begins to wait, so that nothing is submitted between an exchange and what follows it.
//!
//! The device's wait has a bound. Where it is passed, the device writes the exchange's number to a third word: from then on nothing
//! that is queued waits any more or gives anything, and everything ends at once. The host does the same where a peer is lost.
//!
//! Nothing here knows a GPU: `flagged` is the lane that uses it, and the tests play the device by a thread.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tandem_tensor::PeerLost;

use crate::device::DeviceError;
use crate::lane::{Exchange, SLOTS, StepError};

/// Words before the values. What the two sides write is in lines of their own, of which the longest have 128 bytes.
pub const HEAD: usize = 64;
/// Where the number of what was last given by the device lies.
pub const GIVEN: usize = 0;
/// Where the number of what was last let in by the host lies.
pub const LET_IN: usize = 32;
/// Where the number of the exchange lies at which everything ends.
pub const ABORTED: usize = 33;

/// How often the host looks at the word before it asks whether the device is still there.
const LOOKS: u32 = 4096;

/// Words that the host and a device see at the same time.
pub struct Mail {
    words: NonNull<u32>,
    exchanged: usize,
    results: usize,
    /// The number of the last exchange. None is 0.
    number: u32,
    device: String,
    /// Whether the device computes on the host's own cores.
    software: bool,
    /// Keeps the words.
    _owner: Box<dyn Send>,
}

// SAFETY: the words belong to this, as long as it has their owner, and nothing in them is bound to a thread.
#[allow(unsafe_code)]
unsafe impl Send for Mail {}

impl Mail {
    /// Words that it takes for an exchange of so many values and for results of so many.
    pub fn len(exchanged: usize, results: usize) -> usize {
        HEAD + exchanged + SLOTS * results
    }

    /// `device`: what errors call it.
    ///
    /// # Safety
    /// There are [`Mail::len`] words there, aligned and all zero, as long as `owner` is kept, and nothing but one device uses
    /// them, by the rules above.
    #[allow(unsafe_code)]
    pub unsafe fn new(
        words: NonNull<u32>,
        exchanged: usize,
        results: usize,
        device: String,
        software: bool,
        owner: Box<dyn Send>,
    ) -> Mail {
        Mail { words, exchanged, results, number: 0, device, software, _owner: owner }
    }

    pub fn exchanged_at(&self) -> usize {
        HEAD
    }

    pub fn results_at(&self, slot: usize) -> usize {
        HEAD + self.exchanged + slot * self.results
    }

    /// A number that no exchange has.
    pub fn next(&mut self) -> u32 {
        self.number = self.number.wrapping_add(1).max(1);
        self.number
    }

    /// Let the device take what the host wrote before.
    pub fn let_in(&self, number: u32) {
        self.flag(LET_IN).store(number, Ordering::Release);
    }

    /// Let everything end that waits or will wait.
    pub fn abort(&self) {
        self.flag(ABORTED).store(self.number.max(1), Ordering::Release);
    }

    /// The exchange at which the device or the host ended everything.
    pub fn aborted(&self) -> Option<u32> {
        Some(self.flag(ABORTED).load(Ordering::Acquire)).filter(|number| *number != 0)
    }

    /// Begin anew after an abort. Nothing that uses the words may be under way.
    pub fn reset(&self) {
        for at in [GIVEN, LET_IN, ABORTED] {
            self.flag(at).store(0, Ordering::Release);
        }
    }

    /// Whether this is what the device gave last; then everything is seen that it gave before.
    pub fn is_given(&self, number: u32) -> bool {
        self.flag(GIVEN).load(Ordering::Acquire) == number
    }

    /// Wait until the device has given this number. `alive`: an error where the device is lost.
    pub fn wait(
        &self,
        number: u32,
        limit: Duration,
        alive: &dyn Fn() -> Result<(), DeviceError>,
    ) -> Result<(), DeviceError> {
        let start = Instant::now();
        let mut looked = 0u32;
        while !self.is_given(number) {
            looked = looked.wrapping_add(1);
            let seldom = match self.software {
                true => LOOKS / 64,
                false => LOOKS,
            };
            match self.software {
                true => std::thread::yield_now(),
                false => std::hint::spin_loop(),
            }
            if looked.is_multiple_of(seldom) {
                if let Some(at) = self.aborted() {
                    return Err(self.lost(at));
                }
                alive()?;
                if start.elapsed() > limit {
                    let (device, seconds) = (self.device.clone(), limit.as_secs());
                    return Err(DeviceError::Silent { device, seconds });
                }
            }
        }
        Ok(())
    }

    fn lost(&self, at: u32) -> DeviceError {
        let reason =
            format!("exchange {at} was given up: the other ranks took longer than the device may wait");
        DeviceError::Failed { device: self.device.clone(), step: "an exchange with other ranks", reason }
    }

    /// Some of the words after the flags. The caller sees to it that the device does not touch them meanwhile.
    #[allow(unsafe_code)]
    pub fn values(&mut self, first: usize, len: usize) -> &mut [u32] {
        let total = Mail::len(self.exchanged, self.results);
        assert!(HEAD <= first && first + len <= total, "{len} words from {first} in room for {total}");
        // SAFETY: the room is that long and initialised, see `new`; `&mut self` keeps the host's other uses out.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_ptr().add(first), len) }
    }

    #[allow(unsafe_code)]
    fn flag(&self, at: usize) -> &AtomicU32 {
        // SAFETY: the flags lie before all values, aligned, and both sides use them as atomics.
        unsafe { AtomicU32::from_ptr(self.words.as_ptr().add(at)) }
    }
}

/// A device that is given a step in pieces.
pub trait Pieces {
    /// Submit the next piece. It begins by waiting until `after` is let in under its number and by taking its values, where it
    /// brings any; it ends by giving the values of the exchange that is returned, where those leave the rank, or the step's results,
    /// and then `number`, in any case.
    fn submit(
        &mut self,
        after: Option<(Exchange, u32)>,
        number: u32,
    ) -> Result<Option<Exchange>, DeviceError>;

    /// Let the piece that was submitted last begin, where it is kept from waiting by itself.
    fn open(&self) {}

    /// An error where the device is lost.
    fn alive(&self) -> Result<(), DeviceError>;
}

/// Take a step to its last piece, and tell the number that its results will be given under. Where this fails, everything that was
/// submitted ends by itself; wait for that before [`Mail::reset`].
pub fn run(
    mail: &mut Mail,
    pieces: &mut dyn Pieces,
    limit: Duration,
    mut meet: impl FnMut(&Exchange, &mut [f32]) -> Result<(), PeerLost>,
) -> Result<u32, StepError> {
    let mut number = mail.next();
    let mut exchange = pieces.submit(None, number)?;
    while let Some(now) = exchange {
        let next = mail.next();
        let mut met = || -> Result<Option<Exchange>, StepError> {
            let after = pieces.submit(Some((now, number)), next)?;
            mail.wait(number, limit, &|| pieces.alive())?;
            let values = mail.values(mail.exchanged_at(), now.len);
            meet(&now, bytemuck::cast_slice_mut(values))?;
            mail.let_in(number);
            pieces.open();
            Ok(after)
        };
        exchange = met().inspect_err(|_| mail.abort())?;
        number = next;
    }
    Ok(number)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::thread::JoinHandle;

    use super::*;

    const LEN: usize = 100;
    const LIMIT: Duration = Duration::from_secs(20);

    /// The other half, as `flags.metal` has it, on a thread.
    struct Simulated {
        words: Arc<Vec<AtomicU32>>,
        act: Vec<u32>,
        /// Looks that a wait may take.
        polls: u32,
    }

    /// A piece: what it waits for and takes, what it gives, and where in the mail that goes.
    type Piece = (Option<(Exchange, u32)>, Option<Exchange>, usize, u32);

    impl Simulated {
        fn take(&mut self, exchange: Exchange, number: u32) {
            let mut left = self.polls;
            loop {
                if self.words[ABORTED].load(Ordering::Acquire) != 0 {
                    return;
                }
                if self.words[LET_IN].load(Ordering::Acquire) == number {
                    break;
                }
                if left == 0 {
                    self.words[ABORTED].store(number, Ordering::Release);
                    return;
                }
                left -= 1;
                std::thread::yield_now();
            }
            if exchange.back {
                let values = self.act.iter_mut().zip(&self.words[HEAD..]);
                values.for_each(|(value, lent)| *value = lent.load(Ordering::Relaxed));
            }
        }

        /// The values of an exchange, or results.
        fn give(&self, exchange: Option<Exchange>, at: usize, number: u32) {
            if self.words[ABORTED].load(Ordering::Acquire) != 0 {
                return;
            }
            if exchange.is_none_or(|exchange| exchange.out) {
                let values = self.act.iter().zip(&self.words[at..]);
                values.for_each(|(value, lent)| lent.store(*value, Ordering::Relaxed));
            }
            self.words[GIVEN].store(number, Ordering::Release);
        }

        /// Between two exchanges every value grows by one.
        fn run(mut self, pieces: &Receiver<Piece>) -> Vec<f32> {
            while let Ok((after, exchange, at, number)) = pieces.recv() {
                if let Some((after, number)) = after {
                    self.take(after, number);
                }
                self.act.iter_mut().for_each(|value| *value = (f32::from_bits(*value) + 1.0).to_bits());
                self.give(exchange, at, number);
            }
            self.act.into_iter().map(f32::from_bits).collect()
        }
    }

    /// A step of these exchanges.
    struct Queue<'a> {
        exchanges: &'a [Exchange],
        at: usize,
        results_at: usize,
        device: Sender<Piece>,
    }

    impl Pieces for Queue<'_> {
        fn submit(
            &mut self,
            after: Option<(Exchange, u32)>,
            number: u32,
        ) -> Result<Option<Exchange>, DeviceError> {
            let exchange = self.exchanges.get(self.at).copied();
            self.at += 1;
            let at = if exchange.is_some() { HEAD } else { self.results_at };
            self.device.send((after, exchange, at, number)).unwrap();
            Ok(exchange)
        }

        fn alive(&self) -> Result<(), DeviceError> {
            Ok(())
        }
    }

    fn device(polls: u32) -> (Mail, Sender<Piece>, JoinHandle<Vec<f32>>) {
        device_with(polls, words())
    }

    fn words() -> Arc<Vec<AtomicU32>> {
        Arc::new((0..Mail::len(LEN, LEN)).map(|_| AtomicU32::new(0)).collect())
    }

    fn device_with(polls: u32, words: Arc<Vec<AtomicU32>>) -> (Mail, Sender<Piece>, JoinHandle<Vec<f32>>) {
        let first = NonNull::new(words.as_ptr().cast_mut().cast::<u32>()).unwrap();
        // SAFETY: the words are kept by the list, which atomics let both sides write.
        #[allow(unsafe_code)]
        let mail = unsafe { Mail::new(first, LEN, LEN, "a GPU".into(), true, Box::new(Arc::clone(&words))) };
        let (sender, pieces) = channel();
        let simulated = Simulated { words, act: vec![0; LEN], polls };
        (mail, sender, std::thread::spawn(move || simulated.run(&pieces)))
    }

    fn exchange(at: usize, out: bool, back: bool) -> Exchange {
        Exchange { at, first: 0, len: LEN, out, back, ..Exchange::default() }
    }

    #[test]
    fn values_are_right_over_many_steps() {
        let (mut mail, device, thread) = device(u32::MAX);
        // The numbers wrap around on the way.
        mail.number = u32::MAX - 50;
        let exchanges: Vec<_> = (0..7).map(|at| exchange(at, true, true)).collect();
        let mut expected = vec![0.0f32; LEN];
        for step in 0..40 {
            let results_at = mail.results_at(step % SLOTS);
            let mut queue = Queue { exchanges: &exchanges, at: 0, results_at, device: device.clone() };
            let number = run(&mut mail, &mut queue, LIMIT, |exchange, values| {
                expected.iter_mut().for_each(|value| *value += 1.0);
                assert_eq!(values, expected, "step {step}, exchange {}", exchange.at);
                // What others have.
                for (i, (value, expected)) in values.iter_mut().zip(&mut expected).enumerate() {
                    *value += (i + exchange.at) as f32;
                    *expected = *value;
                }
                Ok(())
            });
            let number = number.unwrap_or_else(|_| panic!("step {step} failed"));
            mail.wait(number, LIMIT, &|| Ok(())).unwrap();
            expected.iter_mut().for_each(|value| *value += 1.0);
            let results: &[f32] = bytemuck::cast_slice(mail.values(results_at, LEN));
            assert_eq!(results, expected, "the results of step {step}");
        }
        drop(device);
        assert_eq!(thread.join().unwrap(), expected);
    }

    #[test]
    fn values_go_one_way() {
        let (mut mail, device, thread) = device(u32::MAX);
        let exchanges = [exchange(0, false, true), exchange(1, true, false), exchange(2, true, true)];
        let mut queue =
            Queue { exchanges: &exchanges, at: 0, results_at: mail.results_at(0), device: device.clone() };
        let number = run(&mut mail, &mut queue, LIMIT, |exchange, values| {
            match exchange.at {
                0 => values.fill(10.0),
                1 => assert!(values.iter().all(|value| *value == 11.0)),
                _ => assert!(values.iter().all(|value| *value == 12.0)),
            }
            Ok(())
        });
        let number = number.unwrap_or_else(|_| panic!("the step failed"));
        mail.wait(number, LIMIT, &|| Ok(())).unwrap();
        drop((queue, device));
        assert_eq!(thread.join().unwrap(), [13.0; LEN]);
    }

    /// A device error's text.
    fn text(error: StepError) -> String {
        match error {
            StepError::Device(error) => error.to_string(),
            StepError::Peer(_) => panic!("a peer was lost"),
        }
    }

    #[test]
    fn a_peer_that_never_answers_ends_everything() {
        let words = words();
        let (mut mail, device, thread) = device_with(1000, Arc::clone(&words));
        let exchanges: Vec<_> = (0..3).map(|at| exchange(at, true, true)).collect();
        let mut queue =
            Queue { exchanges: &exchanges, at: 0, results_at: mail.results_at(0), device: device.clone() };
        let ran = run(&mut mail, &mut queue, LIMIT, |exchange, _| {
            // The second one answers only when the device has waited too long.
            if exchange.at == 1 {
                while words[ABORTED].load(Ordering::Acquire) == 0 {
                    std::thread::yield_now();
                }
            }
            Ok(())
        });
        let text = text(ran.err().unwrap());
        assert!(text.contains("a GPU") && text.contains("exchange 2 was given up"), "{text}");
        // What is queued behind it returns at once, by the first abort.
        device.send((Some((exchanges[2], 7)), Some(exchanges[2]), HEAD, 8)).unwrap();
        drop((queue, device));
        thread.join().unwrap();
        assert_eq!((mail.flag(GIVEN).load(Ordering::Acquire), mail.aborted().is_some()), (2, true));
        mail.reset();
        assert_eq!(mail.aborted(), None);
    }

    #[test]
    fn a_lost_peer_lets_the_device_go() {
        // The device would wait for hours.
        let (mut mail, device, thread) = device(u32::MAX);
        let exchanges: Vec<_> = (0..3).map(|at| exchange(at, true, true)).collect();
        let mut queue =
            Queue { exchanges: &exchanges, at: 0, results_at: mail.results_at(0), device: device.clone() };
        let ran = run(&mut mail, &mut queue, LIMIT, |exchange, _| match exchange.at {
            0 => Ok(()),
            _ => Err(PeerLost::itself("gone".into())),
        });
        assert!(matches!(ran, Err(StepError::Peer(_))));
        drop((queue, device));
        thread.join().unwrap();
        assert!(mail.aborted().is_some());
    }

    #[test]
    fn a_device_that_says_nothing_is_an_error() {
        let (mut mail, device, thread) = device(1);
        let number = mail.next();
        let waited = mail.wait(number, Duration::from_millis(1), &|| Ok(()));
        assert!(matches!(waited, Err(DeviceError::Silent { .. })));
        drop(device);
        thread.join().unwrap();
    }
}
