//! Precompiled headers of NVRTC (its documentation, "Precompiled Headers (PCH)").
//!
//! Parsing the headers of cooperative groups takes a second, with what was kept of them a fifth. Keeping takes a second
//! itself, and lasts as long as the process: addresses in the file hold for one instance of the library only. So a
//! source's headers are kept when they come for the second time, or before that, when a process has nothing else to do.

use crate::spec::CompileSpec;
use std::collections::HashMap;
use std::env;
use std::sync::{Mutex, PoisonError};

/// The headers that were included so far in this process.
#[derive(Default)]
pub struct Headers(Mutex<HashMap<Prefix, bool>>);

/// The key of kept headers: the lines that include them, and how they were compiled.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Prefix {
    includes: String,
    pub arch: String,
    pub flags: Vec<String>,
}

impl Prefix {
    fn of(text: &str, how: &CompileSpec) -> Option<Prefix> {
        let includes: String = text
            .lines()
            .map(str::trim)
            .filter(|line| line.starts_with("#include"))
            .map(|line| format!("{line}\n"))
            .collect();
        (!includes.is_empty()).then(|| Prefix { includes, arch: how.arch.clone(), flags: how.flags.clone() })
    }

    /// A source with these headers and nothing to compile.
    pub fn source(&self) -> String {
        format!("{}__global__ void headers() {{}}\n", self.includes)
    }
}

/// NVRTC takes what it has kept, or keeps it now.
pub fn keeping() -> Vec<String> {
    vec!["-pch".into(), format!("-pch-dir={}", env::temp_dir().display())]
}

impl Headers {
    /// Options for a source that is to be compiled now.
    pub fn options(&self, text: &str, how: &CompileSpec) -> Vec<String> {
        let Some(prefix) = Prefix::of(text, how) else { return Vec::new() };
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let again = known.contains_key(&prefix);
        known.insert(prefix, again);
        if again { keeping() } else { Vec::new() }
    }

    /// Returns the prefixes that have come once and are not kept; from now on they count as kept.
    pub fn unkept(&self) -> Vec<Prefix> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let unkept = known.iter_mut().filter(|(_, kept)| !**kept);
        unkept.map(|(prefix, kept)| (*kept = true, prefix.clone()).1).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_kept_from_the_second_time_on() {
        let (headers, how) = (Headers::default(), CompileSpec::default());
        let source = "// a\n#include <cooperative_groups.h>\nint a;\n";
        assert!(headers.options("int a;\n", &how).is_empty());
        assert!(headers.options(source, &how).is_empty());
        assert!(headers.options("#include <cuda/atomic>\n", &how).is_empty());
        assert_eq!(headers.options(&source.replace("int a", "int b"), &how), keeping());
        let other = CompileSpec { flags: vec!["-rdc=true".into()], ..CompileSpec::default() };
        assert!(headers.options(source, &other).is_empty());
    }

    #[test]
    fn what_came_once_can_be_kept_in_advance() {
        let (headers, how) = (Headers::default(), CompileSpec::default());
        let source = "#include <cooperative_groups.h>\nint a;\n";
        headers.options(source, &how);
        let unkept = headers.unkept();
        assert_eq!(unkept.len(), 1);
        assert!(unkept[0].source().starts_with("#include <cooperative_groups.h>\n__global__"));
        assert!(headers.unkept().is_empty());
        assert_eq!(headers.options(source, &how), keeping());
    }
}
