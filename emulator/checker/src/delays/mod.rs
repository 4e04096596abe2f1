pub mod followers;
pub mod history;
pub mod loads;
pub mod updates;
