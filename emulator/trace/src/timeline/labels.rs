//! The names of events in a viewer: fixed words, like the names of JSON's fields.

use super::{Arg, Args};
use crate::bits::{Bits, Lanes};
use crate::data::{ArrayName, Launch, Trace};
use crate::event::{Access, Does, Event, Exchange, LaneAccess, TracePlace, What};
use finding::{AtomicOperation, HostOperation, ValueType};

pub struct Labels<'a>(pub &'a Trace);

impl Labels<'_> {
    pub fn block(&self, launch: &Launch, number: u64) -> String {
        match launch.block(number) {
            Some((grid, [x, y, z])) => format!("{} block ({x},{y},{z})", grid.kernel),
            None => format!("{} block {number}", launch.kernel),
        }
    }

    pub fn category(&self, what: &What) -> &'static str {
        match what {
            What::Turn => "turn",
            What::Step { .. } => "step",
            What::Access(_) | What::Copied { .. } => "access",
            What::Arrives { .. } | What::Opens { .. } | What::PhaseCompletes { .. } => "barrier",
            What::Fence { .. } => "fence",
            What::Meets { .. } | What::ActiveMask => "warp",
            What::Split { .. } | What::Join { .. } => "divergence",
            What::Launches { .. } | What::GridBegins { .. } | What::GridEnds { .. } => "grid",
            What::BlockBegins { .. } | What::Exits => "life",
            What::Host { .. } => "host",
        }
    }

    /// The name of an event, and its arguments.
    pub fn event(&self, event: &Event) -> (String, Args) {
        let mut args = Args::new();
        if let Some(who) = &event.who {
            args.insert("lanes", Arg::Text(lanes(who.lanes)));
            let site = &self.0.sites[who.site];
            args.insert("ptx_line", Arg::Number(site.ptx_line.into()));
            if let Some(place) = &site.location {
                args.insert("file", Arg::Text(place.file.clone()));
                args.insert("line", Arg::Number(place.line.into()));
            }
        }
        let name = self.name(event, &mut args);
        (name, args)
    }

    fn name(&self, event: &Event, args: &mut Args) -> String {
        match &event.what {
            What::BlockBegins { .. } => "block begins".to_string(),
            What::Turn => "turn".to_string(),
            What::Step { instructions, .. } => {
                args.insert("instructions", Arg::Number((*instructions).into()));
                self.line(event)
            }
            What::Access(access) => self.access(access, args),
            What::Split { others, at_branch } => {
                args.insert("others", Arg::Text(lanes(*others)));
                if *at_branch { "branch splits" } else { "split" }.to_string()
            }
            What::Join { groups } => {
                args.insert("groups", Arg::List(groups.iter().copied().map(lanes).collect()));
                "join".to_string()
            }
            What::Arrives { barrier, .. } => format!("arrives at barrier {barrier}"),
            What::Opens { barrier, released, .. } => {
                let released = released.iter().map(|it| format!("warp {}: {}", it.warp, lanes(it.lanes)));
                args.insert("released", Arg::List(released.collect()));
                format!("barrier {barrier} opens")
            }
            What::Fence { scope, ordering } => format!("fence.{ordering} {scope:?}").to_lowercase(),
            What::Meets { function, exchanges } => {
                args.insert("exchanges", Arg::List(exchanges.iter().map(exchange).collect()));
                function.to_string()
            }
            What::ActiveMask => "__activemask()".to_string(),
            What::Exits => "exits".to_string(),
            What::Launches { lane, grid } => {
                args.insert("lane", Arg::Number((*lane).into()));
                format!("launches grid {grid}")
            }
            What::GridBegins { grid, .. } => format!("grid {grid} begins"),
            What::GridEnds { grid } => format!("grid {grid} ends"),
            What::Copied { by_warp, by_lane, bytes, .. } => format!("{bytes} bytes copied for {by_warp}.{by_lane}"),
            What::PhaseCompletes { address } => format!("phase of barrier object {} completes", hex(*address)),
            What::Host { operation, writes, address, bytes } => {
                args.insert("address", Arg::Text(hex(*address)));
                args.insert("bytes", Arg::Number(*bytes));
                let operation = match operation {
                    HostOperation::CopyToHost => "copy to host",
                    HostOperation::CopyFromHost | HostOperation::CopyFromPageable => "copy from host",
                    HostOperation::CopyOnDevice => "copy on device",
                    HostOperation::Fill => "fill",
                    HostOperation::Allocate => "allocation in a stream",
                    HostOperation::Free => "free in a stream",
                    HostOperation::Condition => "condition of a graph's node",
                    HostOperation::Read => "read by the host",
                    HostOperation::Write => "write by the host",
                };
                format!("{operation}, {}", if *writes { "writes" } else { "reads" })
            }
        }
    }

    /// `reverse.cu:17`.
    fn line(&self, event: &Event) -> String {
        let site = event.who.map(|who| &self.0.sites[who.site]);
        match site.map(|site| (&site.location, site.ptx_line)) {
            Some((Some(place), _)) => {
                let file = place.file.rsplit(['/', '\\']).next().unwrap_or(&place.file);
                format!("{file}:{}", place.line)
            }
            Some((None, line)) => format!("ptx:{line}"),
            None => "ptx".to_string(),
        }
    }

    fn access(&self, access: &Access, args: &mut Args) -> String {
        let told = |lane: &LaneAccess| {
            let mut text = format!("{}: {}", lane.lane, self.place(&lane.place));
            let list = |values: &[Bits]| {
                let values = values.iter().map(|&bits| value(bits, access.ty));
                values.collect::<Vec<_>>().join(" ")
            };
            match (access.does, lane.values.is_empty()) {
                (_, true) => {}
                (Does::Load, _) => text += &format!(" is {}", list(&lane.values)),
                (Does::Atomic, _) => text += &format!(" was {}, operand {}", list(&lane.found), list(&lane.values)),
                _ => text += &format!(" = {}", list(&lane.values)),
            }
            if lane.back != 0 {
                text += &format!(" ({} writes back)", lane.back);
            }
            text
        };
        args.insert("accesses", Arg::List(access.by_lane.iter().map(told).collect()));
        let does = match access.does {
            Does::Load => "load",
            Does::Store => "store",
            Does::Atomic => access.operation.map_or("atomic", AtomicOperation::cuda_name),
            Does::CopyFrom => "copy from",
            Does::CopyTo => "copy to",
            Does::UseObject => "use barrier object",
        };
        let array = access.by_lane.first().map(|lane| match lane.place {
            TracePlace::Element { array, .. } => self.array(array),
            TracePlace::Address { .. } => access.space.name().to_string(),
        });
        format!("{does} {}", array.unwrap_or_default())
    }

    fn place(&self, place: &TracePlace) -> String {
        match place {
            TracePlace::Element { array, index: Some(index) } => format!("{}[{index}]", self.array(*array)),
            TracePlace::Element { array, index: None } => self.array(*array),
            TracePlace::Address { address } => hex(*address),
        }
    }

    fn array(&self, array: usize) -> String {
        match &self.0.arrays[array].name {
            ArrayName::Shared { name, .. } | ArrayName::Variable { name } => name.clone(),
            ArrayName::Argument { number, .. } => format!("argument {number}"),
        }
    }
}

fn hex(Bits(bits): Bits) -> String {
    format!("{bits:#x}")
}

/// A number where the type says one.
fn value(Bits(bits): Bits, ty: ValueType) -> String {
    match ty {
        ValueType::U8 | ValueType::U16 | ValueType::U32 | ValueType::U64 => bits.to_string(),
        ValueType::S8 => (bits as i8).to_string(),
        ValueType::S16 => (bits as i16).to_string(),
        ValueType::S32 => (bits as i32).to_string(),
        ValueType::S64 => (bits as i64).to_string(),
        ValueType::F32 => f32::from_bits(bits as u32).to_string(),
        ValueType::F64 => f64::from_bits(bits).to_string(),
        _ => hex(Bits(bits)),
    }
}

/// `0-15, 17`.
fn lanes(lanes: Lanes) -> String {
    let run = |(first, last): (u32, u32)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    lanes.runs().into_iter().map(run).collect::<Vec<_>>().join(", ")
}

fn exchange(exchange: &Exchange) -> String {
    let Exchange { lane, brings, from, gets } = exchange;
    match from {
        Some(from) => format!("{lane}: gets {} from {from}", hex(*gets)),
        None => format!("{lane}: brings {}, gets {}", hex(*brings), hex(*gets)),
    }
}
