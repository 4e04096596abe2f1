//! The device by its public surface, a module for each subject. One program, because every test program is linked with the
//! whole emulator. `memory_use.rs` needs a process to itself.

mod advice;
mod counters;
mod fairness;
mod help;
mod hints;
#[path = "support/kernel.rs"]
mod kernel;
mod means;
mod one_word;
mod options;
mod parse;
mod remedies;
mod spin;
mod stuck;
mod whole;
#[path = "support/words.rs"]
mod words;

#[test]
fn every_file_here_belongs_to_a_test_program() {
    let here = include_str!("device.rs");
    let manifest = include_str!("../Cargo.toml");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests")).expect("the folder is there") {
        let path = entry.expect("readable").path();
        let name = path.file_stem().expect("a file").to_string_lossy().into_owned();
        let is_program = path.extension().is_some_and(|extension| extension == "rs") || path.join("main.rs").exists();
        let is_known = here.contains(&format!("\nmod {name};")) || manifest.contains(&format!("\nname = \"{name}\""));
        assert!(!is_program || is_known, "nobody runs {}", path.display());
    }
}
