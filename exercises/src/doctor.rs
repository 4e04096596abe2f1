//! `cargo learn doctor`: what is here, what is missing, and the command that fixes it.

use crate::compile::{Compiled, Compiler};
use crate::desk::Desk;
use crate::spec::CompileSpec;
use std::fmt::Write;
use std::path::Path;

const KERNEL: &str = "extern \"C\" __global__ void trial(int* a) { atomicAdd(a, 1); }\n";
const GROUPS: &str = "#include <cooperative_groups.h>\n\
                      extern \"C\" __global__ void trial(int* a) { cooperative_groups::this_grid().sync(); *a = 1; }\n";

/// The report, and whether every exercise can be done.
pub fn doctor(desk: &Desk, exercises: usize) -> (String, bool) {
    let mut text = String::new();
    let mut line = |name: String, what: String| {
        let _ = writeln!(text, "{name:<12} {what}");
    };
    line(
        say!("doctor-exercises"),
        say!("doctor-copied", count = exercises, folder = crate::session::shown(&desk.folder)),
    );
    let compiler = Compiler::find();
    let mut works = compiler.is_ok();
    match &compiler {
        Ok(compiler) => {
            line(say!("doctor-compiler"), format!("{}, {}", compiler.name(), compiler.path().display()));
            if matches!(compiler, Compiler::Nvcc(_)) {
                line(String::new(), say!("doctor-nvcc"));
            }
            for (what, source) in [(say!("doctor-kernel"), KERNEL), (say!("doctor-groups"), GROUPS)] {
                let said = try_one(compiler, source);
                works &= said.is_ok();
                line(String::new(), format!("{what}: {}", said.unwrap_or_else(|why| why)));
            }
        }
        Err(error) => {
            line(say!("doctor-compiler"), tell::in_a_line(error));
            line(String::new(), say!("doctor-without-compiler"));
        }
    }
    match driver::choose(driver::Choice::Gpu, None) {
        Ok(_) => line("GPU".into(), say!("doctor-gpu")),
        Err(why) => line("GPU".into(), say!("doctor-no-gpu", why = why.to_string())),
    }
    line(say!("doctor-verdict"), if works { say!("doctor-works") } else { say!("doctor-install") });
    (text, works)
}

fn try_one(compiler: &Compiler, source: &str) -> Result<String, String> {
    let begin = std::time::Instant::now();
    let file = std::env::temp_dir().join(format!("learn-doctor-{}.cu", std::process::id()));
    std::fs::write(&file, source).map_err(|error| {
        say!("cannot-write", path = file.display().to_string(), why = "other") + ": " + &tell::of_system(&error)
    })?;
    let compiled = compiler.compile(Path::new(&file), source, &CompileSpec::default());
    let _ = std::fs::remove_file(&file);
    match compiled {
        Ok(Compiled::Ptx { .. }) => {
            Ok(say!("doctor-compiles", seconds = format!("{:.2}", begin.elapsed().as_secs_f64())))
        }
        Ok(Compiled::Refused(log)) => Err(say!("doctor-does-not-compile") + "\n" + &log),
        Err(error) => Err(tell::in_a_line(&error)),
    }
}
