//! The JSON object of `--format json`: scripts rely on its shape, which `docs/output.schema.json` describes and
//! docs/output.md promises.
//!
//! Its texts are in English, whatever language the report has.

mod shape;

pub use shape::OutputObject;

use super::text::{luck, smallest_token, token_of};
use super::{Reported, Setting};
use crate::table::kernel::Kernel;
use crate::table::kernel_file::KernelFile;
use emulator::counters::{LaunchCounts, Ratio, Totals};
use finding::json::KeyedCause;
use finding::{Access, Finding, LaunchSite, SourceLocation, ThreadName};
use peers::Peer;
use report::{FindingTexts, Language, Reader, Source, labelled, said};
use shape::{
    AccessObject, AnswersObject, CountersObject, DescriptionObject, Device, FindingObject, FixObject, KernelObject,
    LaunchObject, LaunchedByObject, LineObject, NoteObject, PlaceObject, RowObject, RunObject, ThreadObject,
    TimesObject, TotalsObject, VERSION,
};
use std::path::Path;
use tell::json::with_files_named;
use trial::{CountedLaunch, Counts, Fix, MergedFinding};

/// Returns the object of a whole lesson.
pub fn object<'a>(setting: &Setting<'a>, reported: &'a [Reported]) -> OutputObject<'a> {
    let device = setting.device;
    OutputObject {
        version: VERSION,
        lesson: setting.lesson,
        device: Device { kind: device.kind.as_str(), name: &device.name, why: &device.why },
        rows: reported.iter().map(row_object).collect(),
    }
}

fn row_object(reported: &Reported) -> RowObject<'_> {
    let Reported { kernel, outcome, verdict, input, time_ms, gb_per_s, share_of_copy, peer_ms } = reported;
    let ratio = reported.ratio();
    RowObject {
        kernel: KernelObject {
            row: kernel.row.name,
            kernel: &kernel.name,
            variant: kernel.variant.as_str(),
            slug: kernel.variant.expect().map(|expect| expect.as_str()),
            file: kernel.file.source_path,
            message: kernel.message(),
            input: input.as_deref().map(Path::to_string_lossy),
        },
        answers: AnswersObject {
            runs: outcome.summary.runs,
            wrong_runs: outcome.summary.wrong_runs,
            first_wrong_seed: outcome.summary.first_wrong.as_ref().map(|first| first.run.seed),
            smallest_wrong: outcome.smallest.as_ref().map(|smallest| smallest_token(reported, smallest).to_string()),
            fix: fix_object(kernel, &outcome.fix),
        },
        found: outcome.found.iter().map(|(slug, runs)| (slug.as_str(), *runs)).collect(),
        findings: outcome.findings.iter().map(|merged| finding_object(reported, merged)).collect(),
        notes: outcome.notes.iter().map(|note| note_object(kernel, note)).collect(),
        shipped_findings: outcome.shipped.as_ref().map(Vec::len),
        expected: verdict.is_ok(),
        host_ms: outcome.summary.host_ms,
        counters: outcome.counts.as_ref().map(|counts| counters_object(kernel, counts)),
        times: TimesObject {
            time_ms: *time_ms,
            gb_per_s: *gb_per_s,
            share_of_copy: *share_of_copy,
            peer: kernel.peer().filter(|_| ratio.is_some()).map(Peer::name),
            peer_ms: peer_ms.filter(|_| ratio.is_some()),
            ratio,
        },
    }
}

fn counters_object(kernel: &Kernel, counts: &Counts) -> CountersObject {
    let sums = |totals: &Totals| totals.counted().map(|(counter, value)| (counter.name(), value)).collect();
    let total = |counted: &LaunchCounts| TotalsObject {
        counters: sums(&counted.totals),
        ratios: Ratio::ALL.iter().filter_map(|ratio| Some((ratio.name(), ratio.of(&counted.totals)?))).collect(),
        atomic_addresses: counted.atomic_addresses,
        busiest_address: counted.busiest_address,
    };
    let file = |name: &str| kernel.file.named(name).to_string();
    let launch = |one: &CountedLaunch| LaunchObject { kernel: one.kernel.clone(), total: total(&one.counted) };
    CountersObject {
        size: counts.size,
        total: total(counts.total()),
        launches: counts.launches.iter().map(launch).collect(),
        lines: counts
            .total()
            .lines
            .iter()
            .map(|(name, totals)| LineObject { file: file(&name.file), line: name.line, counters: sums(totals) })
            .collect(),
    }
}

fn finding_object<'a>(reported: &'a Reported, merged: &'a MergedFinding) -> FindingObject<'a> {
    let (kernel, finding) = (&reported.kernel, &merged.finding);
    FindingObject {
        slug: finding.slug.as_str(),
        severity: if finding.is_error() { "error" } else { "note" },
        description: description_object(kernel, finding),
        count: merged.count,
        runs: merged.runs,
        reversed: merged.reversed,
        run: RunObject {
            schedule: merged.run.schedule.as_str(),
            seed: merged.run.seed,
            size: merged.run.size,
            wrong: merged.wrong.as_ref().map(ToString::to_string),
            luck: luck(reported, merged),
            replay: token_of(kernel, merged).to_string(),
            smallest: merged.smallest.as_ref().map(|smallest| smallest_token(reported, smallest).to_string()),
        },
        fix: fix_object(kernel, &merged.fix),
    }
}

fn fix_object(kernel: &Kernel, fix: &Fix) -> Option<FixObject> {
    let KernelFile { source, source_path, .. } = kernel.file;
    let named = |file: &str| kernel.file.named(file).to_string();
    Some(match fix {
        Fix::Untried => return None,
        Fix::Tried { remedy, edits, runs, .. } => FixObject::Tried {
            text: fix_text(fix, source),
            runs: *runs,
            file: source_path.to_string(),
            edits: edits.clone(),
            remedy: with_files_named(remedy, &named),
        },
        Fix::WithFirst => FixObject::WithFirst,
        Fix::NoneHolds { tried } => FixObject::NoneHolds { tried: *tried },
    })
}

/// Returns the text of a fix that was tried, in one line and without its label.
fn fix_text(fix: &Fix, source: &str) -> String {
    let (_label, text) = labelled(&fix.state(source), String::new(), true, &[], &Reader::new(Language::English));
    text.replace('\n', " ")
}

fn note_object<'a>(kernel: &'a Kernel, note: &'a Finding) -> NoteObject<'a> {
    NoteObject { slug: note.slug.as_str(), severity: note.severity, description: description_object(kernel, note) }
}

fn description_object<'a>(kernel: &'a Kernel, finding: &'a Finding) -> DescriptionObject<'a> {
    let at_hand = |path: &str| {
        kernel.file.is_at(path).then_some(Source { path: kernel.file.source_path, text: kernel.file.source })
    };
    let reader = Reader::of(finding, at_hand, Language::English);
    let FindingTexts { message, why, fix } = said(finding, &reader);
    let places = || finding.accesses.iter().filter_map(|access| access.location.as_ref());
    let path = |file: &str| at_hand(file).map_or(file, |source| source.path).to_string();
    let place =
        |place: &SourceLocation| PlaceObject { file: path(&place.file), line: place.line, column: place.column };
    let thread = |ThreadName { block, thread, linear }: ThreadName| ThreadObject {
        block,
        thread,
        warp: linear / 32,
        lane: linear % 32,
    };
    let launch = |site: &LaunchSite| LaunchedByObject {
        kernel: site.kernel.clone(),
        location: site.location.as_ref().map(place),
        ptx_line: site.ptx_line,
        thread: thread(site.thread),
    };
    let access = |access: &'a Access| AccessObject {
        location: access.location.as_ref().map(place),
        called_from: access.called_from.iter().map(place).collect(),
        ptx_line: access.ptx_line,
        thread: access.thread.map(thread),
        memory: access.memory.as_ref(),
        action: report::action(access, &reader),
        did: &access.action,
        launched_by: access.launched_by.iter().map(launch).collect(),
    };
    DescriptionObject {
        kernel: finding.kernel.clone(),
        file: match places().next() {
            Some(place) if kernel.file.is_at(&place.file) => kernel.file.source_path,
            Some(place) => &place.file,
            None => kernel.file.source_path,
        },
        lines: places().map(|place| place.line).collect(),
        accesses: finding.accesses.iter().map(access).collect(),
        message,
        place_text: report::place(finding, &reader),
        place: &finding.place,
        why,
        cause: with_files_named(KeyedCause::from(&finding.cause), &path),
        help: fix,
        remedies: with_files_named(&finding.remedies, &path),
    }
}

/// The JSON Schema of [`OutputObject`], as `docs/output.schema.json` has it.
#[cfg(feature = "schema")]
pub fn schema() -> String {
    let settings = schemars::generate::SchemaSettings::draft2020_12().for_serialize();
    let schema: schemars::Schema = settings.into_generator().into_root_schema_for::<OutputObject>();
    let text = serde_json::to_string_pretty(&schema).expect("a schema is JSON");
    text + "\n"
}

#[cfg(test)]
mod tests;
