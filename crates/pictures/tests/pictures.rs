//! Pictures against what the published processor makes of them, and files that are no pictures.

use std::path::Path;

use tandem_pictures::{Picture, PictureError, gemma3};

/// `oracles/pictures.py` wrote them with the values that transformers' processor gives.
#[test]
fn gemma_sees_what_its_published_processor_gives() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/pictures/gemma3");
    const SIZE: usize = 48;
    let values = std::fs::read(folder.join("pixels.f32")).unwrap();
    let values: Vec<f32> = values.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let all = values.chunks_exact(SIZE * SIZE * 3);
    assert_eq!(all.len(), 6);
    for (index, expected) in all.enumerate() {
        let file = std::fs::read(folder.join(format!("{index}.png"))).unwrap();
        let found = gemma3(&Picture::read(&file).unwrap(), SIZE);
        for (i, expected) in expected.iter().enumerate() {
            // They are by channels, these by pixels.
            let (channel, pixel) = (i / (SIZE * SIZE), i % (SIZE * SIZE));
            let value = (f32::from(found[pixel * 3 + channel]) / 255.0 - 0.5) / 0.5;
            assert!(
                (value - expected).abs() < 1e-6,
                "picture {index}, value {i}: {value}, expected {expected}"
            );
        }
    }
}

/// `PIL` decoded the same files; JPEG decoders may differ by a little, orientations may not.
#[test]
fn jpegs_are_read_and_turned_upright() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/pictures/jpeg");
    for name in ["plain", "grey", "progressive", "turned"] {
        let found = Picture::read(&std::fs::read(folder.join(format!("{name}.jpg"))).unwrap()).unwrap();
        let expected = Picture::read(&std::fs::read(folder.join(format!("{name}.png"))).unwrap()).unwrap();
        assert_eq!((found.width, found.height), (expected.width, expected.height), "{name}");
        let differences = found.pixels.iter().zip(&expected.pixels).map(|(a, b)| a.abs_diff(*b));
        let (worst, sum) = differences.fold((0, 0), |(worst, sum), d| (d.max(worst), sum + usize::from(d)));
        let mean = sum as f64 / found.pixels.len() as f64;
        assert!(worst <= 16 && mean < 1.0, "{name}: values differ by up to {worst}, {mean:.2} in the mean");
    }
}

#[test]
fn what_is_no_picture_is_told_so() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/pictures");
    let png = std::fs::read(folder.join("gemma3/3.png")).unwrap();
    let jpeg = std::fs::read(folder.join("jpeg/plain.jpg")).unwrap();
    let says = |file: &[u8], expected: &str| {
        let error = Picture::read(file).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    says(b"", "empty");
    says(b"GIF89a", "a GIF file; expected a PNG or JPEG file");
    says(b"<svg/>", "perhaps SVG");
    says(&[1, 2, 3], "begins with [01, 02, 03]");
    for (file, kind) in [(&png, "PNG"), (&jpeg, "JPEG")] {
        says(&file[..40], kind);
        // Whatever is broken, it is an error or a picture of the size it says: no panic.
        for at in (0..file.len()).step_by(7) {
            let mut broken = file.clone();
            broken[at] ^= 0x55;
            if let Ok(picture) = Picture::read(&broken) {
                assert_eq!(picture.pixels.len(), picture.width * picture.height * 3);
            }
            let _ = Picture::read(&file[..at]);
        }
    }
}

/// A few bytes that say they are a billion pixels are refused by what they say.
#[test]
fn bombs_are_refused_before_memory_is_taken() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/pictures");
    let mut png = std::fs::read(folder.join("gemma3/3.png")).unwrap();
    png[16..24].copy_from_slice(&[0, 0, 0x80, 0, 0, 0, 0x80, 0]);
    let crc = crc32(&png[12..29]).to_be_bytes();
    png[29..33].copy_from_slice(&crc);
    let large = PictureError::TooLarge { width: 32768, height: 32768 };
    assert_eq!(Picture::read(&png).unwrap_err(), large);
    let mut jpeg = std::fs::read(folder.join("jpeg/plain.jpg")).unwrap();
    let frame = jpeg.windows(2).position(|bytes| bytes == [0xff, 0xc0]).unwrap();
    jpeg[frame + 5..frame + 9].copy_from_slice(&[0x80, 0, 0x80, 0]);
    assert_eq!(Picture::read(&jpeg).unwrap_err(), large);
}

/// PNG's checksum.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, byte| {
        (0..8)
            .fold(crc ^ u32::from(*byte), |crc: u32, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg()))
    })
}
