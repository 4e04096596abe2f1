//! Why an answer is rejected.

use emulator::finding::Slug;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A word in files, reports and JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum Reason {
    Finding(Slug),
    /// A wrong result.
    Answer,
    Budget,
    /// The work was not done on the device.
    Idle,
    Compile,
    Launch,
    Unsupported,
    /// Nothing is filled in yet.
    Todo,
    /// It took too long, or too much.
    Limit,
    /// A program of the host failed.
    Exit,
    /// The kernel was ended, and no finding says why.
    Fault,
    /// There is no file.
    Missing,
    /// The course or the machine is at fault.
    Error,
}

impl Reason {
    const OTHERS: [Reason; 12] = [
        Reason::Answer,
        Reason::Budget,
        Reason::Idle,
        Reason::Compile,
        Reason::Launch,
        Reason::Unsupported,
        Reason::Todo,
        Reason::Limit,
        Reason::Exit,
        Reason::Fault,
        Reason::Missing,
        Reason::Error,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Reason::Finding(slug) => slug.as_str(),
            Reason::Answer => "answer",
            Reason::Budget => "budget",
            Reason::Idle => "idle",
            Reason::Compile => "compile",
            Reason::Launch => "launch",
            Reason::Unsupported => "unsupported",
            Reason::Todo => "todo",
            Reason::Limit => "limit",
            Reason::Exit => "exit",
            Reason::Fault => "fault",
            Reason::Missing => "missing",
            Reason::Error => "error",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<Reason> for &'static str {
    fn from(reason: Reason) -> &'static str {
        reason.as_str()
    }
}

impl FromStr for Reason {
    type Err = String;

    fn from_str(name: &str) -> Result<Reason, String> {
        let all = Slug::ALL.into_iter().map(Reason::Finding).chain(Reason::OTHERS);
        all.into_iter().find(|one| one.as_str() == name).ok_or_else(|| say!("reason-unknown", name))
    }
}

impl TryFrom<String> for Reason {
    type Error = String;

    fn try_from(name: String) -> Result<Reason, String> {
        name.parse()
    }
}

/// All of them, with `between` between two.
pub fn listed(reasons: &[Reason], between: &str) -> String {
    reasons.iter().map(|reason| reason.as_str()).collect::<Vec<_>>().join(between)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_found_by_its_name() {
        for reason in Slug::ALL.into_iter().map(Reason::Finding).chain(Reason::OTHERS) {
            assert_eq!(reason.as_str().parse(), Ok(reason));
        }
        assert!("rase-shared".parse::<Reason>().unwrap_err().contains("`rase-shared`"));
    }
}
