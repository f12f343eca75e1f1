//! Scheduler, paged cache, sampler and the step loop.
