//! The course's exercises notice an answer that does nothing at multiples of a warp, say.

use exercises::probes;
use learn::catalog::Catalog;
use learn::compile::Compiler;
use std::cell::RefCell;
use std::path::Path;

#[test]
fn a_wrong_result_is_noticed_at_every_class_of_sizes() {
    if skipped::unless(skipped::CUDA_COMPILER, &Compiler::find()) {
        return;
    }
    let catalog = Catalog::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../exercises/catalog")).unwrap();
    let sample = skipped::share(Some("1/3"), None).map(|share| share.parse().unwrap());
    let told = RefCell::new(String::new());
    let good = probes::verify(&catalog, "", sample, false, &|line: &str| told.borrow_mut().push_str(line)).unwrap();
    assert!(good, "{}", told.borrow());
}
