//! Which values a load may get, and behind which writes a store may come in: what the oracle says.

pub mod followers;
pub mod history;
pub mod loads;
pub mod updates;
