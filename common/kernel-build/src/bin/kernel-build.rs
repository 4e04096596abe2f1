//! `kernel-build lesson04`: what a lesson's build script does, as a program. It reads `CARGO_MANIFEST_DIR` and
//! `OUT_DIR`, as cargo sets them, and prints what cargo would read. The tests run it; so can whoever wonders what a
//! build does.

fn main() {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next(), arguments.next()) {
        (Some(lesson), None) => kernel_build::compile(&lesson),
        _ => {
            eprintln!("usage: kernel-build LESSON");
            std::process::exit(2);
        }
    }
}
