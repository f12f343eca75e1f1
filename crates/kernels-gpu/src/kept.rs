//! Lines that are kept of a device for other processes, by its name and driver, in files of the user's cache folder. Another version of
//! Tandem, whose kernels may be others, does not heed them.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use crate::device::DeviceInfo;

/// What a file says of a device; nothing where there is no file.
pub fn lines(folder: &Path, file: &str, device: &DeviceInfo) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
    text.lines().filter_map(|line| line.strip_prefix(&key(device))).map(str::to_owned).collect()
}

/// Add lines that the file does not have.
pub fn add(folder: &Path, file: &str, device: &DeviceInfo, added: &[String]) -> io::Result<()> {
    let mut text = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
    let known = lines(folder, file, device);
    for line in added.iter().filter(|line| !known.contains(line)) {
        let _ = writeln!(text, "{}{line}", key(device));
    }
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join(file), text)
}

/// What a line of a device begins with.
fn key(device: &DeviceInfo) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("{}, {}, {}, Tandem {version}: ", device.name, device.api, device.driver).replace('\n', " ")
}
