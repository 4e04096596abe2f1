pub mod host;
pub mod state;
