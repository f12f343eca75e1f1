//! The mutual proof of the secret that opens every data connection, before anything else is parsed. A pure core: bytes in, verdict out.
//!
//! 1. caller → host: magic, lane, nonce, proof 1 (80 bytes). Without a valid one the host says nothing at all.
//! 2. host → caller: nonce, proof 2 over both nonces (64 bytes).
//! 3. caller → host: proof 3 over everything (32 bytes), which a replayed greeting cannot give.

use crate::secret::{Secret, random_bytes};

const MAGIC: &[u8; 8] = b"TANDEM\x00\x01";
const GREETING: usize = 80;
pub(crate) const ANSWER: usize = 64;
const CONFIRMATION: usize = 32;

/// What both ends agree on beforehand and bind the proofs to.
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    pub(crate) secret: Secret,
    /// Names this attempt; chosen at random by the lead and told over the control channel.
    pub(crate) session: [u8; 16],
}

/// A connection both ends have proved: which lane of the link it is, and a key of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Admitted {
    pub(crate) lane: u8,
    pub(crate) key: [u8; 32],
}

/// The host's side of one connection.
#[derive(Debug)]
pub(crate) struct Guest {
    greeting: [u8; GREETING],
    answer: [u8; ANSWER],
    confirmation: [u8; CONFIRMATION],
    greeted: usize,
    confirmed: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Feed what comes next, at most `Guest::wants` bytes.
    More,
    Answer([u8; ANSWER]),
    Admit(Admitted),
    Refuse(&'static str),
}

impl Guest {
    pub(crate) fn new() -> Self {
        Self {
            greeting: [0; GREETING],
            answer: [0; ANSWER],
            confirmation: [0; CONFIRMATION],
            greeted: 0,
            confirmed: 0,
        }
    }

    /// How many bytes may be fed now: never more than the handshake needs, so that nothing behind it is swallowed.
    pub(crate) fn wants(&self) -> usize {
        if self.greeted < GREETING { GREETING - self.greeted } else { CONFIRMATION - self.confirmed }
    }

    pub(crate) fn feed(&mut self, bytes: &[u8], terms: &Terms) -> Verdict {
        if bytes.len() > self.wants() {
            return Verdict::Refuse("more bytes than the handshake has");
        }
        if self.greeted < GREETING {
            self.greeting[self.greeted..][..bytes.len()].copy_from_slice(bytes);
            self.greeted += bytes.len();
            if !MAGIC.starts_with(&self.greeting[..self.greeted.min(MAGIC.len())]) {
                return Verdict::Refuse("not one of ours");
            }
            return if self.greeted == GREETING { self.greet(terms) } else { Verdict::More };
        }
        self.confirmation[self.confirmed..][..bytes.len()].copy_from_slice(bytes);
        self.confirmed += bytes.len();
        if self.confirmed < CONFIRMATION {
            return Verdict::More;
        }
        let expected = terms.secret.mac("confirm", &[&terms.session, &self.greeting, &self.answer]);
        if !Secret::same(&self.confirmation, &expected) {
            return Verdict::Refuse("the confirmation is not under the secret");
        }
        Verdict::Admit(admitted(terms, &self.greeting, &self.answer))
    }

    fn greet(&mut self, terms: &Terms) -> Verdict {
        let (said, proof) = self.greeting.split_at(GREETING - 32);
        let expected = terms.secret.mac("greet", &[&terms.session, said]);
        if proof.try_into().is_ok_and(|proof| Secret::same(proof, &expected)) {
            self.answer[..32].copy_from_slice(&random_bytes::<32>());
            let proof = terms.secret.mac("answer", &[&terms.session, &self.greeting, &self.answer[..32]]);
            self.answer[32..].copy_from_slice(&proof);
            Verdict::Answer(self.answer)
        } else {
            Verdict::Refuse("the greeting is not under the secret")
        }
    }
}

/// The caller's side: send `greeting`, read `ANSWER` bytes, send what `confirm` gives.
#[derive(Debug)]
pub(crate) struct Caller {
    pub(crate) greeting: [u8; GREETING],
}

impl Caller {
    pub(crate) fn new(terms: &Terms, lane: u8) -> Self {
        let mut greeting = [0; GREETING];
        greeting[..8].copy_from_slice(MAGIC);
        greeting[8] = lane;
        greeting[16..48].copy_from_slice(&random_bytes::<32>());
        let proof = terms.secret.mac("greet", &[&terms.session, &greeting[..48]]);
        greeting[48..].copy_from_slice(&proof);
        Self { greeting }
    }

    /// `None` if the host does not know the secret.
    pub(crate) fn confirm(
        &self,
        answer: &[u8; ANSWER],
        terms: &Terms,
    ) -> Option<([u8; CONFIRMATION], Admitted)> {
        let (nonce, proof) = answer.split_at(32);
        let expected = terms.secret.mac("answer", &[&terms.session, &self.greeting, nonce]);
        if !proof.try_into().is_ok_and(|proof| Secret::same(proof, &expected)) {
            return None;
        }
        let confirmation = terms.secret.mac("confirm", &[&terms.session, &self.greeting, answer]);
        Some((confirmation, admitted(terms, &self.greeting, answer)))
    }
}

fn admitted(terms: &Terms, greeting: &[u8; GREETING], answer: &[u8; ANSWER]) -> Admitted {
    let key = terms.secret.mac("session", &[&terms.session, greeting, answer]);
    Admitted { lane: greeting[8], key }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(secret: u8) -> Terms {
        Terms { secret: Secret::new([secret; 32]), session: [7; 16] }
    }

    #[test]
    fn both_ends_agree_however_the_bytes_are_cut() {
        for cut in [1, 7, 80] {
            let terms = terms(1);
            let caller = Caller::new(&terms, 3);
            let mut guest = Guest::new();
            let mut answer = None;
            for piece in caller.greeting.chunks(cut) {
                match guest.feed(piece, &terms) {
                    Verdict::More => {}
                    Verdict::Answer(bytes) => answer = Some(bytes),
                    other => panic!("{other:?}"),
                }
            }
            let (confirmation, ours) = caller.confirm(&answer.unwrap(), &terms).unwrap();
            let mut theirs = None;
            for piece in confirmation.chunks(cut) {
                if let Verdict::Admit(admitted) = guest.feed(piece, &terms) {
                    theirs = Some(admitted);
                }
            }
            assert_eq!(theirs, Some(ours));
            assert_eq!(ours.lane, 3);
        }
    }

    #[test]
    fn the_wrong_secret_gets_no_answer() {
        let caller = Caller::new(&terms(1), 0);
        assert!(matches!(Guest::new().feed(&caller.greeting, &terms(2)), Verdict::Refuse(_)));
        let impostor = [9; ANSWER];
        assert!(caller.confirm(&impostor, &terms(1)).is_none());
    }

    #[test]
    fn a_replayed_greeting_is_not_admitted() {
        let terms = terms(1);
        let caller = Caller::new(&terms, 0);
        let mut first = Guest::new();
        let Verdict::Answer(answer) = first.feed(&caller.greeting, &terms) else { panic!() };
        let (confirmation, _) = caller.confirm(&answer, &terms).unwrap();
        let mut replayed = Guest::new();
        assert!(matches!(replayed.feed(&caller.greeting, &terms), Verdict::Answer(_)));
        assert!(matches!(replayed.feed(&confirmation, &terms), Verdict::Refuse(_)));
    }

    /// A bounded run of mutated and random conversations: refused, never admitted, never a panic.
    #[test]
    fn garbage_is_refused() {
        let terms = terms(1);
        let mut seed = 0x9E37_79B9_7F4A_7C15u64;
        let mut next = move || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed as usize
        };
        for round in 0..20_000 {
            let mut bytes = Caller::new(&terms, 0).greeting.to_vec();
            match round % 3 {
                0 => bytes.iter_mut().for_each(|byte| *byte = next() as u8),
                1 => bytes[next() % GREETING] ^= 1 << (next() % 8),
                _ => bytes.extend((0..64).map(|_| next() as u8)),
            }
            let mut guest = Guest::new();
            let mut rest = &bytes[..];
            while !rest.is_empty() {
                let cut = (next() % rest.len() + 1).min(if round % 5 == 0 {
                    usize::MAX
                } else {
                    guest.wants().max(1)
                });
                let verdict = guest.feed(&rest[..cut], &terms);
                assert!(!matches!(verdict, Verdict::Admit(_)));
                if matches!(verdict, Verdict::Refuse(_)) {
                    break;
                }
                rest = &rest[cut..];
            }
        }
    }
}
