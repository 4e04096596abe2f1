//! `nvcc`: passes its arguments on, but for `-cubin`, for which it asks for PTX under the cubin's name. A cubin from an
//! object that was made so is the same PTX.

use super::{NAME, NVCC, write_image};
use gpu_check::record::stood_in;
use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The status of a shell for a command that is not there.
const NOT_FOUND: u8 = 127;

const CUBIN: [&str; 2] = ["-cubin", "--cubin"];
const DEVICE_LINK: [&str; 2] = ["-dlink", "--device-link"];
const OUTPUT: [&str; 2] = ["-o", "--output-file"];
const OUTPUT_FOLDER: [&str; 2] = ["-odir", "--output-directory"];

/// Endings of files that nvcc compiles.
const SOURCES: [&str; 6] = ["cu", "c", "cc", "cpp", "cxx", "C"];

/// Returns the exit status of the real nvcc, which this process becomes if it has nothing to change.
pub fn run(arguments: &[OsString]) -> u8 {
    let Some(real) = std::env::var_os(NVCC).map(PathBuf::from) else {
        eprintln!("nvcc: {NVCC} is not set");
        return NOT_FOUND;
    };
    let call = CubinCall { arguments };
    let failed = |file: &Path, error: std::io::Error| eprintln!("nvcc: {}: {error}", file.display());
    let calls = call.for_ptx();
    if !call.has(CUBIN) || calls.is_empty() && call.hands_on().is_none() {
        failed(&real, Command::new(&real).env_remove(NAME).args(arguments).exec());
        return NOT_FOUND;
    }
    if let Some((ptx, cubin)) = call.hands_on() {
        let written = std::fs::read(&ptx).and_then(|ptx| write_image(&ptx, &cubin));
        return written.map_or_else(|error| (failed(&cubin, error), 1).1, |()| (stood_in("nvcc -cubin"), 0).1);
    }
    for (arguments, cubin) in calls {
        let mut command = Command::new(&real);
        match command.env_remove(NAME).args(arguments).status() {
            Ok(status) if status.success() => {}
            Ok(status) => return status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1),
            Err(error) => {
                failed(&real, error);
                return NOT_FOUND;
            }
        }
        // A call that compiles nothing, such as one with `--dryrun`, leaves no file.
        if !cubin.exists() {
            continue;
        }
        if let Err(error) = std::fs::read(&cubin).and_then(|ptx| write_image(&ptx, &cubin)) {
            failed(&cubin, error);
            return 1;
        }
        stood_in("nvcc -cubin");
    }
    0
}

/// A call with `-cubin`.
struct CubinCall<'a> {
    arguments: &'a [OsString],
}

impl CubinCall<'_> {
    fn has(&self, names: [&str; 2]) -> bool {
        self.arguments.iter().any(|argument| names.iter().any(|name| argument == name))
    }

    /// The value of an option: the next argument, or behind `=`.
    fn value(&self, names: [&str; 2]) -> Option<PathBuf> {
        let next = self.arguments.windows(2).find(|pair| names.iter().any(|name| pair[0] == *name));
        let joined = || {
            let mut texts = self.arguments.iter().filter_map(|argument| argument.to_str());
            texts.find_map(|text| names.iter().find_map(|name| text.strip_prefix(name)?.strip_prefix('=')))
        };
        next.map(|pair| PathBuf::from(&pair[1])).or_else(|| joined().map(PathBuf::from))
    }

    /// Arguments that are files with one of these endings, the output aside.
    fn files(&self, endings: &[&str]) -> Vec<PathBuf> {
        let output = self.value(OUTPUT);
        let is_one = |file: &PathBuf| file.extension().is_some_and(|ending| endings.iter().any(|one| ending == *one));
        let is_option = |argument: &&OsString| argument.to_string_lossy().starts_with('-');
        let files = self.arguments.iter().filter(|argument| !is_option(argument)).map(PathBuf::from);
        files.filter(is_one).filter(|file| Some(file) != output.as_ref()).collect()
    }

    /// The calls that ask for PTX, each with the cubin that it writes. Without a named output each source is compiled
    /// apart: nvcc's own names would replace a `.ptx` that is there.
    fn for_ptx(&self) -> Vec<(Vec<OsString>, PathBuf)> {
        if let Some(output) = self.value(OUTPUT) {
            return vec![(self.asking_for_ptx(|_| true), output)];
        }
        let (sources, folder) = (self.files(&SOURCES), self.value(OUTPUT_FOLDER).unwrap_or_default());
        let call = |source: &PathBuf| {
            let is_other = |argument: &OsString| sources.iter().any(|other| other != source && *argument == *other);
            let mut name = source.file_stem().unwrap_or_default().to_os_string();
            name.push(".cubin");
            let cubin = folder.join(name);
            let mut arguments = self.asking_for_ptx(|argument| !is_other(argument));
            arguments.extend(["-o".into(), cubin.clone().into()]);
            (arguments, cubin)
        };
        sources.iter().map(call).collect()
    }

    /// The arguments that are kept, with `-ptx` in place of `-cubin`.
    fn asking_for_ptx(&self, is_kept: impl Fn(&OsString) -> bool) -> Vec<OsString> {
        let is_cubin = |argument: &OsString| CUBIN.iter().any(|name| argument == name);
        let changed = |argument: &OsString| if is_cubin(argument) { "-ptx".into() } else { argument.clone() };
        self.arguments.iter().filter(|argument| is_kept(argument)).map(changed).collect()
    }

    /// Returns a file of PTX that is the cubin as it stands, and the cubin: a `.ptx`, or an object that a stand-in has
    /// made and that is to be linked. PTX is linked when it is loaded.
    fn hands_on(&self) -> Option<(PathBuf, PathBuf)> {
        let inputs = self.files(if self.has(DEVICE_LINK) { &["o"] } else { &["ptx"] });
        let [input] = &inputs[..] else { return None };
        let is_ptx = std::fs::read(input).is_ok_and(|bytes| !bytes.starts_with(b"\x7fELF"));
        let output =
            self.value(OUTPUT).unwrap_or_else(|| input.with_extension("cubin").file_name().unwrap_or_default().into());
        is_ptx.then(|| (input.clone(), output))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cubin_becomes_ptx_under_its_name() {
        for (line, calls) in [
            ("--cubin -arch sm_90 a/k.cu", &[("-ptx -arch sm_90 a/k.cu -o k.cubin", "k.cubin")][..]),
            ("-cubin k.cu -o out", &[("-ptx k.cu -o out", "out")]),
            ("-cubin -o=out k.cu", &[("-ptx -o=out k.cu", "out")]),
            ("-cubin k.cu --output-file out", &[("-ptx k.cu --output-file out", "out")]),
            ("-cubin a.b.cu c.cu", &[("-ptx a.b.cu -o a.b.cubin", "a.b.cubin"), ("-ptx c.cu -o c.cubin", "c.cubin")]),
            ("-cubin -odir d k.cu", &[("-ptx -odir d k.cu -o d/k.cubin", "d/k.cubin")]),
            ("-cubin -x cu k.cpp", &[("-ptx -x cu k.cpp -o k.cubin", "k.cubin")]),
        ] {
            let arguments: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
            let made = CubinCall { arguments: &arguments }.for_ptx();
            let made: Vec<_> = made.iter().map(|(words, cubin)| (words.join(" ".as_ref()), cubin.clone())).collect();
            let expected: Vec<_> =
                calls.iter().map(|(words, cubin)| (OsString::from(words), PathBuf::from(cubin))).collect();
            assert_eq!(made, expected, "{line}");
        }
    }
}
