//! A row of a lesson's table: which kernels belong together, what is expected of each, at which sizes they run.

use crate::lesson::run::Run;
use crate::table::kernel_file::KernelFile;
use emulator::counters::Metric;
use emulator::finding::Slug;
use peers::Peer;
use std::fmt;

/// The behaviour of a broken kernel that is "as expected".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    /// The emulator reports this, on lines of the kernel itself.
    Finding(Slug),
    /// No rule of the programming model is broken; only the answer is wrong.
    WrongResult,
}

impl Expect {
    pub fn as_str(self) -> &'static str {
        match self {
            Expect::Finding(slug) => slug.as_str(),
            Expect::WrongResult => "wrong-result",
        }
    }
}

impl Expect {
    /// Returns the slug of an expected finding.
    pub fn slug(self) -> Option<Slug> {
        match self {
            Expect::Finding(slug) => Some(slug),
            Expect::WrongResult => None,
        }
    }
}

impl From<Slug> for Expect {
    fn from(slug: Slug) -> Self {
        Expect::Finding(slug)
    }
}

impl fmt::Display for Expect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Source that nvcc refuses. `kernel-build` makes these of `cuda/<lesson>/compile_fail/`.
#[derive(Clone, Copy, Debug)]
pub struct RefusedSource {
    pub file: KernelFile,
    /// The message of nvcc; `None` where it takes the file after all.
    pub message: Option<&'static str>,
}

/// The role of a kernel in its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    Broken(Expect),
    /// Today's nvcc refuses it: it is shown with nvcc's message, and never run.
    CompileFail,
    Correct,
    /// One rung of several correct kernels for the same job.
    Ladder,
}

impl Variant {
    /// The word in tokens and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Variant::Broken(_) => "broken",
            Variant::CompileFail => "compile-fail",
            Variant::Correct => "correct",
            Variant::Ladder => "ladder",
        }
    }

    pub fn expect(self) -> Option<Expect> {
        match self {
            Variant::Broken(expect) => Some(expect),
            Variant::CompileFail | Variant::Correct | Variant::Ladder => None,
        }
    }
}

/// The unit in which the size of a row's runs counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Ints,
    Floats,
    Threads,
    Pixels,
    Bytes,
}

impl Unit {
    /// A word of the messages.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Unit::Ints => "ints",
            Unit::Floats => "floats",
            Unit::Threads => "threads",
            Unit::Pixels => "pixels",
            Unit::Bytes => "bytes",
        }
    }
}

/// The numbers of elements that a kernel of this row works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The slide's own size: once on the emulator, many times on a GPU.
    pub slide: usize,
    /// For the many random schedules on the emulator: a few thousand threads show what a million would.
    pub seeds: usize,
    /// A size at which a GPU's times mean something. 0 for rows without a timing.
    pub gpu: usize,
    /// The unit of these sizes.
    pub unit: Unit,
}

/// The job that all kernels of a row do: make an input of [`Run::size`], compute its answer on the CPU, and in
/// [`Run::each`] launch and compare.
pub type Job = fn(&Run) -> anyhow::Result<()>;

/// One row. Built as a constant, beside the functions that it uses:
///
/// ```
/// use common::{Row, Run, Slug};
/// # fn counted(run: &Run) -> anyhow::Result<()> { Ok(()) }
/// # fn filtered(run: &Run, share: f64) -> anyhow::Result<()> { Ok(()) }
/// const COUNTER: Row = Row::pair("counter", Slug::RaceGlobal).sizes(1_000_000, 4096).job(counted);
/// const FILTER: Row =
///     Row::pair("filter", Slug::RaceGlobal).ladder(&["filter_shared", "filter_warp"]).job(|run| filtered(run, 0.5));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub name: &'static str,
    named: RowKernels,
    pub sizes: Sizes,
    /// Random schedules on the emulator, unless the command line says otherwise.
    pub seeds: u64,
    /// The smallest size this row can take.
    pub least: usize,
    /// The smallest size at which the broken kernels can go wrong.
    pub shows_from: usize,
    /// The size is part of the row (a catalogue, one block): `--n` leaves it alone.
    pub is_fixed: bool,
    /// Bytes this row reads instead of made-up input; `--input FILE` replaces them.
    pub sample: Option<&'static [u8]>,
    /// On the emulator: counters to compare the correct kernels by.
    pub charts: &'static [Metric],
    /// The name of the figure that `--plot` draws of this row.
    pub figure: Option<&'static str>,
    pub on_gpu: OnGpu,
    pub(crate) job: Option<Job>,
}

/// The kernels of a row.
#[derive(Clone, Copy, Debug)]
struct RowKernels {
    /// `name_broken` and `name_correct` exist.
    pair: Option<Expect>,
    broken: &'static [(&'static str, Expect)],
    /// Kernels with a second kind of finding, which some runs show.
    also: &'static [(&'static str, Slug)],
    refused: &'static [RefusedSource],
    correct: &'static [&'static str],
    ladder: &'static [&'static str],
}

/// A row's demands on a GPU.
#[derive(Clone, Copy, Debug)]
pub struct OnGpu {
    /// The broken kernels run in a child process: they may kill or hang the context.
    pub is_isolated: bool,
    /// The compute capability that the kernels need beyond what every lesson does.
    pub capability: Option<Capability>,
    peer: Option<Peer>,
    /// The peer of a kernel that does another job than its row.
    own_peer: Option<(&'static str, Peer)>,
}

/// The devices that run a row's kernels, by their compute capability.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capability {
    /// Those with this first number, and later ones.
    From(i32),
    /// Those with both numbers: PTX for `sm_90a` is for no other.
    Only(i32, i32),
}

impl Capability {
    /// True if a device of this compute capability runs the kernels.
    pub fn includes(self, (major, minor): (i32, i32)) -> bool {
        match self {
            Capability::From(least) => major >= least,
            Capability::Only(its_major, its_minor) => (major, minor) == (its_major, its_minor),
        }
    }
}

impl Row {
    /// A row without kernels; add them with [`Row::broken`], [`Row::correct`] and [`Row::ladder`].
    pub const fn of(name: &'static str) -> Row {
        Row {
            name,
            named: RowKernels { pair: None, broken: &[], also: &[], refused: &[], correct: &[], ladder: &[] },
            sizes: Sizes { slide: 4096, seeds: 4096, gpu: 0, unit: Unit::Ints },
            seeds: 64,
            least: 1,
            shows_from: 2,
            is_fixed: false,
            sample: None,
            charts: &[],
            figure: None,
            on_gpu: OnGpu { is_isolated: false, capability: None, peer: None, own_peer: None },
            job: None,
        }
    }

    /// `name_broken`, expected to be reported as `slug`, and `name_correct`.
    pub const fn pair(name: &'static str, slug: Slug) -> Row {
        let mut row = Row::of(name);
        row.named.pair = Some(Expect::Finding(slug));
        row
    }

    /// `name_broken`, expected to give a wrong answer and nothing else, and `name_correct`.
    pub const fn wrong_result_pair(name: &'static str) -> Row {
        let mut row = Row::of(name);
        row.named.pair = Some(Expect::WrongResult);
        row
    }

    /// More broken kernels, by their full names.
    pub const fn broken(mut self, kernels: &'static [(&'static str, Expect)]) -> Row {
        self.named.broken = kernels;
        self
    }

    /// Broken kernels, by their full names, whose bug has a second finding in some runs: a wait for the wrong phase of
    /// a barrier either does not wait or never ends.
    pub const fn also(mut self, kernels: &'static [(&'static str, Slug)]) -> Row {
        self.named.also = kernels;
        self
    }

    /// Source that nvcc refuses: `REFUSED`, as the build script generates it.
    pub const fn compile_fail(mut self, files: &'static [RefusedSource]) -> Row {
        self.named.refused = files;
        self
    }

    /// More correct kernels, by their full names.
    pub const fn correct(mut self, kernels: &'static [&'static str]) -> Row {
        self.named.correct = kernels;
        self
    }

    /// Correct kernels for one job, slow to fast.
    pub const fn ladder(mut self, kernels: &'static [&'static str]) -> Row {
        self.named.ladder = kernels;
        self
    }

    /// The slide's size, and the size for the many random schedules.
    pub const fn sizes(mut self, slide: usize, seeds: usize) -> Row {
        self.sizes.slide = slide;
        self.sizes.seeds = seeds;
        self
    }

    /// Sets the unit of the sizes: ints unless said otherwise.
    pub const fn of_unit(mut self, unit: Unit) -> Row {
        self.sizes.unit = unit;
        self
    }

    /// The size for timing the correct kernels on a GPU.
    pub const fn gpu(mut self, size: usize) -> Row {
        self.sizes.gpu = size;
        self
    }

    /// Fewer random schedules than 64, for rows with many kernels.
    pub const fn seeds(mut self, seeds: u64) -> Row {
        self.seeds = seeds;
        self
    }

    /// One size on every device, whatever `--n` says.
    pub const fn fixed(mut self, size: usize) -> Row {
        self.sizes = Sizes { slide: size, seeds: size, gpu: 0, unit: self.sizes.unit };
        self.least = size;
        self.is_fixed = true;
        self
    }

    /// The row has an answer for no elements at all.
    pub const fn from_zero(mut self) -> Row {
        self.least = 0;
        self
    }

    /// See [`Row::shows_from`]: two elements unless said otherwise.
    pub const fn shows_from(mut self, size: usize) -> Row {
        self.shows_from = size;
        self
    }

    /// The row reads bytes: those of this file, or of `--input FILE`. Their number replaces the slide's size. An
    /// image counts as its grey values.
    pub const fn reads(mut self, sample: &'static [u8]) -> Row {
        self.sample = Some(sample);
        self
    }

    /// Counts the correct kernels in one more run, in order at the slide's size, and compares them by these counters.
    pub const fn charts(mut self, metrics: &'static [Metric]) -> Row {
        self.charts = metrics;
        self
    }

    /// Takes `--plot`: the lesson hands its figure to [`Lesson::plot`](crate::Lesson::plot).
    pub const fn figure(mut self, what: &'static str) -> Row {
        self.figure = Some(what);
        self
    }

    /// On a GPU, the broken kernels run in a child process: they may kill or hang the context.
    pub const fn isolated(mut self) -> Row {
        self.on_gpu.is_isolated = true;
        self
    }

    /// A device below this compute capability leaves the row out.
    pub const fn from_capability(mut self, major: i32) -> Row {
        self.on_gpu.capability = Some(Capability::From(major));
        self
    }

    /// A device of any other compute capability leaves the row out, a later one too: for kernels of `sm_90a` and the
    /// like.
    pub const fn only_capability(mut self, major: i32, minor: i32) -> Row {
        self.on_gpu.capability = Some(Capability::Only(major, minor));
        self
    }

    /// Sets the job of the row's kernels: the same for the lesson's program and for its tests.
    pub const fn job(mut self, job: Job) -> Row {
        self.job = Some(job);
        self
    }

    /// The library's function that the correct kernels are compared with on a GPU. Their launch hands over its memory
    /// by [`Run::beside`].
    pub const fn peer(mut self, peer: Peer) -> Row {
        self.on_gpu.peer = Some(peer);
        self
    }

    /// One kernel has another peer than its row.
    pub const fn own_peer(mut self, kernel: &'static str, peer: Peer) -> Row {
        self.on_gpu.own_peer = Some((kernel, peer));
        self
    }

    /// The peer of a kernel of this row.
    pub fn peer_of(&self, kernel: &str) -> Option<Peer> {
        self.on_gpu.own_peer.filter(|(name, _)| *name == kernel).map(|(_, peer)| peer).or(self.on_gpu.peer)
    }

    /// True if runs of this kernel may show such a finding besides the expected one.
    pub(crate) fn may_show(&self, kernel: &str, slug: Slug) -> bool {
        self.named.also.contains(&(kernel, slug))
    }

    /// The files that nvcc refuses.
    pub(crate) fn all_refused(&self) -> &'static [RefusedSource] {
        self.named.refused
    }

    /// The file of that name that nvcc refuses.
    pub fn refused(&self, name: &str) -> Option<&'static RefusedSource> {
        self.named.refused.iter().find(|refused| refused.file.name == name)
    }

    /// Every kernel of the row: broken ones first, then what does not compile, then correct, then the ladder.
    pub fn kernels(&self) -> Vec<(String, Variant)> {
        let mut kernels = Vec::new();
        if let Some(expect) = self.named.pair {
            kernels.push((format!("{}_broken", self.name), Variant::Broken(expect)));
        }
        kernels.extend(self.named.broken.iter().map(|&(name, expect)| (name.to_string(), Variant::Broken(expect))));
        kernels.extend(self.named.refused.iter().map(|refused| (refused.file.name.to_string(), Variant::CompileFail)));
        if self.named.pair.is_some() {
            kernels.push((format!("{}_correct", self.name), Variant::Correct));
        }
        kernels.extend(self.named.correct.iter().map(|&name| (name.to_string(), Variant::Correct)));
        kernels.extend(self.named.ladder.iter().map(|&name| (name.to_string(), Variant::Ladder)));
        kernels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_kernels_come_first_and_the_ladder_last() {
        let row = Row::pair("filter", Slug::RaceGlobal)
            .broken(&[("filter_lost", Expect::WrongResult)])
            .ladder(&["filter_shared"]);
        let names: Vec<_> = row.kernels().into_iter().map(|(name, variant)| (name, variant.as_str())).collect();
        assert_eq!(
            names,
            [
                ("filter_broken".to_string(), "broken"),
                ("filter_lost".to_string(), "broken"),
                ("filter_correct".to_string(), "correct"),
                ("filter_shared".to_string(), "ladder"),
            ]
        );
    }

    #[test]
    fn a_row_for_one_capability_is_left_out_on_later_devices_too() {
        let taken = |row: Row| {
            let needed = row.on_gpu.capability.expect("the row needs one");
            [(8, 9), (9, 0), (10, 0), (10, 3)].map(|device| needed.includes(device))
        };
        assert_eq!(taken(Row::of("copies").from_capability(9)), [false, true, true, true]);
        assert_eq!(taken(Row::of("product").only_capability(9, 0)), [false, true, false, false]);
        assert_eq!(taken(Row::of("product").only_capability(10, 3)), [false, false, false, true]);
    }

    #[test]
    fn a_fixed_row_keeps_its_size_on_every_device() {
        let row = Row::of("catalogue").fixed(1024);
        assert_eq!(row.sizes, Sizes { slide: 1024, seeds: 1024, gpu: 0, unit: Unit::Ints });
        assert!(row.is_fixed);
    }
}
