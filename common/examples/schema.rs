//! Prints the JSON Schema of what a lesson gives with `--format json`; `cargo xtask schema` stores it.

fn main() {
    print!("{}", common::schema());
}
