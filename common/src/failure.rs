//! What `main` ends with when not all is well.

use std::fmt;

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
        write!(f, "{:#}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context as _;

    #[test]
    fn an_error_and_its_cause_are_one_line() {
        let error = Err::<(), _>(anyhow::anyhow!("no such file")).context("a.bin cannot be read").unwrap_err();
        assert_eq!(format!("{:?}", Failure::from(error)), "a.bin cannot be read: no such file");
    }
}
