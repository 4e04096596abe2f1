//! The lines at the top of a file of `fail/` and `pass/`, beside its `// run:` lines:
//!
//! - `// (1)` and `// (2)` at the end of instructions mark the lines that a finding must name, all of them and no
//!   others;
//! - `// source: 12 15` says the same by the lines that `.loc` gives;
//! - `// seeds: 4 (why)` asks for fewer schedules.

use emulator::finding::{Access, Finding};
use std::collections::BTreeSet;

pub struct Header {
    /// Lines of the file, from 1.
    marked: BTreeSet<u32>,
    source: BTreeSet<u32>,
    pub seeds: Option<u64>,
}

impl Header {
    pub fn of(ptx: &str) -> Result<Header, String> {
        let values: Vec<&str> = ptx.lines().filter_map(|line| line.strip_prefix("// source:")).collect();
        if values.iter().any(|value| value.trim().is_empty()) {
            return Err("`// source:` says nothing".to_string());
        }
        let mut source = BTreeSet::new();
        for line in values.into_iter().flat_map(str::split_whitespace) {
            source.insert(line.parse().map_err(|_| format!("`{line}` is no line"))?);
        }
        let seeds = match ptx.lines().find_map(|line| line.strip_prefix("// seeds:")) {
            None => None,
            Some(text) => match text.trim().split(' ').next().and_then(|number| number.parse().ok()) {
                None => return Err(format!("`{}` is no number of seeds", text.trim())),
                some => some,
            },
        };
        let is_marked = |line: &str| !line.starts_with("//") && (line.ends_with("// (1)") || line.ends_with("// (2)"));
        let marked = ptx.lines().zip(1..).filter(|(line, _)| is_marked(line)).map(|(_, number)| number).collect();
        Ok(Header { marked, source, seeds })
    }

    /// Returns the differences between the findings of a run and the header.
    pub fn differences(&self, findings: &[Finding]) -> Vec<String> {
        let ends = |line: fn(&Access) -> u32| {
            let all = findings.iter().flat_map(|finding| &finding.accesses);
            all.map(line).filter(|line| *line != 0).collect::<BTreeSet<u32>>()
        };
        let mut differences = Vec::new();
        let lines = ends(|access| access.ptx_line);
        if !self.marked.is_empty() && lines != self.marked {
            differences.push(format!("findings name the lines {lines:?}, not {:?}", self.marked));
        }
        let lines = ends(|access| access.location.as_ref().map_or(0, |place| place.line));
        if !self.source.is_empty() && lines != self.source {
            differences.push(format!("findings name the source lines {lines:?}, not {:?}", self.source));
        }
        differences
    }
}
