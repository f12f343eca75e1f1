use thiserror::Error;

/// Why verbs cannot be used, or stopped working; each message ends with what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum VerbsError {
    #[error("no RDMA verbs library ({tried}); {}", advice::LIBRARY)]
    NoLibrary { tried: String },
    #[error("{library} lacks {symbol}; {}", advice::LIBRARY)]
    MissingSymbol { library: String, symbol: &'static str },
    #[error("the verbs library lists no RDMA device; {}", advice::DEVICE)]
    NoDevice,
    #[error("no RDMA device is called {wanted:?}; there are: {found}")]
    NoSuchDevice { wanted: String, found: String },
    #[error("RDMA device {device} cannot be opened: {why}; {}", advice::OPEN)]
    CannotOpen { device: String, why: String },
    #[error("port 1 of {device} is {state}, not active; plug the cable in or bring its network interface up")]
    PortDown { device: String, state: &'static str },
    #[error(
        "{device} has no GID made from an IPv4 address (found: {found}); give its network interface one, best a static /30 per cable"
    )]
    NoIpv4Gid { device: String, found: String },
    #[error("{device}: {call} failed: {why}{}", advice::after(call, why))]
    Call { device: String, call: &'static str, why: String },
    #[error(
        "an arena of {len} bytes at {start:#x} crosses a 4 GiB boundary, which Thunderbolt devices refuse to register; use arenas under 4 GiB"
    )]
    CrossesBoundary { start: usize, len: usize },
    #[error("the peer's verbs offer is malformed: {0}; both sides must run the same version")]
    BadOffer(&'static str),
    #[error(
        "no cable connects the two machines: here {here}, there {there}; both ends of a cable need addresses of one subnet"
    )]
    NoCommonSubnet { here: String, there: String },
}

/// Errors known only by number carry the system's words for it.
pub(super) fn last_os_error() -> String {
    std::io::Error::last_os_error().to_string()
}

pub(super) fn os_error(code: i32) -> String {
    std::io::Error::from_raw_os_error(code).to_string()
}

mod advice {
    #[cfg(target_os = "macos")]
    pub const LIBRARY: &str = "RDMA over Thunderbolt needs macOS 26.2 or later";
    #[cfg(target_env = "musl")]
    pub const LIBRARY: &str = "a static build loads no libraries: use the build for glibc";
    #[cfg(not(any(target_os = "macos", target_env = "musl")))]
    pub const LIBRARY: &str = "install rdma-core's libraries (Debian: libibverbs1 and ibverbs-providers)";

    #[cfg(target_os = "macos")]
    pub const DEVICE: &str =
        "run `rdma_ctl enable` once in Recovery and reboot; only Thunderbolt 5 machines have one";
    #[cfg(not(target_os = "macos"))]
    pub const DEVICE: &str = "load the card's driver, or for software RDMA over Ethernet: `modprobe rdma_rxe` and `rdma link add rxe0 type rxe netdev eth0`";

    #[cfg(target_os = "macos")]
    pub const OPEN: &str = "another process may own it (one process per device); `rdma_ctl status` shows whether RDMA is enabled";
    #[cfg(not(target_os = "macos"))]
    pub const OPEN: &str =
        "check the permissions of /dev/infiniband/uverbs* and that the ib_uverbs module is loaded";

    pub fn after(call: &str, why: &str) -> &'static str {
        let no_memory = why.contains("Cannot allocate memory");
        match call {
            "ibv_reg_mr" if no_memory => "; raise the locked-memory limit (`ulimit -l unlimited`)",
            "ibv_create_qp" if why.contains("busy") => {
                "; the device has no queue pair left (Thunderbolt: 10 for all processes); close other users or reboot"
            }
            _ => "",
        }
    }
}
