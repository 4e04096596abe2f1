//! With the feature `nvcc`: compiles `peers.cu` with nvcc, and links it and the CUDA runtime into the program.

use kernel_build::Nvcc;
use std::path::{Path, PathBuf};
use std::process::{Command, exit};
use std::{env, fs};

/// Machine code for Hopper, and PTX for what is older and newer. `BENCH_ARCH` replaces it: `-arch=sm_80`.
const ARCH: &str = "-gencode arch=compute_75,code=compute_75 -gencode arch=compute_90,code=[compute_90,sm_90]";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_NVCC").is_none() {
        return;
    }
    println!("cargo::rerun-if-changed=peers.cu");
    for name in ["BENCH_ARCH", "NVCC", "CUDA_HOME", "CUDA_PATH", "NVCC_CCBIN"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    if let Err(error) = peers() {
        eprintln!("{error}");
        exit(1);
    }
}

fn peers() -> Result<(), String> {
    let nvcc = Nvcc::find().map_err(|error| error.to_string())?;
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let (object, archive) = (out.join("peers.o"), out.join("libpeers.a"));
    let arch = env::var("BENCH_ARCH").unwrap_or_else(|_| ARCH.into());
    let mut compile = Command::new(&nvcc.path);
    compile.args(["-c", "-O3", "-std=c++17", "-Xcompiler", "-fPIC"]).args(arch.split_whitespace());
    run(compile.arg("peers.cu").arg("-o").arg(&object))?;
    // `ar` adds to what is there.
    let _ = fs::remove_file(&archive);
    run(Command::new("ar").arg("crs").arg(&archive).arg(&object))?;

    println!("cargo::rustc-link-search=native={}", out.display());
    println!("cargo::rustc-link-search=native={}", runtime_folder(&nvcc.path)?.display());
    for library in ["peers", "cudart_static"] {
        println!("cargo::rustc-link-lib=static:-bundle={library}");
    }
    // C++'s own library is linked in, if it is there: a node of a cluster may have none, or an old one.
    match cxx_library() {
        Some(folder) => {
            println!("cargo::rustc-link-search=native={}", folder.display());
            println!("cargo::rustc-link-lib=static:-bundle=stdc++");
        }
        None => println!("cargo::rustc-link-lib=dylib=stdc++"),
    }
    for library in ["dl", "rt", "pthread"] {
        println!("cargo::rustc-link-lib=dylib={library}");
    }
    Ok(())
}

/// The folder of `libcudart_static.a` in nvcc's toolkit.
fn runtime_folder(nvcc: &Path) -> Result<PathBuf, String> {
    let home = nvcc.parent().and_then(Path::parent).unwrap_or(Path::new("/"));
    let machine = format!("targets/{}-linux/lib", env::consts::ARCH);
    let mut folders = ["lib64", "lib", machine.as_str()].into_iter().map(|folder| home.join(folder));
    folders
        .find(|folder| folder.join("libcudart_static.a").is_file())
        .ok_or_else(|| format!("the toolkit in {} has no libcudart_static.a", home.display()))
}

/// The folder of `libstdc++.a`.
fn cxx_library() -> Option<PathBuf> {
    let compiler = env::var_os("NVCC_CCBIN").unwrap_or_else(|| "g++".into());
    let output = Command::new(compiler).arg("-print-file-name=libstdc++.a").output().ok()?;
    let path = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    path.is_absolute().then(|| path.parent().map(Path::to_path_buf)).flatten()
}

fn run(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("cannot run {name}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    Err(format!("{name} failed:\n{}", String::from_utf8_lossy(&said)))
}
