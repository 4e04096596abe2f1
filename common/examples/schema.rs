//! Prints the JSON Schema of what a lesson gives with `--format json`, or with `trace` that of what it writes with
//! `--trace`; `cargo xtask schema` stores both.

fn main() {
    let schema = match std::env::args().nth(1).as_deref() {
        Some("trace") => common::trace_schema(),
        _ => common::schema(),
    };
    print!("{schema}");
}
