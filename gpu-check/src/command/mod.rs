pub mod cli;
pub mod compile;
pub mod library;
pub mod merged;
pub mod run;
pub mod toolkit;
