//! The alphabet in which byte-level vocabularies write bytes as printable characters.
//!
//! Printable bytes of Latin-1 stand for themselves; the others follow from U+0100 on, in order: a space is `Ġ`.

/// The byte that `c` stands for.
pub(crate) fn byte_of(c: char) -> Option<u8> {
    let code = c as u32;
    match code {
        0x21..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF => Some(code as u8),
        0x100..=0x120 => Some((code - 0x100) as u8),
        0x121..=0x142 => Some((code - 0x121 + 0x7F) as u8),
        0x143 => Some(0xAD),
        _ => None,
    }
}

/// The character that stands for `byte`.
pub(crate) fn char_of(byte: u8) -> char {
    match byte {
        0x21..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF => char::from(byte),
        0x00..=0x20 => char::from_u32(0x100 + u32::from(byte)).expect("a character of Latin Extended-A"),
        0xAD => '\u{143}',
        _ => char::from_u32(0x121 + u32::from(byte - 0x7F)).expect("a character of Latin Extended-A"),
    }
}

/// Appends the bytes that `text` stands for. When it is not written in the alphabet, appends it as it is and says false.
pub(crate) fn decode_into(text: &[u8], bytes: &mut Vec<u8>) -> bool {
    let start = bytes.len();
    let mut rest = text;
    loop {
        let byte = match *rest {
            [] => return true,
            [c @ 0x21..=0x7E, ..] => {
                rest = &rest[1..];
                Some(c)
            }
            // All other characters of the alphabet have two bytes.
            [lead @ 0xC2..=0xC5, tail @ 0x80..=0xBF, ..] => {
                rest = &rest[2..];
                char::from_u32(u32::from(lead & 0x1F) << 6 | u32::from(tail & 0x3F)).and_then(byte_of)
            }
            _ => None,
        };
        match byte {
            Some(byte) => bytes.push(byte),
            None => {
                bytes.truncate(start);
                bytes.extend_from_slice(text);
                return false;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_one_character() {
        let mut seen = [0; 256];
        for byte in (0..0x200).filter_map(char::from_u32).filter_map(byte_of) {
            seen[byte as usize] += 1;
        }
        assert_eq!(seen, [1; 256]);
        assert_eq!(byte_of('Ġ'), Some(b' '));
        assert_eq!(byte_of('Ċ'), Some(b'\n'));
    }

    #[test]
    fn decodes_the_alphabet_and_leaves_the_rest() {
        for (text, expected, in_alphabet) in
            [("Ġthe", " the", true), ("ÃŃ", "í", true), ("<|a b|>", "<|a b|>", false), ("Ġ日", "Ġ日", false)]
        {
            let mut bytes = b"x".to_vec();
            assert_eq!(decode_into(text.as_bytes(), &mut bytes), in_alphabet, "{text}");
            assert_eq!(bytes[1..], *expected.as_bytes(), "{text}");
        }
    }
}
