//! Every exercise fails as shipped in the way it says, its solutions pass, its wrong answers are rejected with their kind.

use learn::catalog::Catalog;
use learn::compile::Compiler;
use learn::verify::{report, verify};
use std::path::Path;

fn check(folder: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let catalog = Catalog::read(&folder).unwrap_or_else(|error| panic!("{error:#}"));
    if let Err(why) = Compiler::find() {
        println!("skipped: {why:#}");
        return;
    }
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let program = Path::new(env!("CARGO_BIN_EXE_learn"));
    let verified = verify(&catalog, "", program, workers, "cargo learn").unwrap_or_else(|error| panic!("{error:#}"));
    let (text, good) = report(&verified, &catalog.disagreements().expect("the folders can be listed"));
    assert!(good, "{text}");
}

#[test]
fn the_catalogue_holds_what_it_promises() {
    check("catalog");
}

#[test]
fn kinds_without_code_are_judged_by_what_a_run_shows() {
    check("tests/catalog");
}
