//! A program as PTX. Each event stands on a line of its own that ends in its number.

use crate::program::{Does, Event, PLACES, Program, Semantics};
use std::fmt::Write;

impl Event {
    /// The instruction, with its state space where it has one; `number` names its register, `lanes` are those of a
    /// warp's barrier.
    pub fn instruction(&self, number: usize, space: &str, lanes: u32) -> String {
        let scope = if self.wide { "gpu" } else { "cta" };
        let semantics = match self.semantics {
            Semantics::Weak => "weak".into(),
            Semantics::Volatile => "volatile".into(),
            Semantics::Relaxed => format!("relaxed.{scope}"),
            Semantics::Acquire => format!("acquire.{scope}"),
            Semantics::Release => format!("release.{scope}"),
            Semantics::AcqRel => format!("acq_rel.{scope}"),
            Semantics::Sc => format!("sc.{scope}"),
        };
        let at = format!("[%memory+{}]", 4 * self.place);
        match self.does {
            Does::Load => format!("ld.{semantics}.{space}.u32 %r{number}, {at};"),
            Does::Store(value) => format!("st.{semantics}.{space}.u32 {at}, {value};"),
            Does::Exchange(value) => format!("atom.{semantics}.{space}.exch.b32 %r{number}, {at}, {value};"),
            Does::Swap(old, new) => format!("atom.{semantics}.{space}.cas.b32 %r{number}, {at}, {old}, {new};"),
            Does::Add(bit) => format!("atom.{semantics}.{space}.add.u32 %r{number}, {at}, {bit};"),
            Does::Look => format!("atom.{semantics}.{space}.or.b32 %r{number}, {at}, 0;"),
            Does::Reduce(bit) => format!("red.{semantics}.{space}.add.u32 {at}, {bit};"),
            Does::Fence => format!("fence.{semantics};"),
            Does::Barrier => "barrier.sync 0;".into(),
            Does::WarpBarrier => format!("bar.warp.sync {lanes:#x};"),
        }
    }
}

impl Program {
    pub fn space(&self) -> &'static str {
        if self.shared { "shared" } else { "global" }
    }

    /// The program's lanes in the warp of `thread`.
    fn lanes(&self, thread: usize) -> u32 {
        let warp = |thread: usize| (self.stands[thread].block, self.stands[thread].thread / 32);
        let mates = (0..self.stands.len()).filter(|&other| warp(other) == warp(thread));
        mates.map(|mate| 1 << (self.stands[mate].thread % 32)).sum()
    }

    /// The kernel: what is read goes to `out`, word by word as the events are numbered. Behind that goes shared memory.
    pub fn ptx(&self) -> String {
        let events = self.events.len();
        let mut text = format!(
            ".version 8.6\n.target sm_90\n.address_size 64\n\
             .visible .entry kernel(.param .u64 memory, .param .u64 out)\n{{\n\
             .shared .align 8 .b32 shared[{PLACES}];\n.reg .b64 %memory, %out;\n\
             .reg .b32 %r<{}>, %block, %thread, %z;\n\
             .reg .pred %is;\nld.param.u64 %out, [out];\nmov.u32 %block, %ctaid.x;\nmov.u32 %thread, %tid.x;\n",
            events + 1
        );
        let first = "setp.ne.u32 %is, %thread, 0;\n@%is bra";
        if self.shared {
            text += &format!("mov.u64 %memory, shared;\nmov.u32 %z, 0;\n{first} begun;\n");
            text.extend((0..PLACES).map(|place| format!("st.shared.u32 [%memory+{}], %z;\n", 4 * place)));
            text += "begun: barrier.sync 1;\n";
        } else {
            text += "ld.param.u64 %memory, [memory];\n";
        }
        for (number, stand) in self.stands.iter().enumerate() {
            text += &format!("setp.eq.u32 %is, %block, {};\n", stand.block);
            text += &format!("setp.eq.and.u32 %is, %thread, {}, %is;\n@%is bra thread{number};\n", stand.thread);
        }
        // If memory is shared, nobody has ended before the last barrier.
        text.extend((0..if self.shared { self.barriers() } else { 0 }).map(|_| "barrier.sync 0;\n"));
        text += "bra end;\n";
        for thread in 0..self.stands.len() {
            let mine = || self.events.iter().enumerate().filter(|(_, event)| event.thread == thread);
            text += &format!("thread{thread}:\n");
            for (number, event) in mine() {
                let instruction = event.instruction(number, self.space(), self.lanes(thread));
                text += &format!("{instruction} // {number}\n");
            }
            for (number, _) in mine().filter(|(_, event)| event.is_seen()) {
                text += &format!("st.global.u32 [%out+{}], %r{number};\n", 4 * number);
            }
            text += "bra end;\n";
        }
        text += "end:\n";
        if self.shared {
            text += &format!("barrier.sync 1;\n{first} done;\n");
            for place in 0..PLACES {
                text += &format!("ld.shared.u32 %z, [%memory+{}];\n", 4 * place);
                text += &format!("st.global.u32 [%out+{}], %z;\n", 4 * (events + place));
            }
        }
        text + "done: ret;\n}\n"
    }

    /// The threads and what they do, for people.
    pub fn listing(&self) -> String {
        let mut text = String::new();
        for (number, stand) in self.stands.iter().enumerate() {
            let mine = self.events.iter().enumerate().filter(|(_, event)| event.thread == number);
            let mut mine = mine.peekable();
            if mine.peek().is_some() {
                writeln!(text, "block {}, thread {}:", stand.block, stand.thread).expect("a string takes it");
            }
            for (at, event) in mine {
                writeln!(text, "    {at}: {}", event.instruction(at, self.space(), self.lanes(number)))
                    .expect("likewise");
            }
        }
        text
    }
}
