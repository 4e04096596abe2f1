//! What `main` ends with when not all is well.

use std::fmt;
use std::io;

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

/// An error and its causes: `a.bin cannot be read: there is no such file or folder`. What the operating system says is in the
/// reader's language.
pub fn in_a_line(error: &anyhow::Error) -> String {
    let of_cause = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref().and_then(of_system).unwrap_or_else(|| cause.to_string())
    };
    error.chain().map(of_cause).collect::<Vec<_>>().join(": ")
}

/// `None` of an error that is the program's own, or rare.
fn of_system(error: &io::Error) -> Option<String> {
    error.raw_os_error()?;
    let kind = match error.kind() {
        io::ErrorKind::NotFound => "not-found",
        io::ErrorKind::PermissionDenied => "denied",
        io::ErrorKind::AlreadyExists => "exists",
        io::ErrorKind::IsADirectory => "is-folder",
        io::ErrorKind::NotADirectory => "no-folder",
        io::ErrorKind::StorageFull => "full",
        io::ErrorKind::QuotaExceeded => "quota",
        io::ErrorKind::ReadOnlyFilesystem => "read-only",
        io::ErrorKind::FileTooLarge => "too-large",
        io::ErrorKind::OutOfMemory => "memory",
        io::ErrorKind::TimedOut => "timed-out",
        io::ErrorKind::ConnectionRefused => "refused",
        io::ErrorKind::AddrInUse => "in-use",
        _ => return None,
    };
    Some(say!("of-system", kind))
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

    #[test]
    fn what_the_system_says_is_said_by_us() {
        let of_file = |path: &str| in_a_line(&std::fs::read(path).context("it fails").unwrap_err());
        assert_eq!(of_file("/no/such/file"), "it fails: there is no such file or folder");
        assert_eq!(of_file("/"), "it fails: it is a folder");
        let own = anyhow::Error::new(io::Error::new(io::ErrorKind::NotFound, "a reason of our own"));
        assert_eq!(in_a_line(&own), "a reason of our own");
        // EXDEV: rare.
        assert_eq!(in_a_line(&io::Error::from_raw_os_error(18).into()), io::Error::from_raw_os_error(18).to_string());
    }
}
