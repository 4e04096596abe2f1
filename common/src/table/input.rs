//! Real input: any file, read as bytes; an image gives its grey values.

use anyhow::Context as _;
use std::fmt;
use std::path::Path;

mod pixels;

/// Bytes to work on, and what they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    pub bytes: Vec<u8>,
    pub kind: InputKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputKind {
    Bytes,
    /// Grey values, row by row.
    Image {
        width: u32,
        height: u32,
    },
    /// Starts like an image and does not decode; taken as it is.
    BrokenImage {
        why: String,
    },
}

impl Input {
    /// `--input FILE`.
    pub fn read(path: &Path) -> anyhow::Result<Input> {
        let bytes = std::fs::read(path).with_context(|| say!("input-unreadable", path = path.display().to_string()))?;
        anyhow::ensure!(!bytes.is_empty(), say!("input-empty", path = path.display().to_string()));
        Ok(Input::of(bytes))
    }

    /// PNG, JPEG and PNM (PGM, PPM) are told by their first bytes, whatever the file is called.
    pub fn of(bytes: Vec<u8>) -> Input {
        match pixels::decode(&bytes) {
            None => Input { bytes, kind: InputKind::Bytes },
            Some(Ok(grey)) => {
                Input { bytes: grey.values, kind: InputKind::Image { width: grey.width, height: grey.height } }
            }
            Some(Err(error)) => Input { bytes, kind: InputKind::BrokenImage { why: error.to_string() } },
        }
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            InputKind::Bytes => f.write_str(&say!("input-bytes", count = self.bytes.len())),
            InputKind::Image { width, height } => f.write_str(&say!("input-image", width = *width, height = *height)),
            InputKind::BrokenImage { why } => f.write_str(&say!("input-broken-image", count = self.bytes.len(), why)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_file_is_its_bytes() {
        let text = b"no image at all".to_vec();
        assert_eq!(Input::of(text.clone()), Input { bytes: text, kind: InputKind::Bytes });
    }

    #[test]
    fn an_image_is_its_grey_values() {
        let input = Input::of(b"P2 3 2 255 0 40 80 100 140 180".to_vec());
        assert_eq!(input.bytes, [0, 40, 80, 100, 140, 180]);
        assert_eq!(input.to_string(), "an image, 3 x 2 grey values");
    }

    #[test]
    fn what_only_starts_like_an_image_is_taken_as_bytes() {
        let input = Input::of(b"\x89PNG\r\n\x1a\nand then nothing".to_vec());
        assert_eq!(input.bytes.len(), 24);
        assert!(matches!(input.kind, InputKind::BrokenImage { .. }));
    }

    #[test]
    fn a_missing_and_an_empty_file_are_named() {
        let folder = std::env::temp_dir().join(format!("lesson-input-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let missing = Input::read(&folder.join("missing.bin")).unwrap_err();
        assert!(format!("{missing:#}").contains("missing.bin cannot be read: No such file"), "{missing:#}");
        let empty = folder.join("empty.bin");
        std::fs::write(&empty, b"").unwrap();
        let error = Input::read(&empty).unwrap_err().to_string();
        assert!(error.contains("empty.bin is empty"), "{error}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
