//! `cargo learn doctor`: what is here, what is missing, and the command that mends it.

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
    let mut line = |name: &str, what: String| {
        let _ = writeln!(text, "{name:<12} {what}");
    };
    line("exercises", format!("{exercises}, copied to {}", crate::session::shown(&desk.folder)));
    let compiler = Compiler::find();
    let mut works = compiler.is_ok();
    match &compiler {
        Ok(compiler) => {
            line("compiler", format!("{}, {}", compiler.name(), compiler.path().display()));
            if matches!(compiler, Compiler::Nvcc(_)) {
                line(
                    "",
                    "nvcc takes half a second a file; `cargo toolkit install` brings NVRTC, which takes a tenth".into(),
                );
            }
            for (what, source) in [("a kernel", KERNEL), ("cooperative groups", GROUPS)] {
                let said = try_one(compiler, source);
                works &= said.is_ok();
                line("", format!("{what}: {}", said.unwrap_or_else(|why| why)));
            }
        }
        Err(error) => {
            line("compiler", format!("{error:#}"));
            line("", "those of the kinds `predict`, `break` and `host` work without one".into());
        }
    }
    match driver::choose(driver::Choice::Gpu, None) {
        Ok(_) => line("GPU", "there is one; the exercises run on the emulated GPU all the same".into()),
        Err(why) => line("GPU", format!("none is needed ({why})")),
    }
    line("verdict", if works { "all exercises can be done".into() } else { "run `cargo toolkit install`".into() });
    (text, works)
}

fn try_one(compiler: &Compiler, source: &str) -> Result<String, String> {
    let begin = std::time::Instant::now();
    let file = std::env::temp_dir().join(format!("learn-doctor-{}.cu", std::process::id()));
    std::fs::write(&file, source).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    let compiled = compiler.compile(Path::new(&file), source, &CompileSpec::default());
    let _ = std::fs::remove_file(&file);
    match compiled {
        Ok(Compiled::Ptx(_)) => Ok(format!("compiles, {:.2} s", begin.elapsed().as_secs_f64())),
        Ok(Compiled::Refused(log)) => Err(format!("does not compile\n{log}")),
        Err(error) => Err(format!("{error:#}")),
    }
}
