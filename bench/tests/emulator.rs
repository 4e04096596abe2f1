//! Every method of every job, launched as on a GPU, on small inputs of the emulated one: the answers are right, and the
//! emulator finds nothing. A method whose kernel does not exist fails here too.

use bench::device::Gpu;
use bench::jobs::JOBS;
use bench::run::{Run, Scale, all};
use driver::Choice;

#[test]
fn every_method_of_every_job_is_right() {
    words::Language::English.speak();
    let run = Run::new(Gpu::open(Choice::Emulator).unwrap(), Scale::Check).unwrap();
    let jobs: Vec<_> = JOBS.iter().collect();
    let (report, wrong) = all(run, &jobs).unwrap();
    assert_eq!(wrong, Vec::<String>::new());
    assert!(report.records.is_empty(), "the emulated GPU's time means nothing");
}
