//! How many tokens a model's cache holds. This is the one place that decides it, for processes and for clusters.

/// Shorter contexts are not worth having.
pub const CONTEXT_MIN: usize = 512;
/// For a context of this length a cache may take all that is free; for more, half of it.
pub(crate) const CONTEXT_GOOD: usize = 16_384;
/// Tokens for each sequence beside the one that has a whole context.
const SEQUENCE_TOKENS: usize = 4096;
/// Sequences decoded together where nobody says otherwise.
pub const SEQUENCES_MAX: usize = 32;
/// Sizes that were searched for are multiples of this; blocks of caches are no longer.
const GRAIN: usize = 64;

/// What models may take of `free` bytes: a tenth is left to the rest of the machine.
pub fn room_bytes(free: u64) -> u64 {
    free - free / 10
}

/// What a cache should hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheWish {
    /// Tokens of one sequence, where a person decided.
    pub context: Option<usize>,
    /// Bytes of the whole cache, over all ranks, where a person decided.
    pub cache_bytes: Option<u64>,
    /// Tokens the model was made for.
    pub context_trained: usize,
    pub sequences_max: usize,
}

/// What a cache will hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheRoom {
    /// Tokens of one sequence.
    pub context: usize,
    /// Tokens of all sequences.
    pub tokens: usize,
}

/// There is no room for a context of `context` tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRoom {
    pub context: usize,
}

/// `left` are the bytes that each rank has for its cache, and `bytes` is what the cache of a rank takes with so many tokens.
///
/// Without a wish, one sequence may have the model's own context, and the others some thousand tokens each, as far as half of what is
/// left holds them: other models and programs find room in the other half. Only a context shorter than [`CONTEXT_GOOD`] takes more
/// than half. A wish may take all of it.
pub fn cache_room(
    wish: &CacheWish,
    left: &[u64],
    bytes: impl Fn(usize, usize) -> u64,
) -> Result<CacheRoom, NoRoom> {
    let trained = wish.context_trained.max(1);
    let beside = wish.sequences_max.saturating_sub(1).saturating_mul(SEQUENCE_TOKENS);
    let fits = |part: u64| {
        let (left, bytes) = (left.iter().enumerate(), &bytes);
        move |tokens: usize| left.clone().all(|(rank, left)| bytes(rank, tokens) <= left / part)
    };
    let in_all = |tokens| (0..left.len()).map(|rank| bytes(rank, tokens)).sum::<u64>();
    let holds = |tokens| fits(1)(tokens) && wish.cache_bytes.is_none_or(|allowed| in_all(tokens) <= allowed);
    let ceiling = match wish.cache_bytes {
        None => trained.saturating_add(beside),
        Some(allowed) => usize::try_from(allowed).unwrap_or(usize::MAX).min(TOKENS_MAX),
    };
    // The search may end a little below what fits; these lengths matter.
    let least = CONTEXT_MIN.min(trained);
    let exact = [wish.context.map_or(least, |asked| asked.min(trained)), CONTEXT_GOOD.min(trained), least];
    let most = exact.into_iter().filter(|tokens| holds(*tokens)).fold(largest(ceiling, holds), usize::max);
    let comfortable = match wish.cache_bytes {
        None => largest(most, fits(2)),
        Some(_) => most,
    };
    let context = match wish.context {
        Some(asked) => asked.min(trained),
        None => trained.min(comfortable.max(CONTEXT_GOOD.min(most))).max(least),
    };
    if context > most {
        return Err(NoRoom { context });
    }
    let tokens = match wish.cache_bytes {
        None => context.max(comfortable.min(context.saturating_add(beside))),
        Some(_) => most,
    };
    Ok(CacheRoom { context, tokens })
}

/// More tokens than any memory holds.
const TOKENS_MAX: usize = 1 << 40;

/// The largest number up to `most` that fits, or a little less; whatever is smaller than one that fits does too.
pub(crate) fn largest(most: usize, fits: impl Fn(usize) -> bool) -> usize {
    // From below, so that nobody is asked for sizes beyond reason.
    let (mut below, mut above) = (0, most.min(1 << 16));
    while fits(above) {
        if above == most {
            return most;
        }
        (below, above) = (above, most.min(2 * above));
    }
    while above - below > GRAIN.max(below / 512) {
        let middle = below + (above - below) / 2;
        if fits(middle) { below = middle } else { above = middle }
    }
    below / GRAIN * GRAIN
}

#[cfg(test)]
mod tests {
    use super::*;

    const PER_TOKEN: u64 = 100_000;

    fn wish(context: Option<usize>, cache_bytes: Option<u64>) -> CacheWish {
        CacheWish { context, cache_bytes, context_trained: 131_072, sequences_max: 32 }
    }

    /// Two ranks, of which the second has the larger part.
    fn room(wish: CacheWish, left: [u64; 2]) -> Result<CacheRoom, NoRoom> {
        cache_room(&wish, &left, |rank, tokens| tokens as u64 * PER_TOKEN / 3 * (rank as u64 + 1))
    }

    #[test]
    fn with_much_memory_a_whole_context_and_many_streams_fit() {
        let room = room(wish(None, None), [1 << 40, 1 << 40]).unwrap();
        assert_eq!(room, CacheRoom { context: 131_072, tokens: 131_072 + 31 * 4096 });
    }

    #[test]
    fn no_cache_takes_more_than_is_left_and_none_over_half_without_need() {
        let mut seed = 1u64;
        let mut random = |most: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % most
        };
        for _ in 0..5_000 {
            let scale = 1 << random(42);
            let left = [random(scale) + 1, random(scale) + 1];
            let asked = (random(3) == 0).then(|| random(140_000) as usize + 1);
            let allowed = (random(3) == 0).then(|| random(2 * scale));
            let wish = CacheWish { sequences_max: 1 + random(64) as usize, ..wish(asked, allowed) };
            let per_token = [PER_TOKEN / 3, PER_TOKEN / 3 * 2];
            let bytes = |rank: usize, tokens: usize| tokens as u64 * per_token[rank];
            let fits = |tokens: usize, part: u64| {
                (0..2).all(|rank| bytes(rank, tokens) <= left[rank] / part)
                    && allowed.is_none_or(|allowed| bytes(0, tokens) + bytes(1, tokens) <= allowed)
            };
            match cache_room(&wish, &left, bytes) {
                Ok(CacheRoom { context, tokens }) => {
                    assert!(fits(tokens, 1), "{wish:?} in {left:?}: {tokens}");
                    assert!(
                        context <= tokens
                            && context <= 131_072
                            && context >= asked.map_or(CONTEXT_MIN, |asked| asked.min(131_072))
                    );
                    if asked.is_none() && allowed.is_none() {
                        assert!(fits(tokens, 2) || tokens <= CONTEXT_GOOD, "{wish:?} in {left:?}: {tokens}");
                        // What fits comfortably is had, but for the grain of the search.
                        let full = 131_072 + (wish.sequences_max - 1) * 4096;
                        assert!(
                            tokens == full || !fits(tokens + tokens / 256 + 2 * GRAIN, 2),
                            "{wish:?} in {left:?}: {tokens}"
                        );
                    }
                }
                Err(NoRoom { context }) => {
                    assert!(!fits(context + context / 256 + 2 * GRAIN, 1), "{wish:?} in {left:?}")
                }
            }
        }
    }

    #[test]
    fn a_good_context_is_worth_more_than_half() {
        let left = 20_000 * PER_TOKEN / 3;
        let found = room(wish(None, None), [left, 2 * left]).unwrap();
        assert_eq!(found, CacheRoom { context: 16_384, tokens: 16_384 });
        // A longer one that is asked for may take all.
        let found = room(wish(Some(19_000), None), [left, 2 * left]).unwrap();
        assert_eq!(found.context, 19_000);
        assert_eq!(room(wish(Some(21_000), None), [left, 2 * left]), Err(NoRoom { context: 21_000 }));
    }

    #[test]
    fn memory_for_the_cache_is_what_was_given() {
        let plenty = [1 << 40, 1 << 40];
        let found = room(wish(None, Some(1_000_000_000)), plenty).unwrap();
        assert_eq!(found.context, found.tokens);
        assert!((9_900..=10_000).contains(&found.tokens), "{found:?}");
        // More than one context and all streams would take is more room for prompts that come again.
        let found = room(wish(None, Some(100_000_000_000)), plenty).unwrap();
        assert_eq!(found.context, 131_072);
        assert!((990_000..=1_000_000).contains(&found.tokens), "{found:?}");
        assert_eq!(room(wish(Some(20_000), Some(1_000_000_000)), plenty), Err(NoRoom { context: 20_000 }));
    }
}
