//! Names the student's program and its kernels' PTX. `cargo learn` gives both; without it there is nothing to build, and an
//! empty program stands in.

use std::path::PathBuf;
use std::{env, fs};

fn main() -> std::io::Result<()> {
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let given = |variable: &str| {
        println!("cargo::rerun-if-env-changed={variable}");
        let path = env::var_os(variable).map(PathBuf::from)?;
        println!("cargo::rerun-if-changed={}", path.display());
        Some(path)
    };
    let program = match given("HOST_EXERCISE") {
        Some(path) => format!("include!({path:?});\n"),
        None => "fn main() {}\n".to_string(),
    };
    fs::write(out.join("program.rs"), program)?;
    let kernels = match given("HOST_KERNELS") {
        Some(path) => path,
        None => {
            let empty = out.join("none.ptx");
            fs::write(&empty, "")?;
            empty
        }
    };
    println!("cargo::rustc-env=KERNELS={}", kernels.display());
    Ok(())
}
