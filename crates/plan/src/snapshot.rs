//! Texts that tests hold to files; `TANDEM_BLESS=1` writes them.

use std::path::Path;

/// `path` begins at the crate's folder.
pub fn check(path: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("TANDEM_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(expected, text, "{} differs; TANDEM_BLESS=1 writes it anew", path.display());
}
