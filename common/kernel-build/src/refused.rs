//! Source that today's nvcc refuses, and what nvcc says: for rows that teach what is gone.
//!
//! `cuda/<lesson>/compile_fail/x.cu` is such a file, and `x.txt` beside it nvcc's message, below the lines that stored
//! PTX has too. So a lesson can show the message without an nvcc, and an edit of the file asks nvcc again.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Doing, Error, KernelSource, Nvcc, normalise};

const FOLDER: &str = "compile_fail";

/// The lesson's files, sorted by name; none where there is no such folder.
pub fn list(root: &Path, lesson: &str) -> Result<Vec<PathBuf>, Error> {
    let folder = Path::new("cuda").join(lesson).join(FOLDER);
    let absolute = root.join(&folder);
    if !absolute.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(&absolute).map_err(|error| Error::io(Doing::List, &absolute, error))? {
        let path = folder.join(entry.map_err(|error| Error::io(Doing::List, &absolute, error))?.file_name());
        if path.extension().is_some_and(|ending| ending == "cu") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Returns the path of the stored message, relative to the root: `cuda/lesson03/compile_fail/pre_volta_shuffle.txt`.
pub fn path(source: &KernelSource) -> PathBuf {
    Path::new(&source.path).with_extension("txt")
}

/// Returns nvcc's message on the way to machine code, the same on every machine; `None` where it takes the file.
pub fn message(nvcc: &Nvcc, root: &Path, source: &KernelSource) -> Result<Option<String>, Error> {
    match nvcc.compile(root, source) {
        // A vote without a mask comes as far as PTX, and no further.
        Ok(compiled) => nvcc.assembler_error(source, &compiled.ptx),
        Err(Error::Nvcc { text, .. }) if text.contains("error") => {
            Ok(Some(normalise::message(&text, root, &nvcc.path)))
        }
        Err(error) => Err(error),
    }
}

/// A stored text without the lines that say what it was made from.
pub fn body(stored: &str) -> &str {
    let mut rest = stored;
    while let Some(line) = rest.strip_prefix("// ") {
        rest = line.split_once('\n').map_or("", |(_, below)| below);
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stored;

    #[test]
    fn a_message_comes_out_of_its_store_as_it_went_in() {
        let source = KernelSource {
            path: "cuda/lesson03/compile_fail/old.cu".into(),
            flags: vec!["-arch=sm_75".into()],
            headers: vec![],
            hash: "ab12".into(),
        };
        let message = "cuda/lesson03/compile_fail/old.cu(4): error: gone\n\n1 error detected\n";
        let text = stored::with_header(&source, "13.0.88", message);
        assert!(stored::in_step(&text, &source));
        assert_eq!(body(&text), message);
        assert_eq!(path(&source), Path::new("cuda/lesson03/compile_fail/old.txt"));
    }
}
