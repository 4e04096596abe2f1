//! Standard error that may be gone: a full disk, a closed terminal.

use std::panic::catch_unwind;

/// A line for who watches the program. Where it cannot be written, the program goes on.
pub fn complain(line: &str) {
    to_stderr(&format!("{line}\n"));
}

/// As [`complain`], for text that is no whole line.
pub fn to_stderr(text: &str) {
    // The macro panics on an error. Writing to the stream itself would not, but a test runner only catches what macros
    // print.
    let _ = catch_unwind(|| eprint!("{text}"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::process::Command;

    /// In a process of its own, whose standard error is a full disk.
    #[test]
    fn a_stream_that_cannot_be_written_ends_no_program() {
        if std::env::var_os("WORDS_TEST_COMPLAINS").is_some() {
            return complain("nobody reads this");
        }
        let full = File::options().write(true).open("/dev/full").unwrap();
        let mut again = Command::new(std::env::current_exe().unwrap());
        again.args(["--exact", "stderr::tests::a_stream_that_cannot_be_written_ends_no_program", "--nocapture"]);
        let output = again.env("WORDS_TEST_COMPLAINS", "1").stderr(full).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
    }
}
