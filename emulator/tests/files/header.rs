//! What a file of `fail/` and `pass/` says at its top beside its `// run:` lines:
//!
//! - `// cause: Unordered`, one for each kind of finding that is expected, names a variant of [`Finding::cause`];
//! - `// remedy: ...`, one for each remedy that the finding must offer;
//! - `// (1)` and `// (2)` at the end of instructions mark the lines that a finding must name, all of them and no others;
//! - `// source: 12 15` says the same by the lines that `.loc` gives;
//! - `// seeds: 4 (why)` asks for fewer schedules.

use emulator::finding::{Access, Finding};
use std::collections::BTreeSet;

pub struct Header {
    pub causes: Vec<String>,
    pub remedies: Vec<String>,
    pub seeds: Option<u64>,
    /// Lines of the file, from 1.
    marked: BTreeSet<u32>,
    source: BTreeSet<u32>,
}

impl Header {
    pub fn of(ptx: &str) -> Result<Header, String> {
        let all = |key: &str| -> Result<Vec<String>, String> {
            let values = ptx.lines().filter_map(|line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(':'));
            let values: Vec<String> = values.map(|value| value.trim().to_string()).collect();
            if values.iter().any(String::is_empty) { Err(format!("`// {key}:` says nothing")) } else { Ok(values) }
        };
        let (causes, remedies) = (all("cause")?, all("remedy")?);
        let is_name = |text: &str| {
            text.starts_with(|c: char| c.is_ascii_uppercase()) && text.chars().all(|c| c.is_ascii_alphanumeric())
        };
        if let Some(cause) = causes.iter().find(|cause| !is_name(cause)) {
            return Err(format!("`{cause}` is no name of a cause"));
        }
        if causes.is_empty() && !remedies.is_empty() {
            return Err("a remedy needs a cause".to_string());
        }
        let mut source = BTreeSet::new();
        for line in all("source")?.iter().flat_map(|list| list.split_whitespace()) {
            source.insert(line.parse().map_err(|_| format!("`{line}` is no line"))?);
        }
        let seeds = match all("seeds")?.first().and_then(|text| text.split(' ').next()) {
            None => None,
            Some(number) => Some(number.parse().map_err(|_| format!("`{number}` is no number of seeds"))?),
        };
        let is_marked = |line: &str| !line.starts_with("//") && (line.ends_with("// (1)") || line.ends_with("// (2)"));
        let marked = ptx.lines().zip(1..).filter(|(line, _)| is_marked(line)).map(|(_, number)| number).collect();
        Ok(Header { causes, remedies, seeds, marked, source })
    }

    /// What the findings of a run are not as the header says.
    pub fn differences(&self, findings: &[Finding]) -> Vec<String> {
        let ends = |line: fn(&Access) -> u32| {
            let all = findings.iter().flat_map(|finding| &finding.accesses);
            all.map(line).filter(|line| *line != 0).collect::<BTreeSet<u32>>()
        };
        let mut differences = Vec::new();
        let causes: BTreeSet<String> = findings.iter().map(cause).collect();
        if !self.causes.is_empty() && !causes.iter().eq(self.causes.iter().collect::<BTreeSet<_>>()) {
            differences.push(format!("findings have the causes {causes:?}, not {:?}", self.causes));
        }
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

/// The name of its variant.
fn cause(finding: &Finding) -> String {
    let text = format!("{:?}", finding.cause);
    text.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default().to_string()
}
