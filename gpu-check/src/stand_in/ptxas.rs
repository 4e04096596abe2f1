//! `ptxas`: checks that the PTX can be read, and hands it on.

use super::{is_stand_in, write_image};
use driver::emulator::ptx;
use gpu_check::record::stood_in;
use std::ffi::OsString;
use std::os::unix::process::parent_id;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version of CUDA that is told where no other ptxas is there. Programs look for `release X.Y`, as NVIDIA's prints
/// it.
const RELEASE: &str = "13.0";

const OUTPUT: [&str; 2] = ["-o", "--output-file"];

/// A call of ptxas, as far as it matters here.
#[derive(Debug, PartialEq)]
enum PtxasCall {
    Version,
    Assemble { input: PathBuf, output: PathBuf },
}

impl PtxasCall {
    fn parse(arguments: &[OsString]) -> Result<PtxasCall, String> {
        let (mut inputs, mut output) = (Vec::new(), PathBuf::from("elf.o"));
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let text = argument.to_string_lossy();
            let joined = OUTPUT.iter().find_map(|name| text.strip_prefix(name)?.strip_prefix('='));
            match (&*text, joined) {
                ("--version" | "-V", _) => return Ok(PtxasCall::Version),
                (option, _) if OUTPUT.contains(&option) => {
                    output = rest.next().ok_or(format!("{text} needs a file name"))?.into();
                }
                (_, Some(file)) => output = file.into(),
                (option, _) if option.starts_with('-') => {}
                _ => inputs.push(PathBuf::from(argument)),
            }
        }
        // Values of other options stand apart, too, and no list of those options is complete.
        let is_ptx = |file: &PathBuf| file.extension().is_some_and(|ending| ending == "ptx");
        let named = inputs.iter().filter(|file| is_ptx(file)).cloned().collect::<Vec<_>>();
        match (&named[..], &inputs[..]) {
            ([input], _) => Ok(PtxasCall::Assemble { input: input.clone(), output }),
            ([], [.., input]) => Ok(PtxasCall::Assemble { input: input.clone(), output }),
            ([], []) => Err("no input file was named".to_string()),
            _ => Err("the stand-in takes one input file".to_string()),
        }
    }
}

/// Returns the version of the ptxas in whose place this one is called: Triton makes PTX of the version that goes with
/// it, and knows none that is newer than itself.
fn release() -> String {
    let maps = std::fs::read_to_string(format!("/proc/{}/maps", parent_id())).unwrap_or_default();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).map(|folder| folder.join("ptxas"));
    // A stand-in that took itself for another would start itself for ever.
    let others = triton_ptxas(&maps).into_iter().chain(on_path).filter(|file| !is_stand_in(file));
    let mut versions = others.filter_map(|file| Command::new(file).arg("--version").output().ok());
    let found = versions.find_map(|output| release_in(&String::from_utf8_lossy(&output.stdout)).map(str::to_string));
    found.unwrap_or_else(|| RELEASE.to_string())
}

/// Returns where the ptxas can be that belongs to the Triton which a process has loaded, by the process's memory map:
/// the place before Triton 3.0 is another.
fn triton_ptxas(maps: &str) -> Vec<PathBuf> {
    let library = maps.lines().find_map(|line| Some(&line[line.find('/')?..line.find("/_C/libtriton")?]));
    let places = |library: &str| TRITON_PTXAS.map(|place| Path::new(library).join(place)).to_vec();
    library.map(places).unwrap_or_default()
}

const TRITON_PTXAS: [&str; 2] = ["backends/nvidia/bin/ptxas", "third_party/cuda/bin/ptxas"];

/// `12.8` in `Cuda compilation tools, release 12.8, V12.8.93`.
fn release_in(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("release ")?;
    let end = rest.find(|sign: char| !sign.is_ascii_digit() && sign != '.').unwrap_or(rest.len());
    Some(&rest[..end]).filter(|version| !version.is_empty())
}

/// Returns the exit status: 255 for an error, as NVIDIA's has it.
pub fn run(arguments: &[OsString]) -> u8 {
    let done = PtxasCall::parse(arguments).and_then(|call| match call {
        PtxasCall::Version => {
            let release = release();
            println!("ptxas: gpu-check's stand-in, which hands on PTX\nCuda compilation tools, release {release}");
            Ok(())
        }
        PtxasCall::Assemble { input, output } => {
            let name = input.display();
            let bytes = std::fs::read(&input).map_err(|error| format!("{name}: {error}"))?;
            let text = String::from_utf8_lossy(&bytes);
            let text = text.trim_end_matches('\0');
            ptx::parse(text).map_err(|error| format!("{name}, line {}; error   : {}", error.line, error.message))?;
            write_image(text.as_bytes(), &output).map_err(|error| format!("{}: {error}", output.display()))?;
            stood_in("ptxas");
            Ok(())
        }
    });
    match done {
        Ok(()) => 0,
        Err(problem) => {
            eprintln!("ptxas {problem}");
            u8::MAX
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<PtxasCall, String> {
        PtxasCall::parse(&line.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn files_are_told_from_options() {
        let call = |input: &str, output: &str| Ok(PtxasCall::Assemble { input: input.into(), output: output.into() });
        assert_eq!(parse("-lineinfo -v --gpu-name=sm_90a a.ptx -o b.o"), call("a.ptx", "b.o"));
        assert_eq!(parse("-arch sm_90 -O 3 --output-file=c a.ptx"), call("a.ptx", "c"));
        assert_eq!(parse("-m 64 a.ptx"), call("a.ptx", "elf.o"));
        assert_eq!(parse("a.ptx -e kernel --def-load-cache cg -o=b"), call("a.ptx", "b"));
        assert_eq!(parse("-O 3 a --output-file b"), call("a", "b"));
        assert!(parse("a.ptx b.ptx").is_err());
        assert_eq!(parse("--version"), Ok(PtxasCall::Version));
        let text = "ptxas: NVIDIA (R) Ptx optimizing assembler\nCuda compilation tools, release 12.8, V12.8.93\n";
        assert_eq!((release_in(text), release_in("ptxas")), (Some("12.8"), None));
        let maps = "7f00-7f01 r--p 0 08:01 5 /some folder/triton/_C/libtriton.so\n7f01-7f02 rw-p 0 00:00 0 [heap]\n";
        let places = TRITON_PTXAS.map(|place| PathBuf::from("/some folder/triton").join(place));
        assert_eq!(triton_ptxas(maps), places);
        assert!(triton_ptxas("7f00-7f01 r--p 0 08:01 5 /lib/libc.so.6\n").is_empty());
        assert!(parse("-v").is_err());
        assert!(parse("a.ptx -o").is_err());
    }
}
