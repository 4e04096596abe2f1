//! Fixes that are tried before they are told.
//!
//! A remedy is first made in the PTX, which is quick, and run where the finding showed. One that helps there must hold
//! in all other runs. What does not fit the PTX takes a compiler. What a front end wants to have compiled before it is
//! told is its [`Proof`], since a barrier or a fence changes what a compiler may move.

use crate::fix::Fix;
use emulator::finding::{Finding, Remedy, TextEdit};
use repair::candidates::{candidates_in, guesses_in};
use repair::patch;
use repair::search::{CandidateRunner, CandidateRuns, Searched, search};
use repair::source::{SourceFile, apply};
use repair::versions::Versions;
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};

/// A kernel that a fix is looked for.
#[derive(Clone, Copy, Debug)]
pub struct KernelToFix<'a> {
    /// The file, as its reader has it.
    pub source: &'a str,
    pub ptx: &'a str,
    /// The kernel with the finding.
    pub kernel: &'a str,
    /// By the host: a finding may be of a kernel that this one has launched.
    pub launched: &'a str,
}

/// The proof that a fix must have before it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The changed PTX is right.
    Ptx,
    /// The changed source is right when it is compiled.
    Source,
    /// Both are.
    Both,
}

/// The runner of a changed kernel: the trial of a lesson, the judge of an exercise, a program's launch.
pub trait Fixable {
    fn code(&self) -> KernelToFix<'_>;
    /// True if this is the source, by the name that a finding gives it.
    fn is_here(&self, file: &str) -> bool;
    fn proof(&self) -> Proof;
    /// True if a remedy may be told at all.
    fn may_tell(&self, _: &Remedy) -> bool {
        true
    }
    /// True if there is more to try than what the cause suggests: what beginners mistake.
    fn guesses(&self) -> bool {
        true
    }
    /// Returns the PTX of this changed source, if a fix that was found earlier left it.
    fn stored(&self, _text: &str) -> Option<String> {
        None
    }
    /// True if there may be any such.
    fn has_stored(&self) -> bool {
        false
    }
    /// True if `compile` has a compiler.
    fn can_compile(&mut self) -> bool {
        false
    }
    /// The PTX of a changed source, or what the compiler has against it.
    fn compile(&mut self, _text: &str) -> Result<String, String> {
        Err(String::new())
    }
    /// The runs that showed the finding, with this PTX instead.
    fn look(&mut self, ptx: &str) -> CandidateRuns;
    /// All runs. `Err` has what they have shown, where that is known.
    fn hold(&mut self, ptx: &str) -> Result<(), Vec<Finding>>;
    /// Returns the number of those runs.
    fn runs(&self) -> u64;
    /// True if a run's answer is compared with the right one.
    fn knows_answer(&self) -> bool {
        true
    }
}

/// Looks for what fixes `finding`, or a wrong answer without one. A compiler may be started `starts` times.
pub fn fix(subject: &mut impl Fixable, finding: Option<&Finding>, starts: usize) -> Fix {
    let versions = Versions::with_starts(starts);
    let source = SourceFile::parse(subject.code().source).ok();
    let mut trying = FixSearch::new(subject, source, versions);
    let Searched { remedy, tried } = search(finding, &mut trying);
    let told = remedy.and_then(|remedy| Some((trying.edits(&remedy)?, remedy)));
    match told {
        Some((edits, remedy)) => {
            let (runs, took_compiler) = (trying.subject.runs(), trying.versions.was_compiled());
            Fix::Tried { remedy, edits, runs, took_compiler, is_answer_known: trying.subject.knows_answer() }
        }
        None if tried == 0 => Fix::Untried,
        None => Fix::NoneHolds { tried },
    }
}

struct FixSearch<'a, S> {
    subject: &'a mut S,
    /// `None` where it cannot be read: then nothing can be told.
    source: Option<SourceFile>,
    versions: Versions,
    compiles_all: bool,
    /// The results of [`FixSearch::patched`]: each patch parses the whole file, and is asked for several times.
    patches: RefCell<HashMap<Remedy, Option<String>>>,
    /// Remedies that are tried next. Those of them that take a compiler are looked for when it is started.
    expected: VecDeque<Remedy>,
    /// The findings of the last trial that did not hold.
    left: Vec<Finding>,
}

impl<'a, S: Fixable> FixSearch<'a, S> {
    fn new(subject: &'a mut S, source: Option<SourceFile>, versions: Versions) -> FixSearch<'a, S> {
        FixSearch {
            subject,
            source,
            versions,
            compiles_all: false,
            patches: RefCell::default(),
            expected: VecDeque::new(),
            left: Vec::new(),
        }
    }

    fn edits(&self, remedy: &Remedy) -> Option<Vec<TextEdit>> {
        self.source.as_ref()?.text_edits(self.subject.code().kernel, remedy).ok()
    }

    /// The PTX of the changed source, if this is a fix that was found earlier.
    fn stored(&self, remedy: &Remedy) -> Option<String> {
        if !self.subject.has_stored() {
            return None;
        }
        let edits = self.edits(remedy)?;
        self.subject.stored(&apply(self.subject.code().source, &edits))
    }

    /// The changed PTX; `None` where it takes a compiler.
    fn patched(&self, remedy: &Remedy) -> Option<String> {
        if self.compiles_all {
            return None;
        }
        if let Some(known) = self.patches.borrow().get(remedy) {
            return known.clone();
        }
        let KernelToFix { ptx, kernel, .. } = self.subject.code();
        // A change that cannot be told is not tried.
        let patched = self.edits(remedy).and_then(|_| patch::patched(ptx, kernel, remedy).ok());
        self.patches.borrow_mut().insert(remedy.clone(), patched.clone());
        patched
    }

    /// The PTX of the changed source; `None` without a compiler, or where it does not compile.
    fn compiled(&mut self, remedy: &Remedy) -> Option<String> {
        let edits = self.edits(remedy).filter(|_| self.subject.can_compile())?;
        while self.versions.has_room()
            && let Some(next) = self.expected.pop_front()
        {
            if !self.is_quick(&next) {
                self.versions.expect(self.edits(&next));
            }
        }
        let KernelToFix { source, launched, .. } = self.subject.code();
        let (source, launched) = (source.to_string(), launched.to_string());
        self.versions.ptx(&source, &launched, &edits, |text| self.subject.compile(text))
    }

    fn quick(&self, remedy: &Remedy) -> Option<String> {
        self.stored(remedy).or_else(|| self.patched(remedy))
    }

    fn changed(&mut self, remedy: &Remedy) -> Option<String> {
        self.quick(remedy).or_else(|| self.compiled(remedy))
    }

    fn hold(&mut self, ptx: Option<String>) -> bool {
        let Some(ptx) = ptx else { return false };
        let held = self.subject.hold(&ptx);
        self.left = held.clone().err().unwrap_or_default();
        held.is_ok()
    }
}

impl<S: Fixable> CandidateRunner for FixSearch<'_, S> {
    fn candidates(&mut self, finding: &Finding) -> Vec<Remedy> {
        let KernelToFix { source, kernel, .. } = self.subject.code();
        let mut all = candidates_in(source, |file| self.subject.is_here(file), finding, kernel);
        all.retain(|remedy| self.subject.may_tell(remedy));
        all
    }

    fn guesses(&mut self, finding: Option<&Finding>) -> Vec<Remedy> {
        let KernelToFix { source, launched, .. } = self.subject.code();
        if self.subject.guesses() { guesses_in(source, finding, launched) } else { Vec::new() }
    }

    fn known(&mut self, finding: Option<&Finding>, candidates: &[Remedy]) -> Vec<Remedy> {
        if !self.subject.has_stored() {
            return Vec::new();
        }
        let guesses = self.guesses(finding);
        let all = candidates.iter().chain(&guesses).flat_map(parts);
        all.filter(|remedy| self.stored(remedy).is_some()).take(1).collect()
    }

    fn is_quick(&self, remedy: &Remedy) -> bool {
        self.quick(remedy).is_some()
    }

    fn compiles_all(&mut self) -> bool {
        self.compiles_all = self.versions.may_start() && self.subject.can_compile();
        self.expected.clear();
        self.compiles_all
    }

    fn expect(&mut self, remedies: &[Remedy]) {
        self.expected.extend(remedies.iter().cloned());
    }

    fn look(&mut self, remedy: &Remedy) -> CandidateRuns {
        match self.changed(remedy) {
            Some(ptx) => self.subject.look(&ptx),
            None => CandidateRuns::Unfit,
        }
    }

    fn holds(&mut self, remedy: &Remedy) -> bool {
        let proof = self.subject.proof();
        if proof == Proof::Source {
            let compiled = self.compiled(remedy);
            return self.hold(compiled);
        }
        let changed = self.changed(remedy);
        if !self.hold(changed.clone()) {
            return false;
        }
        if proof == Proof::Ptx {
            return true;
        }
        let compiled = self.compiled(remedy);
        compiled.is_some() && (compiled == changed || self.hold(compiled))
    }

    fn shown_last(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.left)
    }
}

/// The remedy, and each that has some of its edits: what a search has left of it.
fn parts(remedy: &Remedy) -> Vec<Remedy> {
    if remedy.len() > MOST_EDITS {
        return vec![remedy.clone()];
    }
    let part =
        move |edits: u32| (0..).zip(remedy).filter(move |(at, _)| edits >> at & 1 == 1).map(|(_, edit)| edit.clone());
    (1..1 << remedy.len()).rev().map(|edits| part(edits).collect()).collect()
}

/// A remedy with more edits has too many parts (2^edits) to try each.
const MOST_EDITS: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;
    use emulator::finding::{BarrierKind, Edit, Position, SourceLocation};

    /// A kernel whose fix is stored as the PTX `stored`, and compiles to `compiled`.
    struct Kernel {
        proof: Proof,
        right: &'static [&'static str],
        held: Vec<String>,
    }

    impl Fixable for Kernel {
        fn code(&self) -> KernelToFix<'_> {
            let source = "__global__ void k(int* d) {\n    d[0] = 1;\n    d[1] = d[0];\n}\n";
            KernelToFix { source, ptx: "", kernel: "k", launched: "k" }
        }
        fn is_here(&self, _: &str) -> bool {
            true
        }
        fn proof(&self) -> Proof {
            self.proof
        }
        fn has_stored(&self) -> bool {
            true
        }
        fn stored(&self, _: &str) -> Option<String> {
            Some("stored".to_string())
        }
        fn can_compile(&mut self) -> bool {
            true
        }
        fn compile(&mut self, _: &str) -> Result<String, String> {
            Ok("compiled".to_string())
        }
        fn look(&mut self, _: &str) -> CandidateRuns {
            CandidateRuns::Nothing
        }
        fn hold(&mut self, ptx: &str) -> Result<(), Vec<Finding>> {
            self.held.push(ptx.to_string());
            if self.right.contains(&ptx) { Ok(()) } else { Err(Vec::new()) }
        }
        fn runs(&self) -> u64 {
            1
        }
    }

    #[test]
    fn a_fix_holds_only_with_its_whole_proof() {
        let at = SourceLocation { file: "k.cu".to_string(), line: 3, column: 5 };
        let remedy = vec![Edit::InsertBarrier { barrier: BarrierKind::Block, at: Position::Before { at } }];
        for (proof, right, holds, held) in [
            (Proof::Ptx, &["stored"][..], true, &["stored"][..]),
            (Proof::Ptx, &["compiled"], false, &["stored"]),
            (Proof::Source, &["compiled"], true, &["compiled"]),
            (Proof::Source, &["stored"], false, &["compiled"]),
            (Proof::Both, &["stored", "compiled"], true, &["stored", "compiled"]),
            (Proof::Both, &["stored"], false, &["stored", "compiled"]),
            (Proof::Both, &["compiled"], false, &["stored"]),
        ] {
            let mut kernel = Kernel { proof, right, held: Vec::new() };
            let versions = Versions::with_starts(1);
            let source = SourceFile::parse(kernel.code().source).ok();
            let mut trying = FixSearch::new(&mut kernel, source, versions);
            assert_eq!(trying.holds(&remedy), holds, "{proof:?}, {right:?}");
            assert_eq!(kernel.held, held, "{proof:?}, {right:?}");
        }
    }
}
