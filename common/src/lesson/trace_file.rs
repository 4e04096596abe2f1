//! The file that `--trace` names: its form is in its name.

use std::fs::File;
use std::io;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceForm {
    Own,
    TraceEvents,
}

/// By the file's ending.
pub fn form_of(path: &Path) -> Option<TraceForm> {
    let name = path.file_name()?.to_str()?.to_ascii_lowercase();
    match (name.ends_with(".perfetto.json"), name.ends_with(".json")) {
        (true, _) => Some(TraceForm::TraceEvents),
        (false, true) => Some(TraceForm::Own),
        (false, false) => None,
    }
}

/// For the command line: whether a trace can have this name.
pub fn has_form(path: &Path) -> bool {
    form_of(path).is_some()
}

/// Before the work: whether the file can be written. What it holds stays until there is something to write.
pub fn try_file(path: &Path) -> io::Result<()> {
    File::options().write(true).create(true).truncate(false).open(path).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_says_the_form() {
        for (name, form) in [
            ("a.json", Some(TraceForm::Own)),
            ("dir/A.JSON", Some(TraceForm::Own)),
            ("a.perfetto.json", Some(TraceForm::TraceEvents)),
            ("a.perfetto", None),
            ("json", None),
            ("..", None),
        ] {
            assert_eq!(form_of(Path::new(name)), form, "{name}");
        }
    }
}
