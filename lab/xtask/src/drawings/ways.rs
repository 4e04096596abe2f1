//! All executions of a kernel, each a graph of its accesses. The emulator visits them: `lab/exercises` has the kernels.

use super::svg::TextAnchor::{Middle, Start};
use super::svg::Tone::{Blue, Green, Grey, Orange, Red};
use super::svg::{Drawing, Tone, WIDTH};
use crate::mutants;
use crate::stored::Say;
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The executions of each kernel, by its name.
pub type Explored = BTreeMap<String, Vec<Execution>>;

#[derive(Deserialize)]
pub struct Execution {
    events: Vec<Event>,
    has_race: bool,
    is_right: bool,
}

/// An access. Locations are numbered by address.
#[derive(Deserialize)]
struct Event {
    thread: usize,
    location: usize,
    reads: bool,
    writes: bool,
    /// The event that it reads from.
    source: Option<usize>,
}

/// Has the emulator visit the executions.
pub fn explored(root: &Path) -> Result<Explored> {
    let output = mutants::exercises(root).current_dir(root).arg("executions").output().context("cannot run cargo")?;
    ensure!(output.status.success(), "exercises: {}", String::from_utf8_lossy(&output.stderr).trim_end());
    Ok(serde_json::from_slice(&output.stdout)?)
}

impl Execution {
    fn threads(&self) -> usize {
        self.events.iter().map(|event| event.thread + 1).max().unwrap_or(0)
    }

    fn of_thread(&self, thread: usize) -> impl Iterator<Item = usize> {
        (0..self.events.len()).filter(move |&event| self.events[event].thread == thread)
    }

    /// The thread with its sources among the others, and theirs.
    fn depth(&self, thread: usize, left: usize) -> usize {
        let sources = self.of_thread(thread).filter_map(|event| self.events[event].source);
        let others = sources.map(|source| self.events[source].thread).filter(|other| *other != thread && left > 0);
        others.map(|other| 1 + self.depth(other, left - 1)).max().unwrap_or(0)
    }

    /// The threads, each after those that it reads from. Threads that read from each other keep their numbers' order.
    fn columns(&self) -> Vec<usize> {
        let mut columns: Vec<usize> = (0..self.threads()).collect();
        columns.sort_by_key(|&thread| (self.depth(thread, self.threads()), thread));
        columns
    }

    fn verdict(&self, say: Say) -> &'static str {
        match (self.has_race, self.is_right) {
            (false, true) => say("right", "correcta"),
            (true, true) => say("data race; right by luck", "condición de carrera; acierta por suerte"),
            (true, false) => say("data race; wrong result", "condición de carrera; resultado incorrecto"),
            (false, false) => say("wrong result", "resultado incorrecto"),
        }
    }
}

/// Panels of a drawing.
struct Panels {
    across: i32,
    width: i32,
    cell: i32,
    rows: i32,
}

impl Panels {
    fn of(all: &[Execution], across: i32, cell: i32) -> Panels {
        let threads = all.iter().flat_map(|one| (0..one.threads()).map(|thread| one.of_thread(thread).count()));
        Panels { across, width: (WIDTH - 48) / across, cell, rows: threads.max().unwrap_or(0) as i32 }
    }

    fn height(&self) -> i32 {
        34 * self.rows + 74
    }

    fn drawing_height(&self, count: usize) -> i32 {
        90 + (count as i32 + self.across - 1) / self.across * self.height()
    }

    fn draw(&self, d: &mut Drawing, say: Say, number: i32, one: &Execution, word: fn(Say, usize, &Event) -> String) {
        let (left, top) = (24 + self.width * (number % self.across), 88 + self.height() * (number / self.across));
        let columns = one.columns();
        let gap = (self.width - 20 - self.cell * columns.len() as i32) / (columns.len() as i32 - 1).max(1);
        let x = |column: usize| left + (self.cell + gap) * column as i32;
        let place = |event: usize| {
            let thread = one.events[event].thread;
            let column = columns.iter().position(|other| *other == thread).unwrap_or(0);
            let row = one.of_thread(thread).position(|other| other == event).unwrap_or(0) as i32;
            (x(column), top + 14 + 34 * row)
        };
        for (column, thread) in columns.iter().enumerate() {
            d.note(Middle, x(column) + self.cell / 2, top + 4, &format!("thread {thread}"));
        }
        for (event, access) in one.events.iter().enumerate() {
            let ((x, y), tone) = (place(event), tone(access));
            let row = one.of_thread(access.thread).position(|other| other == event).unwrap_or(0);
            d.cell([x, y, self.cell, 26], tone, &word(say, row, access));
            let Some(source) = access.source.filter(|source| one.events[*source].thread != access.thread) else {
                continue;
            };
            let (from_x, from_y) = place(source);
            let is_rightwards = from_x < x;
            let (from, to) = if is_rightwards { (from_x + self.cell, x) } else { (from_x, x + self.cell) };
            d.arrow((from, from_y + 13), (to, y + 13), tone);
        }
        let tone = if one.has_race || !one.is_right { Red } else { Green };
        d.cell([left, top + 34 * self.rows + 18, self.width - 20, 26], tone, one.verdict(say));
    }
}

/// Returns the colour of an access: atomic, read or write.
fn tone(event: &Event) -> Tone {
    match (event.reads, event.writes) {
        (true, true) => Orange,
        (true, false) => Green,
        _ => Blue,
    }
}

/// `reverse_broken` with two threads.
pub fn reverse(say: Say, explored: &Explored) -> Drawing {
    let all = explored.get("reverse_broken").map_or(&[][..], Vec::as_slice);
    let panels = Panels::of(all, 2, 132);
    let mut d = Drawing::new(
        panels.drawing_height(all.len()),
        say(
            "All executions of `reverse_broken` with two threads",
            "Todas las ejecuciones de `reverse_broken` con dos threads",
        ),
        say(
            "Each thread writes its element of s and reads the other one. Each read may get the old value or the new \
             one, so there are four executions. All have a data race, and one has the right result by luck.",
            "Cada thread escribe su elemento de s y lee el otro. Cada lectura puede recibir el valor viejo o el nuevo, \
             así que hay cuatro ejecuciones. Todas tienen una condición de carrera y una acierta por suerte.",
        ),
    );
    let arrow = say("An arrow: the read gets this value.", "Una flecha: la lectura recibe este valor.");
    d.note(
        Start,
        24,
        62,
        &format!("{arrow} {}", say("No arrow: it gets the old one.", "Sin flecha: recibe el viejo.")),
    );
    let word = |say: Say, _, access: &Event| {
        let verb = if access.writes { say("writes", "escribe") } else { say("reads", "lee") };
        format!("{verb} `s[{}]`", access.location)
    };
    (0..).zip(all).for_each(|(number, one)| panels.draw(&mut d, say, number, one, word));
    d.line((24, 72), (WIDTH - 24, 72), Grey);
    d
}

/// `lock_correct` with three threads.
pub fn lock(say: Say, explored: &Explored) -> Drawing {
    let all = explored.get("lock_correct").map_or(&[][..], Vec::as_slice);
    let panels = Panels::of(all, 3, 58);
    let mut d = Drawing::new(
        panels.drawing_height(all.len()),
        say(
            "All executions of `lock_correct` with three threads",
            "Todas las ejecuciones de `lock_correct` con tres threads",
        ),
        say(
            "Each thread takes the lock, reads the sum, writes it and frees the lock. Three threads take the lock in \
             six orders, so there are six executions. Each takes it from the thread before, and reads that thread's \
             sum. All are right.",
            "Cada thread toma el lock, lee la suma, la escribe y libera el lock. Tres threads toman el lock en seis \
             órdenes, así que hay seis ejecuciones. Cada uno lo toma del thread anterior y lee su suma. Todas son \
             correctas.",
        ),
    );
    d.note(
        Start,
        24,
        62,
        say(
            "Each thread takes the lock, reads `sum`, writes `sum`, frees the lock. Arrows: reads from.",
            "Cada thread toma el lock, lee `sum`, guarda `sum`, libera el lock. Flechas: de dónde lee.",
        ),
    );
    let word = |say: Say, row: usize, _: &Event| {
        let words = [say("takes", "toma"), say("reads", "lee"), say("writes", "guarda"), say("frees", "libera")];
        words[row % words.len()].to_string()
    };
    (0..).zip(all).for_each(|(number, one)| panels.draw(&mut d, say, number, one, word));
    d.line((24, 72), (WIDTH - 24, 72), Grey);
    d
}
