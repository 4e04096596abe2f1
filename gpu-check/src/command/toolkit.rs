//! `gpu-check toolkit install | status | uninstall`: nvcc for those who have the command and not this repository.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

const COMMAND: &str = "gpu-check toolkit";

/// Runs what stands after `toolkit`, if that is the first word. `None` where a program is to be checked.
pub fn run(arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    let words = words(arguments.skip(1))?;
    kernel_build::toolkit::name_command(COMMAND);
    let words = ::toolkit::command::speak(words);
    Some(::toolkit::command::run(&words.iter().map(String::as_str).collect::<Vec<_>>()))
}

/// Returns the words without `toolkit`. Only `--lang` may stand before it: a program of that name is `./toolkit`, or
/// stands after `--`.
fn words(arguments: impl Iterator<Item = OsString>) -> Option<Vec<String>> {
    let mut words: Vec<String> = arguments.map(|word| word.into_string().ok()).collect::<Option<_>>()?;
    let at = match words.first()?.as_str() {
        "--lang" => 2,
        word if word.starts_with("--lang=") => 1,
        _ => 0,
    };
    (words.get(at)? == "toolkit").then(|| words.remove(at))?;
    Some(words)
}

/// Has messages name `gpu-check toolkit`, unless the user is in this repository, where it is `cargo toolkit`.
pub fn name_command() {
    let is_repository = |folder: &Path| folder.join("toolkit/src/wheels.rs").is_file();
    if !std::env::current_dir().is_ok_and(|here| here.ancestors().any(is_repository)) {
        kernel_build::toolkit::name_command(COMMAND);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_word_is_the_toolkit() {
        let of = |line: &str| words(line.split(' ').map(OsString::from)).map(|words| words.join(" "));
        assert_eq!(of("toolkit install --dir a").as_deref(), Some("install --dir a"));
        assert_eq!(of("--lang es toolkit status").as_deref(), Some("--lang es status"));
        assert_eq!(of("--lang=es toolkit").as_deref(), Some("--lang=es"));
        for line in ["./toolkit install", "-- toolkit", "--fast toolkit", "a toolkit", "--lang toolkit", "--lang"] {
            assert_eq!(of(line), None, "{line}");
        }
    }
}
