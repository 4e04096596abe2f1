//! The text of an answer as students' editors save it, and the path to it as they name their folders.
//!
//! Some editors begin a file with a byte order mark, some write UTF-16, and old ones Latin-1. A comment costs nobody
//! the grade. A path may hold any bytes but 0, and JSON takes text alone.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The mark by which some editors say that a file is UTF-8.
const MARK: char = '\u{feff}';

/// The text in UTF-8 and without a mark; `None` where it is no text.
pub fn text(bytes: Vec<u8>) -> Option<String> {
    if let Some(text) = of_utf_16(&bytes) {
        return Some(text);
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        // Latin-1 has a character for each byte, by the same number.
        Err(error) if !error.as_bytes().contains(&0) => error.as_bytes().iter().copied().map(char::from).collect(),
        Err(_) => return None,
    };
    Some(text.strip_prefix(MARK).map(String::from).unwrap_or(text))
}

/// The text of a file that begins with a mark in UTF-16, in either order of bytes.
fn of_utf_16(bytes: &[u8]) -> Option<String> {
    let (unit, rest): (fn([u8; 2]) -> u16, _) = match bytes {
        [0xff, 0xfe, rest @ ..] => (u16::from_le_bytes, rest),
        [0xfe, 0xff, rest @ ..] => (u16::from_be_bytes, rest),
        _ => return None,
    };
    let units: Vec<u16> = rest.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    String::from_utf16(&units).ok().filter(|text| rest.len() % 2 == 0 && !text.contains('\0'))
}

/// As [`text`], of a file; an error where it cannot be read, or is no text.
pub fn read(path: &Path) -> std::io::Result<String> {
    let no_text = || std::io::Error::new(std::io::ErrorKind::InvalidData, say!("no-text"));
    text(std::fs::read(path)?).ok_or_else(no_text)
}

/// True if a compiler's output can hold this path: it quotes paths, and does not say how.
pub fn is_plain(path: &Path) -> bool {
    path.to_str().is_some_and(|path| !path.contains(['"', '\\']) && !path.contains(char::is_control))
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum SentPath {
    Text(String),
    Bytes(Vec<u8>),
}

/// For `#[serde(with)]`: any path.
pub fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    let bytes = || SentPath::Bytes(path.as_os_str().as_bytes().to_vec());
    path.to_str().map_or_else(bytes, |text| SentPath::Text(text.to_string())).serialize(to)
}

pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
    match SentPath::deserialize(from) {
        Ok(SentPath::Text(text)) => Ok(text.into()),
        Ok(SentPath::Bytes(bytes)) => Ok(OsString::from_vec(bytes).into()),
        Err(error) => Err(D::Error::custom(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_and_another_encoding_cost_nothing() {
        assert_eq!(text(b"int x;".to_vec()).as_deref(), Some("int x;"));
        assert_eq!(text(b"\xef\xbb\xbfint x;".to_vec()).as_deref(), Some("int x;"));
        assert_eq!(text(b"// caf\xe9\nint x;".to_vec()).as_deref(), Some("// caf\u{e9}\nint x;"));
        assert_eq!(text("// café".as_bytes().to_vec()).as_deref(), Some("// café"));
        for (mark, bytes) in [("le", u16::to_le_bytes as fn(u16) -> [u8; 2]), ("be", u16::to_be_bytes)] {
            let wide: Vec<u8> = "\u{feff}// ñ\nint x;".encode_utf16().flat_map(bytes).collect();
            assert_eq!(text(wide).as_deref(), Some("// ñ\nint x;"), "{mark}");
        }
        assert_eq!(text(b"\x7fELF\x00\xff".to_vec()), None);
    }

    #[test]
    fn any_path_is_sent_and_comes_back() {
        #[derive(Serialize, Deserialize)]
        struct Task {
            #[serde(with = "super")]
            file: PathBuf,
        }
        for bytes in [&b"/a/x.cu"[..], b"/a \"b\"/x.cu", b"/caf\xe9/x.cu"] {
            let file = PathBuf::from(OsString::from_vec(bytes.to_vec()));
            let sent = serde_json::to_string(&Task { file: file.clone() }).unwrap();
            assert_eq!(serde_json::from_str::<Task>(&sent).unwrap().file, file, "{sent}");
        }
        assert!(is_plain(Path::new("/a b/é.cu")) && !is_plain(Path::new("/a\"b/x.cu")));
    }
}
