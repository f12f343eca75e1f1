//! Links between ranks: RDMA verbs, shared memory, TCP.
