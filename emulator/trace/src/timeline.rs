//! A trace in the Trace Event Format (JSON object form), which Perfetto and chrome://tracing open.
//!
//! A process is a block, a thread is a warp. Slices (`X`) are turns, and in them steps of one source line; accesses,
//! barriers and the like are instants (`i`). A flow (`s` to `f`) leads from the first access of a race to the second:
//! that is the order that is missing. One microsecond is one thread instruction of the run, on all tracks together: no
//! time of day.

mod labels;

use crate::data::{Launch, Trace};
use crate::event::{Event, What, Who};
use labels::Labels;
use rustc_hash::FxHashMap;
use serde::{Serialize, Serializer, ser::SerializeStruct};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// A trace to be written in the Trace Event Format.
pub struct Timeline<'a>(pub &'a Trace);

impl Serialize for Timeline<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Trace { time, left_out, .. } = self.0;
        let mut object = serializer.serialize_struct("Timeline", 3)?;
        object.serialize_field("displayTimeUnit", "ms")?;
        let about = BTreeMap::from([("thread_instructions", time), ("events_left_out", left_out)]);
        object.serialize_field("otherData", &about)?;
        object.serialize_field("traceEvents", &Tracks::new(self.0).all())?;
        object.end()
    }
}

/// One event of the format.
#[derive(Clone, Debug, Serialize)]
struct TimelineEvent {
    ph: char,
    ts: u64,
    pid: usize,
    tid: usize,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cat: Option<&'static str>,
    /// The number of a flow.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    /// At the end of a flow: it binds to the slice around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    bp: Option<char>,
    /// The scope of an instant: how far it reaches.
    #[serde(skip_serializing_if = "Option::is_none")]
    s: Option<char>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    args: Args,
}

type Args = BTreeMap<&'static str, Arg>;

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Arg {
    Text(String),
    Number(u64),
    List(Vec<String>),
}

impl TimelineEvent {
    fn new(ph: char, ts: u64, (pid, tid): (usize, usize), name: String) -> TimelineEvent {
        let (dur, cat, id, bp, s) = Default::default();
        TimelineEvent { ph, ts, pid, tid, name, dur, cat, id, bp, s, args: Args::new() }
    }
}

/// The process of what the host does; blocks have the numbers after it.
const HOST: usize = 1;

struct Tracks<'a> {
    trace: &'a Trace,
    labels: Labels<'a>,
    entries: Vec<TimelineEvent>,
    /// By launch and block.
    processes: FxHashMap<(usize, u64), usize>,
    /// By process and warp. No two warps share a number, since viewers may take a thread's number for its name.
    threads: FxHashMap<(usize, u32), usize>,
    /// The turn under way, and its end.
    turn: Option<(Event, u64)>,
}

impl<'a> Tracks<'a> {
    fn new(trace: &'a Trace) -> Tracks<'a> {
        Tracks {
            trace,
            labels: Labels(trace),
            entries: Vec::new(),
            processes: FxHashMap::default(),
            threads: FxHashMap::default(),
            turn: None,
        }
    }

    fn all(mut self) -> Vec<TimelineEvent> {
        let trace = self.trace;
        let mut next = 0;
        for (number, launch) in trace.launches.iter().enumerate() {
            trace.events[next..launch.first].iter().for_each(|event| self.host(event));
            for event in &trace.events[launch.first..launch.end] {
                self.event((number, launch), event);
            }
            self.end_turn((number, launch));
            next = launch.end;
        }
        trace.events[next..].iter().for_each(|event| self.host(event));
        self.flows();
        // An entry that is around another comes before it.
        let rank = |entry: &TimelineEvent| match entry.ph {
            'M' => 0,
            'X' => 1,
            's' => 3,
            'f' => 4,
            _ => 2,
        };
        self.entries.sort_by_key(|entry| (entry.ts, rank(entry), Reverse(entry.dur)));
        self.entries
    }

    fn process(&mut self, (number, launch): (usize, &Launch), block: u64) -> usize {
        let next = HOST + 1 + self.processes.len();
        let process = *self.processes.entry((number, block)).or_insert(next);
        if process == next {
            self.name("process_name", (process, 0), self.labels.block(launch, block));
        }
        process
    }

    fn track(&mut self, launch: (usize, &Launch), block: u64, warp: u32) -> (usize, usize) {
        let process = self.process(launch, block);
        let next = HOST + 1 + self.threads.len();
        let thread = *self.threads.entry((process, warp)).or_insert(next);
        if thread == next {
            self.name("thread_name", (process, thread), format!("warp {warp}"));
        }
        (process, thread)
    }

    fn name(&mut self, what: &str, track: (usize, usize), name: String) {
        let entry = TimelineEvent::new('M', 0, track, what.to_string());
        self.entries.push(TimelineEvent { args: Args::from([("name", Arg::Text(name))]), ..entry });
    }

    fn host(&mut self, event: &Event) {
        if self.threads.insert((HOST, 0), HOST).is_none() {
            self.name("process_name", (HOST, 0), "host".to_string());
        }
        let (name, args) = self.labels.event(event);
        let entry = TimelineEvent::new('i', event.time, (HOST, HOST), name);
        self.entries.push(TimelineEvent { cat: Some("host"), s: Some('t'), args, ..entry });
    }

    fn event(&mut self, launch: (usize, &Launch), event: &Event) {
        match (&event.who, &event.what) {
            (Some(_), What::Turn) => {
                self.end_turn(launch);
                self.turn = Some((event.clone(), event.time));
            }
            (Some(who), What::Step { until, .. }) => {
                if let Some((_, end)) = &mut self.turn {
                    *end = *until;
                }
                self.slice(launch, who, event, *until, "step");
            }
            (Some(who), _) => {
                let track = self.track(launch, who.block, who.warp);
                self.instant(track, event, 't');
            }
            (None, What::BlockBegins { in_block } | What::Opens { in_block, .. } | What::Copied { in_block, .. }) => {
                let process = self.process(launch, *in_block);
                self.instant((process, 0), event, 'p');
            }
            (None, _) => {
                let process = self.process(launch, 0);
                self.instant((process, 0), event, 'p');
            }
        }
    }

    fn instant(&mut self, track: (usize, usize), event: &Event, reach: char) {
        let (name, args) = self.labels.event(event);
        let cat = Some(self.labels.category(&event.what));
        self.entries.push(TimelineEvent {
            cat,
            s: Some(reach),
            args,
            ..TimelineEvent::new('i', event.time, track, name)
        });
    }

    fn slice(&mut self, launch: (usize, &Launch), who: &Who, event: &Event, until: u64, cat: &'static str) {
        let track = self.track(launch, who.block, who.warp);
        let (name, args) = self.labels.event(event);
        let (cat, dur) = (Some(cat), Some(until - event.time));
        self.entries.push(TimelineEvent { cat, dur, args, ..TimelineEvent::new('X', event.time, track, name) });
    }

    /// A turn is a slice around its steps.
    fn end_turn(&mut self, launch: (usize, &Launch)) {
        if let Some((event, end)) = self.turn.take()
            && let Some(who) = event.who.filter(|_| end > event.time)
        {
            self.slice(launch, &who, &event, end, "turn");
        }
    }

    /// From the first access of each pair to the second.
    fn flows(&mut self) {
        for (id, found) in (1..).zip(&self.trace.findings) {
            let [Some(first), Some(second)] = found.accesses[..] else { continue };
            let ends = [first.min(second), first.max(second)];
            let tracks = ends.map(|at| self.track_of(at));
            let [Some(from), Some(to)] = tracks else { continue };
            let name = || found.finding.slug.as_str().to_string();
            let [start, end] = ends.map(|at| self.trace.events[at].time);
            let flow = |entry: TimelineEvent| TimelineEvent { cat: Some("finding"), id: Some(id), ..entry };
            self.entries.push(flow(TimelineEvent::new('s', start, from, name())));
            self.entries.push(TimelineEvent { bp: Some('e'), ..flow(TimelineEvent::new('f', end, to, name())) });
        }
    }

    fn track_of(&mut self, position: usize) -> Option<(usize, usize)> {
        let who = self.trace.events[position].who?;
        let number = self.trace.launches.iter().rposition(|launch| launch.first <= position)?;
        Some(self.track((number, &self.trace.launches[number]), who.block, who.warp))
    }
}
