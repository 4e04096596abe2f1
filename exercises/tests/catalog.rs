//! Every exercise fails as shipped in the way it says, its solutions pass, its wrong answers are rejected with their kind.

use learn::catalog::Catalog;
use learn::compile::Compiler;
use learn::verify::{report, verify};
use std::path::Path;

#[test]
fn the_catalogue_holds_what_it_promises() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog");
    let catalog = Catalog::read(&folder).unwrap_or_else(|error| panic!("{error:#}"));
    if let Err(why) = Compiler::find() {
        println!("skipped: {why:#}");
        return;
    }
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let program = Path::new(env!("CARGO_BIN_EXE_learn"));
    let verified = verify(&catalog, "", program, workers).unwrap_or_else(|error| panic!("{error:#}"));
    let (text, good) = report(&verified, &catalog.disagreements().expect("the folders can be listed"));
    assert!(good, "{text}");
}
