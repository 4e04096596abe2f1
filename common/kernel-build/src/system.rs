//! Texts of the operating system's errors, in the reader's language.

use std::error::Error;
use std::io;

/// An error and its causes: `a.bin cannot be read: there is no such file or folder`.
pub fn in_a_line(error: &(dyn Error + 'static)) -> String {
    let of_cause = |cause: &(dyn Error + 'static)| cause.downcast_ref().map_or_else(|| cause.to_string(), of_system);
    let chain = std::iter::successors(Some(error), |&cause| cause.source());
    chain.map(of_cause).collect::<Vec<_>>().join(": ")
}

/// The error in a few words: `there is no such file or folder`. One that is a program's own, or rare, is as it is.
pub fn of_system(error: &io::Error) -> String {
    if error.raw_os_error().is_none() {
        return error.to_string();
    }
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
        _ => return error.to_string(),
    };
    say!("of-system", kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Doing, Error as BuildError};

    #[test]
    fn what_the_system_says_is_said_by_us() {
        words::Language::English.speak();
        let error = std::fs::read("/no/such/file").unwrap_err();
        let told = BuildError::io(Doing::Read, "/no/such/file".as_ref(), error);
        assert_eq!(in_a_line(&told), "cannot read /no/such/file: there is no such file or folder");
        let own = io::Error::new(io::ErrorKind::NotFound, "a reason of our own");
        assert_eq!(of_system(&own), "a reason of our own");
    }
}
