//! Runs a file's cases on a device and compares.

use super::expression::{Names, evaluate};
use super::parse::{Case, Content, Declared, Expected, parse};
use super::value::{Tolerance, Type, Value};
use super::{Job, JobOutcome, Machine, Parameter};

/// Fills what a run gives no value.
const POISON: u8 = 0xa5;

/// Runs every case of `ptx` that is for this device; returns how many, or what went wrong.
pub fn check(ptx: &str, machine: &mut dyn Machine) -> Result<usize, Vec<String>> {
    let cases = parse(ptx).map_err(|error| vec![error])?;
    let (mut runs, mut failures) = (0, Vec::new());
    for case in &cases {
        if case.only.as_deref().is_some_and(|only| only != machine.name()) {
            continue;
        }
        runs += 1;
        match judge(ptx, case, machine) {
            Ok(found) => failures.extend(found.into_iter().map(|text| format!("line {}: {text}", case.line))),
            Err(text) => failures.push(format!("line {}: {text}", case.line)),
        }
    }
    if failures.is_empty() { Ok(runs) } else { Err(failures) }
}

/// Elements that must have these values.
struct WantedElements {
    /// Index among the buffers.
    buffer: usize,
    name: String,
    ty: Type,
    first: usize,
    values: Vec<Vec<u8>>,
    tolerance: Tolerance,
    multiset: bool,
}

fn judge(ptx: &str, case: &Case, machine: &mut dyn Machine) -> Result<Vec<String>, String> {
    let kernel = match &case.kernel {
        Some(name) => name.clone(),
        None => only_kernel(ptx)?,
    };
    let mut parameters = Vec::new();
    let mut buffers: Vec<(&Declared, Vec<u8>)> = Vec::new();
    for declared in &case.parameters {
        let parameter = fill(declared, &Scope { case, buffers: &buffers, index: 0 })?;
        if let Parameter::Buffer { bytes, .. } = &parameter {
            buffers.push((declared, bytes.clone()));
        }
        parameters.push(parameter);
    }
    let wanted = wanted(case, &buffers)?;
    let judged = parameters.iter_mut().filter_map(|parameter| match parameter {
        Parameter::Buffer { reads, .. } => Some(reads),
        Parameter::Scalar(_) => None,
    });
    for (at, reads) in judged.enumerate() {
        for want in wanted.iter().filter(|want| want.buffer == at) {
            reads.push(want.first * want.ty.bytes()..(want.first + want.values.len()) * want.ty.bytes());
        }
    }
    let Case { grid, block, shared, cooperative, .. } = *case;
    let outcome = machine.run(&Job { ptx, kernel: &kernel, grid, block, shared, cooperative, parameters })?;
    Ok(compare(case, &wanted, &outcome))
}

fn compare(case: &Case, wanted: &[WantedElements], outcome: &JobOutcome) -> Vec<String> {
    let mut failures = Vec::new();
    let refusal = case.expected.iter().find_map(|expected| match expected {
        Expected::Refused(text) => Some(text),
        _ => None,
    });
    let (buffers, printed, fault, findings) = match (outcome, refusal) {
        (JobOutcome::Refused(why), Some(text)) if why.contains(text.as_str()) => return failures,
        (JobOutcome::Refused(why), Some(text)) => {
            return vec![format!("refused with {why:?}, which does not say {text:?}")];
        }
        (JobOutcome::Refused(why), None) => return vec![format!("refused: {why}")],
        (JobOutcome::Ran { .. }, Some(_)) => return vec!["ran, but was to be refused".into()],
        (JobOutcome::Ran { buffers, printed, fault, findings }, None) => (buffers, printed, fault, findings),
    };
    let mut wanted_fault = None;
    let mut slugs: Vec<&str> = Vec::new();
    for expected in &case.expected {
        match expected {
            Expected::Fault(name) => wanted_fault = Some(name.as_str()),
            Expected::Finding(slug) => slugs.push(slug),
            Expected::Printed(text) => match printed {
                Some(printed) if printed != text => failures.push(format!("printed {printed:?}, not {text:?}")),
                _ => {}
            },
            Expected::Values { .. } | Expected::Refused(_) => {}
        }
    }
    if fault.as_deref() != wanted_fault {
        failures.push(format!(
            "fault {}, expected {}",
            fault.as_deref().unwrap_or("none"),
            wanted_fault.unwrap_or("none")
        ));
    }
    let mut found: Vec<&str> = findings.iter().map(String::as_str).collect();
    found.sort_unstable();
    found.dedup();
    slugs.sort_unstable();
    if found != slugs {
        failures.push(format!("findings {found:?}, expected {slugs:?}"));
    }
    if fault.is_none() {
        failures.extend(wanted.iter().filter_map(|want| differs(want, &buffers[want.buffer])));
    }
    failures
}

/// The first element that is not as it should be.
fn differs(want: &WantedElements, buffer: &[u8]) -> Option<String> {
    let WantedElements { name, ty, first, values, .. } = want;
    let mut got: Vec<&[u8]> = buffer.chunks_exact(ty.bytes()).skip(*first).take(values.len()).collect();
    let mut values: Vec<&[u8]> = values.iter().map(Vec::as_slice).collect();
    if want.multiset {
        got.sort_unstable();
        values.sort_unstable();
    }
    let bad: Vec<usize> = (0..values.len()).filter(|&at| !ty.agrees(got[at], values[at], want.tolerance)).collect();
    let &at = bad.first()?;
    let more = if bad.len() > 1 { format!(" and {} more", bad.len() - 1) } else { String::new() };
    Some(format!("{name}[{}] is {}, expected {}{more}", first + at, ty.show(got[at]), ty.show(values[at])))
}

fn wanted(case: &Case, buffers: &[(&Declared, Vec<u8>)]) -> Result<Vec<WantedElements>, String> {
    let mut wanted = Vec::new();
    for expected in &case.expected {
        let Expected::Values { name, range, tolerance, values, multiset } = expected else { continue };
        let buffer = buffers.iter().position(|(declared, _)| declared.name == *name);
        let buffer = buffer.ok_or(format!("there is no buffer `{name}`"))?;
        let (declared, bytes) = &buffers[buffer];
        let ty = declared.ty;
        let scope = |index| Scope { case, buffers, index };
        let (first, end) = match range {
            None => (0, bytes.len() / ty.bytes()),
            Some((first, end)) => (index(first, &scope(0))?, index(end, &scope(0))?),
        };
        if first >= end || end > bytes.len() / ty.bytes() {
            return Err(format!("`{name}` has no elements {first} to {end}"));
        }
        let values = spread(values, ty, first..end, &scope)?;
        let (tolerance, multiset) = (*tolerance, *multiset);
        wanted.push(WantedElements { buffer, name: name.clone(), ty, first, values, tolerance, multiset });
    }
    Ok(wanted)
}

fn index(text: &str, names: &dyn Names) -> Result<usize, String> {
    match evaluate(text, names)? {
        Value::Int(value) => usize::try_from(value).map_err(|_| format!("`{text}` is {value}")),
        Value::Float(_) => Err(format!("`{text}` is no integer")),
    }
}

/// One expression for every element, or one each.
fn spread<'a>(
    values: &[String],
    ty: Type,
    range: std::ops::Range<usize>,
    scope: &dyn Fn(i128) -> Scope<'a>,
) -> Result<Vec<Vec<u8>>, String> {
    if values.len() != 1 && values.len() != range.len() {
        return Err(format!("{} values for {} elements", values.len(), range.len()));
    }
    let first = range.start;
    range
        .map(|at| ty.encode(evaluate(&values[if values.len() == 1 { 0 } else { at - first }], &scope(at as i128))?))
        .collect()
}

fn fill(declared: &Declared, scope: &Scope) -> Result<Parameter, String> {
    let ty = declared.ty;
    let (count, values) = match &declared.content {
        Content::Scalar(fields) => {
            let fields = fields.iter().map(|text| ty.encode(evaluate(text, scope)?));
            return Ok(Parameter::Scalar(fields.collect::<Result<Vec<_>, String>>()?.concat()));
        }
        Content::Buffer { count, values } => (count, values),
    };
    let count = match count {
        Some(count) => index(count, scope)?,
        None if values.len() > 1 => values.len(),
        None => scope.threads() as usize,
    };
    if values.is_empty() {
        return Ok(Parameter::Buffer { bytes: vec![POISON; count * ty.bytes()], defined: false, reads: Vec::new() });
    }
    let at = |index| Scope { case: scope.case, buffers: scope.buffers, index };
    let bytes = spread(values, ty, 0..count, &at)?.concat();
    Ok(Parameter::Buffer { bytes, defined: true, reads: Vec::new() })
}

/// The kernel of a file that has just one.
fn only_kernel(ptx: &str) -> Result<String, String> {
    let mut names = ptx.lines().filter_map(|line| {
        let (before, after) = line.split_once(".entry ")?;
        (!before.contains("//"))
            .then_some(after.trim_start().split(|c: char| !(c.is_ascii_alphanumeric() || "_$".contains(c))).next()?)
    });
    match (names.next(), names.next()) {
        (Some(name), None) => Ok(name.to_string()),
        _ => Err("say which kernel: the file has none or several".into()),
    }
}

/// Names of a run's expressions; a buffer's elements are those it had before the launch.
struct Scope<'a> {
    case: &'a Case,
    buffers: &'a [(&'a Declared, Vec<u8>)],
    index: i128,
}

impl Scope<'_> {
    fn threads(&self) -> u64 {
        self.case.grid.iter().chain(&self.case.block).map(|&n| u64::from(n)).product()
    }
}

impl Names for Scope<'_> {
    fn variable(&self, name: &str) -> Option<Value> {
        Some(Value::Int(match name {
            "i" | "thread" => self.index,
            "lane" => self.index % 32,
            "warp" => self.index / 32,
            "threads" => self.threads().into(),
            _ => return None,
        }))
    }

    fn element(&self, name: &str, index: i128) -> Option<Value> {
        let (declared, bytes) = self.buffers.iter().find(|(declared, _)| declared.name == name)?;
        let start = usize::try_from(index).ok()?.checked_mul(declared.ty.bytes())?;
        bytes.get(start..start.checked_add(declared.ty.bytes())?).map(|bytes| declared.ty.decode(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Doubles its first buffer into its second, and does what else it is told.
    #[derive(Default)]
    struct Doubling {
        fault: Option<String>,
        findings: Vec<String>,
        refuse: bool,
    }

    impl Machine for Doubling {
        fn name(&self) -> &'static str {
            "doubling"
        }
        fn run(&mut self, job: &Job) -> Result<JobOutcome, String> {
            assert_eq!(job.kernel, "k");
            if self.refuse {
                return Ok(JobOutcome::Refused("tex.2d is not supported".into()));
            }
            let buffers: Vec<_> = job
                .parameters
                .iter()
                .filter_map(|parameter| match parameter {
                    Parameter::Buffer { bytes, .. } => Some(bytes.clone()),
                    Parameter::Scalar(_) => None,
                })
                .collect();
            let doubled = buffers[0].chunks(4).flat_map(|word| {
                let word: [u8; 4] = word.try_into().unwrap();
                (2 * u32::from_le_bytes(word)).to_le_bytes()
            });
            Ok(JobOutcome::Ran {
                buffers: vec![buffers[0].clone(), doubled.collect()],
                printed: Some("a\n".into()),
                fault: self.fault.clone(),
                findings: self.findings.clone(),
            })
        }
    }

    fn verdict(expected: &str, machine: &mut Doubling) -> Result<usize, Vec<String>> {
        let text = format!("// run: block=4 a:u32=[i+1] out:u32 => {expected}\n.visible .entry k()");
        check(&text, machine)
    }

    #[test]
    fn right_values_pass_and_wrong_ones_fail() {
        for right in [
            "out=[2*i+2]",
            "out=[2*a[i]]",
            "out[3]=8",
            "out[1..3]=[4, 6]",
            "out={8, 2, 6, 4}",
            "out[0]=2 printed=\"a\\n\"",
        ] {
            assert_eq!(verdict(right, &mut Doubling::default()), Ok(1), "{right}");
        }
        for wrong in [
            "out=[2*i]",
            "out[3]=9",
            "out[1..3]=[4, 7]",
            "out={8, 2, 6, 5}",
            "out=[1, 2]",
            "out[4]=1",
            "b=[1]",
            "printed=\"b\"",
            "fault=trap",
            "finding=race-shared",
            "refused=\"tex\"",
        ] {
            assert!(verdict(wrong, &mut Doubling::default()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn faults_findings_and_refusals_must_be_expected() {
        let fault = || Doubling { fault: Some("illegal-address".into()), ..Doubling::default() };
        assert!(verdict("out[0]=2", &mut fault()).is_err());
        assert_eq!(verdict("fault=illegal-address", &mut fault()), Ok(1));
        let finding = || Doubling { findings: vec!["race-shared".into(); 2], ..Doubling::default() };
        assert!(verdict("out[0]=2", &mut finding()).is_err());
        assert_eq!(verdict("out[0]=2 finding=race-shared", &mut finding()), Ok(1));
        let refusal = || Doubling { refuse: true, ..Doubling::default() };
        assert!(verdict("out[0]=2", &mut refusal()).is_err());
        assert!(verdict("refused=\"wmma\"", &mut refusal()).is_err());
        assert_eq!(verdict("refused=\"tex.2d\"", &mut refusal()), Ok(1));
    }
}
