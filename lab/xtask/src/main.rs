//! `cargo xtask ptx | ptx --check | ptxas | tidy | plain | schema | same | skipped | soak | fuzz | defects | mutants |
//! probes | nightly | ncu | cost | bundle | peers | pictures | drawings | plots | proofs | translations | latency |
//! wasm | aarch64 | toolkits | wheel | web`: the chores of this repository, the same by hand and in CI.

mod aarch64;
mod bundle;
mod circles;
mod cost;
mod crates;
mod cross;
mod defects;
mod drawings;
mod features;
mod fluent;
mod fuzz;
mod hosted;
mod latency;
mod learning;
mod lessons;
mod mutants;
mod ncu;
mod nightly;
#[path = "../../../driver/src/nvrtc.rs"]
#[allow(dead_code, reason = "kernels that students write need more of it")]
mod nvrtc;
mod peers;
mod pictures;
mod plain;
mod plots;
mod proofs;
#[path = "../../../exercises/tests/student/pseudo_terminal.rs"]
mod pseudo_terminal;
mod ptx;
mod ptxas;
mod references;
mod same;
mod sarif;
mod schema;
mod site;
mod skipped;
mod soak;
mod stored;
mod syllabus;
mod terminal;
mod tidy;
mod toolkits;
mod translations;
mod vague_names;
mod wasm;
mod web;
mod wheel;
mod workspaces;

use lessons::Lessons;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask ptx          compile cuda/lesson*/*.cu into cuda/ptx/, and remove what has no source any more
       cargo xtask ptx --check  compile them afresh and fail where the stored PTX differs
       cargo xtask ptxas        pass every stored PTX through NVIDIA's own assembler
       cargo xtask tidy         check what no compiler does: names in the documents, heads of kernels, tests that \
       run, lengths
       cargo xtask plain        check what people read: no long sentences, no words that stand in the way
       cargo xtask schema       write docs/output.schema.json and docs/trace.schema.json: the JSON Schemas of \
       `--format json` and `--trace`
       cargo xtask schema --check
                                make it again and fail where the stored one differs
       cargo xtask same keep|compare FOLDER
                                before a change that is to change nothing keep what all programs say; after it, compare
       cargo xtask sarif        run the lessons with `--format sarif` and hold their logs to the standard's schema
       cargo xtask skipped FILE run the tests again that a run skipped, by the lines `skipped: ...` of its standard \
       error in FILE;
                                fails where one is skipped again
       cargo xtask soak [--seeds N] [--only LESSON] [--built FOLDER] [--commit HASH]
                                run every kernel of the lessons on the emulator under N seeds (1000) of each schedule
                                and write docs/soak.md; answers are kept in target/soak/ and not asked for again.
                                Where there is no Rust: the lessons' programs in FOLDER, built from commit HASH
       cargo xtask fuzz [--minutes N]
                                change PTX programs at random and launch them, for N minutes (60): it fails where the \
                                emulator
                                panics, or a launch takes a second or a gigabyte. What fails is written to target/fuzz/
       cargo xtask fuzz --replay SEED FILE
                                launch one of them again
       cargo xtask defects checker|explorer [--only NAME|NUMBER]
                                make the fast race checker, or the search of all executions, wrong in each way that
                                lab/xtask/defects/ lists, in a copy of the sources, and print which test fails; it
                                fails where one survives and the list does not say why
       cargo xtask mutants [NAME] [--sample K/N] [--catalog FOLDER] [--verbose]
                                change the right answers to exercises as students slip: each changed one must be
                                refused, or explained in explained.toml
       cargo xtask probes [NAME] [--sample K/N] [--catalog FOLDER] [--verbose]
                                do nothing at sizes of one class, such as multiples of a warp: it must be noticed, or
                                the class left out in explained.toml
       cargo xtask nightly [--only WORD]
                                run whole what CI only samples, and write docs/nightly.md; with --only the steps
                                whose command has that word
       cargo xtask ncu [--built FOLDER] [--ncu PROGRAM]
                                on a GPU: compare the emulator's counters with Nsight Compute's for some launches of
                                the lessons, and write docs/counters.md
       cargo xtask cost [--built FOLDER]
                                measure how much longer the lessons' correct kernels take with every check on
       cargo xtask bundle [--to FOLDER] [--debug] [--lessons]
                                pack the program of bench/ with CUB and Thrust for a GPU's machine without Rust: a \
                                folder, an
                                archive and a script that measures three times; with --lessons these too, which \
                                compare their
                                kernels with CUB; needs nvcc
       cargo xtask peers NAME [--sample] [--full] [--debug] [--python PATH]
                                run the tests of a package (lab/peers/NAME.toml) under gpu-check, which look for
                                bounds alone without --full; it fails where one fails that is not expected to
       cargo xtask wheel [--to FOLDER] [--debug] [--archive]
                                make gpu-check a wheel for Python, in target/wheels/, for systems as old as this one;
                                with --archive also an archive, and the hashes of both
       cargo xtask latency [--only TEXT] [--saves N]
                                measure how long `cargo learn` takes from saving a file to the verdict on the screen
       cargo xtask pictures     record the pictures in docs/pictures/ from the programs themselves, in a terminal of \
       fixed size
       cargo xtask pictures --check
                                record them again and fail where a stored one differs
       cargo xtask drawings     draw the ideas of the lessons into docs/pictures/drawings/, in English and Spanish
       cargo xtask drawings --check
                                draw them again and fail where a stored one differs
       cargo xtask plots        draw what was measured on a GPU, docs/bench/h200.json, beside it, in English and Spanish
       cargo xtask plots --check
                                draw it again and fail where a stored picture differs
       cargo xtask proofs       visit all executions of the lessons' kernels, in some minutes, and write \
       docs/proofs.md
       cargo xtask proofs --check [--sample]
                                do it again and fail where a verdict differs. --sample: some rows, in a debug build
       cargo xtask translations [--still-right NAME]...
                                write docs/translations.lock; where only the English text has changed, it must be \
                                named as
                                still right (or `all`)
       cargo xtask translations --check
                                fail where a Spanish text is missing, or older than its English one
       cargo xtask aarch64
                                run the emulator's tests and a lesson on ARM's 64-bit processors, by QEMU; of a \
                                sample the conformance
                                cases
       cargo xtask toolkits [--sample] [--compile] [--built FOLDER]
                                compile the lessons' kernels with other CUDA toolkits, from 11.8 to the newest, run \
                                the lessons
                                with what each makes, and fail where they say something else. --sample: a file of each
                                lesson, the oldest and the newest toolkit. --compile: compile only
       cargo xtask wasm         build the emulator as WebAssembly, into target/wasm/
       cargo xtask wasm --check and compare its answers with those of the same code for this machine; needs node
       cargo xtask web          build web/dist/player.html, the page of `--web`, from web/ with Node.js
       cargo xtask web --emulator
                                build web/dist/emulator.wasm.gz, the emulator in that page
       cargo xtask web --check  check types, lint and test its sources, build it again and fail where the stored one \
       differs
       cargo xtask web --site   write the pages of all rows of the lessons into target/web/, for any host of files
       cargo xtask web --site --check [--sample]
                                the same; then open them in Chromium, and compare the emulator's answers there with \
                                those
                                of the same code for this machine
       cargo xtask web --test   open pages that lessons write in Chromium: what they show, how fast, and who can read \
       them
       cargo xtask web --pictures
                                the same, and keep two screenshots in docs/pictures/

exit status: 0 when all is well, 1 when not, 2 for bad arguments";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    // Soaks, profiles and costs may run on another machine than the one that built this.
    let start =
        if matches!(words.first(), Some(&"soak" | &"ncu" | &"cost")) { "." } else { env!("CARGO_MANIFEST_DIR") };
    let root = match (kernel_build::repository_root(Path::new(start)), &words[..]) {
        (Ok(root), _) => root,
        (Err(_), ["soak" | "ncu" | "cost", ..]) => PathBuf::from("."),
        (Err(error), _) => return fail(&error),
    };
    let result = match words[..] {
        ["ptx"] => ptx::remake(&root),
        ["ptx", "--check"] => ptx::check(&root),
        ["ptxas"] => ptxas::check(&root),
        ["tidy"] => tidy::check(&root),
        ["plain"] => plain::run(&root),
        ["schema"] => schema::remake(&root),
        ["schema", "--check"] => schema::check(&root),
        ["same", "keep", folder] => same::keep(&root, Path::new(folder)),
        ["same", "compare", folder] => same::compare(&root, Path::new(folder)),
        ["sarif"] => sarif::check(&root),
        ["nightly"] => nightly::run(&root, None),
        ["nightly", "--only", word] => nightly::run(&root, Some(word)),
        ["defects", ref rest @ ..] => match defects::options(rest) {
            Some((subject, only)) => defects::run(&root, subject, only),
            None => {
                eprintln!("{USAGE}");
                return ExitCode::from(2);
            }
        },
        [what @ ("mutants" | "probes"), ref rest @ ..] => mutants::run(&root, what, rest),
        ["skipped", file] => skipped::run(&root, Path::new(file)),
        ["cost"] => Lessons::of(&root).and_then(|lessons| cost::run(&lessons)),
        ["cost", "--built", folder] => Lessons::built(Path::new(folder)).and_then(|lessons| cost::run(&lessons)),
        ["peers", ref rest @ ..] => match peers::options(rest) {
            Some(options) => peers::run(&root, &options),
            None => {
                eprintln!("{USAGE}");
                return ExitCode::from(2);
            }
        },
        ["wheel", ref rest @ ..] => match wheel::options(rest) {
            Some(options) => wheel::run(&root, &options),
            None => {
                eprintln!("{USAGE}");
                return ExitCode::from(2);
            }
        },
        ["bundle", ref rest @ ..] => match bundle::options(rest) {
            Some(options) => bundle::run(&root, &options),
            None => {
                eprintln!("{USAGE}");
                return ExitCode::from(2);
            }
        },
        ["toolkits", ref rest @ ..] => match toolkits::options(rest) {
            Some(options) => toolkits::run(&root, &options),
            None => {
                eprintln!("{USAGE}");
                return ExitCode::from(2);
            }
        },
        ["pictures"] => pictures::make(&root),
        ["pictures", "--check"] => pictures::check(&root),
        ["drawings"] => drawings::make(&root),
        ["drawings", "--check"] => drawings::check(&root),
        ["plots"] => plots::make(&root),
        ["plots", "--check"] => plots::check(&root),
        ["proofs"] => proofs::remake(&root),
        ["proofs", "--check"] => proofs::check(&root),
        ["proofs", "--check", "--sample"] => proofs::check_sample(&root),
        ["translations", "--check"] => translations::check(&root),
        ["translations", ref rest @ ..] => match translations::names(rest) {
            Some(still_right) => translations::remake(&root, &still_right),
            None => {
                eprintln!("{USAGE}");
                return ExitCode::from(2);
            }
        },
        ["aarch64"] => aarch64::check(&root),
        ["wasm"] => wasm::build(&root),
        ["wasm", "--check"] => wasm::check(&root),
        ["latency", ref rest @ ..] => match latency::options(rest) {
            Some(options) => latency::run(&root, &options),
            None => {
                eprintln!("{USAGE}");
                return ExitCode::from(2);
            }
        },
        ["web"] => web::make(&root),
        ["web", "--emulator"] => web::emulator(&root),
        ["web", "--check"] => web::check(&root),
        ["web", "--test"] => web::test(&root),
        ["web", "--site"] => site::make(&root),
        ["web", "--site", "--check"] => site::check(&root, false),
        ["web", "--site", "--check", "--sample"] => site::check(&root, true),
        ["web", "--pictures"] => web::pictures(&root),
        ["soak", ref rest @ ..] => match soak::options(rest) {
            Some(options) => soak::run(&root, &options),
            None => {
                eprintln!("{USAGE}");
                return ExitCode::from(2);
            }
        },
        ["fuzz", ref rest @ ..] => match fuzz::options(rest) {
            Some(options) => fuzz::run(&root, &options),
            None => {
                eprintln!("{USAGE}");
                return ExitCode::from(2);
            }
        },
        ["ncu", ref rest @ ..] => match ncu::options(rest) {
            Some(options) => ncu::run(&root, &options),
            None => {
                eprintln!("{USAGE}");
                return ExitCode::from(2);
            }
        },
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(summary) => {
            println!("{summary}");
            ExitCode::SUCCESS
        }
        Err(error) => fail(&format_args!("{error:#}")),
    }
}

fn fail(error: &dyn std::fmt::Display) -> ExitCode {
    eprintln!("error: {error}");
    ExitCode::FAILURE
}
