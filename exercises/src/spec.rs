//! `exercise.toml` and `topic.toml`: everything about an exercise that is no code. AUTHORS.md describes the format.

use crate::reason::Reason;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A folder of exercises that go together.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Topic {
    pub title: String,
    /// The lesson it belongs to: `lesson02-sync`.
    pub lesson: String,
    /// The exercises from first to last.
    pub order: Vec<String>,
}

/// Packs written for an earlier course say `mend`, `lean` and `fast`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum ExerciseKind {
    // A planted bug.
    #[serde(alias = "mend")]
    #[value(alias = "mend")]
    Fix,
    // A kernel with a part left out.
    Fill,
    // Correct, with something needless.
    #[serde(alias = "lean")]
    #[value(alias = "lean")]
    Simplify,
    // Correct, and too slow by a counter.
    #[serde(alias = "fast")]
    #[value(alias = "fast")]
    Faster,
    // Which of several primitives?
    Choose,
    // A kernel whose result is asked for.
    Predict,
    // A kernel whose executions are counted.
    Count,
    // Find the run in which it goes wrong.
    Break,
    // A program of the host.
    Host,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    pub title: String,
    pub kind: ExerciseKind,
    /// The reason for which the shipped file is rejected.
    pub fails: Reason,
    pub minutes: u32,
    /// One sentence, shown when it is solved.
    pub idea: String,
    pub hints: Vec<String>,
    #[serde(default)]
    pub compile: CompileSpec,
    #[serde(default)]
    pub sizes: BTreeMap<String, SizeSpec>,
    #[serde(default, rename = "buffer")]
    pub buffers: Vec<BufferSpec>,
    #[serde(default, rename = "launch")]
    pub launches: Vec<LaunchSpec>,
    pub reference: Option<Reference>,
    pub work: Option<WorkLimits>,
    /// Locks that answers must wait for.
    #[serde(default)]
    pub never_released: Vec<NeverReleased>,
    /// By counters: names of `emulator::counters`, in snake case, added up with `+`.
    #[serde(default)]
    pub budget: BTreeMap<String, Limit>,
    #[serde(default)]
    pub trial: TrialExtent,
    /// For exercises of kind `predict` and `count`.
    #[serde(default, rename = "question")]
    pub questions: Vec<Question>,
    /// For exercises of kind `break`.
    #[serde(rename = "break")]
    pub breaks: Option<Break>,
    /// For exercises of kind `host`.
    pub host: Option<Host>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Kernels that must have run.
    #[serde(default)]
    pub kernels: Vec<String>,
    /// Kernels that must have run in streams of their own.
    #[serde(default)]
    pub apart: Vec<String>,
    pub runs: Vec<HostRun>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostRun {
    #[serde(default)]
    pub args: Vec<String>,
    /// Lines, all of them.
    pub prints: Vec<String>,
}

/// The answer comes from a run of the shipped kernel and stands nowhere.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    pub text: String,
    pub answer: AnswerSource,
    /// The schedule of the run: `in-order` where nothing is said, `random:7`.
    pub under: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerSource {
    /// `out[n - 1]`, after the run.
    Element(String),
    /// Counters of the run, as in a budget.
    Counter(String),
    /// The slug of the first finding, or `none`. Written `finding = true`.
    Finding(bool),
    /// All executions of the launch of this kernel, or those that are wrong.
    Executions(String),
    Wrong(String),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Break {
    /// The mistake that the student's run must show: `answer`, or a finding's slug.
    pub shows: Reason,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CompileSpec {
    pub arch: String,
    /// More for the compiler, such as `-rdc=true`.
    pub flags: Vec<String>,
}

impl Default for CompileSpec {
    fn default() -> Self {
        CompileSpec { arch: "sm_80".to_string(), flags: Vec::new() }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum SizeSpec {
    Range {
        from: i64,
        to: i64,
        /// From one value to the next.
        #[serde(default = "one")]
        step: i64,
    },
    OneOf {
        one_of: Vec<i64>,
    },
}

fn one() -> i64 {
    1
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BufferSpec {
    pub name: String,
    #[serde(rename = "type")]
    pub ty: ElementType,
    pub len: Amount,
    pub fill: FillSpec,
    pub check: Option<Check>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ElementType {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FillSpec {
    /// 0, 1, 2...
    Ramp,
    Zero,
    /// Nothing has written it.
    Undefined,
    /// From the first to the second, both included.
    Random([f64; 2]),
    Value(Amount),
    OneOf(Vec<f64>),
    /// 0 to the length, in some order. Written `permutation = true`.
    Permutation(bool),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    Equal,
    /// Relative to the larger of 1 and the expected magnitude.
    Close(f64),
    /// In any order.
    Sorted,
}

/// A number, or an expression over the sizes.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Amount {
    Whole(i64),
    Real(f64),
    Expression(String),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LaunchSpec {
    pub kernel: String,
    pub grid: LaunchDimensions,
    pub block: LaunchDimensions,
    #[serde(default = "no_bytes")]
    pub shared: Amount,
    #[serde(default)]
    pub cooperative: bool,
    /// With programmatic stream serialization: it may overlap with the launch before it.
    #[serde(default)]
    pub dependent: bool,
    pub args: Vec<Amount>,
}

fn no_bytes() -> Amount {
    Amount::Whole(0)
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum LaunchDimensions {
    One(Amount),
    Several(Vec<Amount>),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// Leaves in the buffers what they should hold.
    pub kernel: Option<String>,
    /// Says of what the student's kernel left whether it is right.
    pub accept: Option<String>,
    /// Those of the first launch where nothing is said.
    pub args: Option<Vec<Amount>>,
    /// The meanings of the numbers that `accept` gives, from 1.
    #[serde(default)]
    pub verdicts: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkLimits {
    /// At least so many must write to one of the checked buffers.
    pub threads: Option<Amount>,
    /// Instructions that no thread may exceed, at the largest sizes.
    pub busiest: Option<u64>,
    /// Elements of memory that no thread may access more of, at the largest sizes.
    pub accesses: Option<u64>,
}

/// A run in which a lock is taken before the launch and never released.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NeverReleased {
    /// The buffer that holds the locks.
    pub buffer: String,
    /// The value of a lock that is taken.
    pub value: Amount,
    /// Buffers that nobody may write without the lock.
    pub unchanged: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    pub at_most: Option<Amount>,
    pub at_least: Option<Amount>,
}

/// The extent of the trial.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrialExtent {
    /// Inputs that are drawn.
    pub inputs: u32,
    /// Schedules for each, besides `in-order` and `reverse`.
    pub seeds: u32,
    /// Thread instructions that one launch may take.
    pub fuel: u64,
}

impl Default for TrialExtent {
    fn default() -> Self {
        TrialExtent { inputs: 4, seeds: 4, fuel: 1 << 24 }
    }
}

/// A size's values have places, from 0 for the smallest.
impl SizeSpec {
    pub fn count(&self) -> usize {
        match self {
            SizeSpec::Range { from, to, step } => (to - from).checked_div(*step).unwrap_or(0).max(0) as usize + 1,
            SizeSpec::OneOf { one_of } => one_of.len().max(1),
        }
    }

    pub fn at(&self, place: usize) -> i64 {
        match self {
            SizeSpec::Range { from, step, .. } => from + place as i64 * step,
            SizeSpec::OneOf { one_of } => {
                let mut sorted = one_of.clone();
                sorted.sort_unstable();
                sorted.get(place).copied().unwrap_or(0)
            }
        }
    }

    pub fn place_of(&self, value: i64) -> usize {
        (0..self.count()).find(|place| self.at(*place) == value).unwrap_or(0)
    }

    /// Returns true if `value` is one of the values.
    pub fn has(&self, value: i64) -> bool {
        self.at(self.place_of(value)) == value
    }

    /// The smallest value, the largest.
    pub fn ends(&self) -> (i64, i64) {
        (self.at(0), self.at(self.count() - 1))
    }
}

impl ElementType {
    pub fn bytes(self) -> usize {
        match self {
            ElementType::I8 | ElementType::U8 => 1,
            ElementType::I16 | ElementType::U16 => 2,
            ElementType::I32 | ElementType::U32 | ElementType::F32 => 4,
            ElementType::I64 | ElementType::U64 | ElementType::F64 => 8,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, ElementType::F32 | ElementType::F64)
    }

    /// `f32`, as the files write it.
    pub fn named(name: &str) -> Option<ElementType> {
        use ElementType::*;
        let all = [I8, U8, I16, U16, I32, U32, I64, U64, F32, F64];
        all.into_iter().find(|ty| format!("{ty:?}").to_lowercase() == name)
    }
}

impl ExerciseKind {
    pub const ALL: [ExerciseKind; 9] = [
        ExerciseKind::Fix,
        ExerciseKind::Fill,
        ExerciseKind::Simplify,
        ExerciseKind::Faster,
        ExerciseKind::Choose,
        ExerciseKind::Predict,
        ExerciseKind::Count,
        ExerciseKind::Break,
        ExerciseKind::Host,
    ];

    /// As exercise.toml has it.
    pub fn as_str(self) -> &'static str {
        match self {
            ExerciseKind::Fix => "fix",
            ExerciseKind::Fill => "fill",
            ExerciseKind::Simplify => "simplify",
            ExerciseKind::Faster => "faster",
            ExerciseKind::Choose => "choose",
            ExerciseKind::Predict => "predict",
            ExerciseKind::Count => "count",
            ExerciseKind::Break => "break",
            ExerciseKind::Host => "host",
        }
    }

    /// The student changes a kernel, which a small change may fix.
    pub fn has_fixes(self) -> bool {
        !self.is_puzzle() && self != ExerciseKind::Host
    }

    /// The student writes no code: the shipped kernel runs, from stored PTX.
    pub fn is_puzzle(self) -> bool {
        self.has_questions() || self == ExerciseKind::Break
    }

    /// The student answers questions about the shipped kernel.
    pub fn has_questions(self) -> bool {
        matches!(self, ExerciseKind::Predict | ExerciseKind::Count)
    }
}

impl AnswerSource {
    /// The kernel whose executions are counted.
    pub fn counted_kernel(&self) -> Option<&str> {
        match self {
            AnswerSource::Executions(kernel) | AnswerSource::Wrong(kernel) => Some(kernel),
            _ => None,
        }
    }
}

impl Reference {
    pub fn is_empty(&self) -> bool {
        self.kernel.is_none() && self.accept.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_known_by_its_name_and_by_an_earlier_one() {
        let read = |name: &str| {
            let text = format!("title = 'x'\nkind = '{name}'\nfails = 'answer'\nminutes = 1\nidea = ''\nhints = []\n");
            toml::from_str::<Spec>(&text).map(|spec| spec.kind)
        };
        for kind in ExerciseKind::ALL {
            assert_eq!(read(kind.as_str()), Ok(kind));
        }
        for (name, kind) in
            [("mend", ExerciseKind::Fix), ("lean", ExerciseKind::Simplify), ("fast", ExerciseKind::Faster)]
        {
            assert_eq!(read(name), Ok(kind));
        }
        assert!(read("men").is_err());
    }
}
