//! The error with which `main` ends when not all is well.

use std::fmt;
use tell::in_a_line;

/// An error as a student reads it: one line, and no stack, whatever `RUST_BACKTRACE` says.
///
/// `main` prints an error by its `Debug`, so that is where the line is made.
pub struct Failure(anyhow::Error);

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Failure(error)
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&in_a_line(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context as _;
    use std::io;

    #[test]
    fn an_error_and_its_cause_are_one_line() {
        let error = Err::<(), _>(anyhow::anyhow!("no such file")).context("a.bin cannot be read").unwrap_err();
        assert_eq!(format!("{:?}", Failure::from(error)), "a.bin cannot be read: no such file");
    }

    #[test]
    fn what_the_system_says_is_said_by_us() {
        words::Language::English.speak();
        let of_file = |path: &str| in_a_line(&std::fs::read(path).context("it fails").unwrap_err());
        assert_eq!(of_file("/no/such/file"), "it fails: there is no such file or folder");
        assert_eq!(of_file("/"), "it fails: it is a folder");
        let own = anyhow::Error::new(io::Error::new(io::ErrorKind::NotFound, "a reason of our own"));
        assert_eq!(in_a_line(&own), "a reason of our own");
        // EXDEV: rare.
        assert_eq!(in_a_line(&io::Error::from_raw_os_error(18).into()), io::Error::from_raw_os_error(18).to_string());
    }
}
