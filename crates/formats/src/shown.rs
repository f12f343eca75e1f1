//! Names from a file, made fit to print.

/// A name for a message: control characters escaped, so that a file cannot speak to the terminal, and cut where it
/// would fill the screen.
pub(crate) fn shown(name: &str) -> String {
    const CHARS_MAX: usize = 120;
    let mut text: String = name.chars().take(CHARS_MAX).flat_map(printable).collect();
    if name.chars().nth(CHARS_MAX).is_some() {
        text.push('…');
    }
    text
}

fn printable(c: char) -> impl Iterator<Item = char> {
    let escaped = c.is_control().then(|| c.escape_default());
    let plain = escaped.is_none().then_some(c);
    escaped.into_iter().flatten().chain(plain)
}
