//! `nvcc`: passes its arguments on, but for `-cubin`, for which it asks for PTX. A cubin from an object that was made
//! so is the same PTX.

use super::{NAME, NVCC, write_image};
use gpu_check::record::stood_in;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The status of a shell for a command that is not there.
const NOT_FOUND: u8 = 127;

/// Returns the exit status of the real nvcc, which this process becomes if it has nothing to change.
pub fn run(arguments: &[OsString]) -> u8 {
    let Some(real) = std::env::var_os(NVCC).map(PathBuf::from) else {
        eprintln!("nvcc: {NVCC} is not set");
        return NOT_FOUND;
    };
    if let Some((object, output)) = device_link(arguments) {
        return match std::fs::read(&object).and_then(|ptx| write_image(&ptx, &output)) {
            Ok(()) => 0,
            Err(error) => {
                eprintln!("nvcc: {}: {error}", output.display());
                1
            }
        };
    }
    let Some((arguments, output)) = asked_for_ptx(arguments) else {
        let error = Command::new(&real).args(arguments).env_remove(NAME).exec();
        eprintln!("nvcc: {}: {error}", real.display());
        return NOT_FOUND;
    };
    let status = match Command::new(&real).args(&arguments).env_remove(NAME).status() {
        Ok(status) if status.success() => 0,
        Ok(status) => return status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1),
        Err(error) => {
            eprintln!("nvcc: {}: {error}", real.display());
            return NOT_FOUND;
        }
    };
    let written = std::fs::read(&output).and_then(|ptx| write_image(&ptx, &output));
    if let Err(error) = written {
        eprintln!("nvcc: {}: {error}", output.display());
        return 1;
    }
    stood_in("nvcc -cubin");
    status
}

/// Returns the one file that is to be linked to a cubin, and the cubin. It was made by this stand-in, and is PTX, which
/// is linked when it is loaded. `None` for any other call.
fn device_link(arguments: &[OsString]) -> Option<(PathBuf, PathBuf)> {
    let has = |names: [&str; 2]| arguments.iter().any(|argument| names.iter().any(|name| argument == name));
    if !has(["-cubin", "--cubin"]) || !has(["-dlink", "--device-link"]) {
        return None;
    }
    let output = arguments.windows(2).find(|pair| pair[0] == "-o").map(|pair| PathBuf::from(&pair[1]))?;
    let is_object = |file: &&OsString| Path::new(file).extension().is_some_and(|ending| ending == "o");
    let mut objects = arguments.iter().filter(is_object).map(PathBuf::from).filter(|file| *file != output);
    let object = objects.next().filter(|file| std::fs::read(file).is_ok_and(|bytes| !bytes.starts_with(b"\x7fELF")))?;
    objects.next().is_none().then_some((object, output))
}

/// Returns the arguments for PTX in place of a cubin, and the file that is written. `None` if no cubin was asked for.
fn asked_for_ptx(arguments: &[OsString]) -> Option<(Vec<OsString>, PathBuf)> {
    let is_cubin = |argument: &OsString| argument == "-cubin" || argument == "--cubin";
    if !arguments.iter().any(is_cubin) {
        return None;
    }
    let mut changed: Vec<OsString> = Vec::new();
    for argument in arguments {
        changed.push(if is_cubin(argument) { "-ptx".into() } else { argument.clone() });
    }
    let named = arguments.windows(2).find(|pair| pair[0] == "-o" || pair[0] == "--output-file");
    let output = match named {
        Some(pair) => PathBuf::from(&pair[1]),
        None => {
            let is_source = |file: &&OsString| Path::new(file).extension().is_some_and(|ending| ending == "cu");
            let source = arguments.iter().find(is_source)?;
            let output = PathBuf::from(Path::new(source).file_stem()?).with_extension("cubin");
            changed.extend(["-o".into(), output.clone().into()]);
            output
        }
    };
    Some((changed, output))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cubin_becomes_ptx_under_its_name() {
        let asked = |line: &str| {
            let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
            let (changed, output) = asked_for_ptx(&arguments)?;
            Some((changed.join(" ".as_ref()).into_string().expect("a test's text"), output))
        };
        let ptx = |line: &str, output: &str| Some((line.to_string(), PathBuf::from(output)));
        assert_eq!(asked("--cubin -arch sm_90 a/k.cu"), ptx("-ptx -arch sm_90 a/k.cu -o k.cubin", "k.cubin"));
        assert_eq!(asked("-cubin k.cu -o out"), ptx("-ptx k.cu -o out", "out"));
        assert_eq!(asked("-o program k.cu"), None);
        assert_eq!(asked("--version"), None);
    }
}
