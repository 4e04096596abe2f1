//! Remedies applied to source text: before and after.

mod accesses;
mod arguments;
mod inserted;
mod keeping_lines;
mod suggested;
mod text;
mod told;
mod whole_files;
mod written;
