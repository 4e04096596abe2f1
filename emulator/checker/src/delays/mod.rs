//! The values that a load may get, and the positions in the coherence order that a store may take: the answers of the
//! [`Oracle`](machine::watch::Oracle).

pub mod followers;
pub mod history;
pub mod loads;
pub mod overlap;
pub mod updates;
