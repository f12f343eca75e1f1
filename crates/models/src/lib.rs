//! Model architectures as typed descriptions, and one lowering to a flat program.
