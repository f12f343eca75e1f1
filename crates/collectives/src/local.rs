//! A group of processes of this machine.

use std::time::Duration;

use tandem_fabric::{
    Deadline, Rank,
    local::{Seat, SeatError},
};

use crate::{Group, GroupError, GroupOptions};

#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    #[error(transparent)]
    Seat(#[from] SeatError),
    #[error(transparent)]
    Group(#[from] GroupError),
}

/// Takes a seat and forms the group with the others. Every rank calls this.
pub fn join(seat: &Seat, options: GroupOptions) -> Result<Group, JoinError> {
    let (arena, links) = seat.take(Deadline::after(Duration::from_secs(30)))?;
    let links = links.into_iter().map(|established| established.map(|e| e.link)).collect();
    Ok(Group::form(Rank(seat.rank), links, &arena, options)?)
}
