//! Findings: how they are reported, which fix is tried, and which launches are run again.

pub(crate) mod again;
pub(crate) mod late;
pub(crate) mod read_back;
pub(crate) mod report;
pub(crate) mod tried;
