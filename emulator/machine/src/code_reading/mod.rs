//! What the code of a kernel says about itself, for advice alone.

pub mod makers;
pub mod paths;
pub mod uses;

pub use makers::loaded_once;
pub use uses::tries_alike;
