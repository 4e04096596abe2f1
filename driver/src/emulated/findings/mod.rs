//! Findings: which are handed on, and when, and which launches are run again.

pub(crate) mod again;
pub(crate) mod explored;
pub(crate) mod late;
pub(crate) mod read_back;
pub(crate) mod report;
