pub mod bug;
pub mod cli;
pub mod compile;
pub mod explored;
pub mod library;
pub mod merged;
pub mod run;
pub mod toolkit;
