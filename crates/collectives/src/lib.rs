//! All-reduce and its kin over fabric links.
