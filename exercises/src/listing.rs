//! The list of all exercises, topic by topic, with what is done.

use crate::catalog::Exercise;
use crate::fit::{cut, fit, glued};
use crate::session::LearnSession;
use crate::terminal::TerminalSize;
use anyhow::Result;

/// Characters of a topic's bar.
const BAR: usize = 10;

/// Rows of a page at least, however small the terminal is.
const FEWEST: usize = 3;

/// The least similarity, from 0 to 1, of a name that somebody may have meant.
const NEAR: f64 = 0.8;

/// Which exercises are listed, and how.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Only those whose name, topic or title has this in it.
    pub part: String,
    /// Only those that are not solved.
    pub is_to_do: bool,
    /// With the numbers by which they can be chosen.
    pub is_numbered: bool,
    /// The first row of the page that is shown; `None`: the page of the next exercise.
    pub top: Option<usize>,
}

impl Listing {
    fn shows(&self, exercise: &Exercise) -> bool {
        let part = self.part.to_lowercase();
        [exercise.name.as_str(), exercise.title()].iter().any(|text| text.to_lowercase().contains(&part))
    }

    /// The whole list, as a text.
    pub fn text(&self, session: &LearnSession) -> Result<String> {
        let (rows, _) = self.rows(session)?;
        Ok(rows.join("\n") + &format!("\n{}\n", session.standing()?))
    }

    /// One row for each topic and exercise, and the row of the next exercise.
    fn rows(&self, session: &LearnSession) -> Result<(Vec<String>, usize)> {
        let progress = session.progress()?;
        let next = session.pick(None)?.name.clone();
        let (mut rows, mut row_of_next) = (Vec::new(), 0);
        for (name, topic) in &session.catalog.topics {
            let of_topic = || {
                let all = (1..).zip(&session.catalog.exercises);
                all.filter(|(_, exercise)| exercise.topic() == name)
            };
            let is_shown =
                |exercise: &Exercise| self.shows(exercise) && !(self.is_to_do && progress.is_solved(&exercise.name));
            let shown: Vec<(usize, &Exercise)> = of_topic().filter(|(_, exercise)| is_shown(exercise)).collect();
            if shown.is_empty() && (self.is_to_do || !self.part.is_empty()) {
                continue;
            }
            let (solved, of) =
                (of_topic().filter(|(_, exercise)| progress.is_solved(&exercise.name)).count(), of_topic().count());
            let title = session.catalog.title(name, topic);
            rows.push(format!("{name}  {} {solved}/{of}  {title} ({})", bar(solved, of), topic.lesson));
            for (number, exercise) in shown {
                let record = progress.exercise.get(&exercise.name);
                let mark = match record {
                    Some(record) if record.solved => "x",
                    _ if exercise.name == next => ">",
                    _ => " ",
                };
                if exercise.name == next {
                    row_of_next = rows.len();
                }
                let hints = match record.map_or(0, |record| record.hints) {
                    0 => String::new(),
                    hints => format!("  ({})", say!("hints-taken", count = hints)),
                };
                let number = if self.is_numbered { format!("{number:>4}") } else { " ".to_string() };
                rows.push(format!(
                    "{number} [{mark}] {:<28} {:>2} min  {}{hints}",
                    exercise.short(),
                    exercise.spec.minutes,
                    exercise.title()
                ));
            }
        }
        Ok((rows, row_of_next))
    }

    /// A page of the list that fits the screen, with what was answered to the student; the first time the one of the
    /// next exercise.
    pub fn screen(&mut self, session: &LearnSession, size: TerminalSize, answer: &str) -> Result<Vec<String>> {
        let (rows, next) = self.rows(session)?;
        let mut below = fit(answer, size.columns);
        below.extend(keys(size));
        // Two rows more: where in the list this is, and what the student types.
        let room = size.rows.saturating_sub(below.len() + 2).max(FEWEST);
        let begins = self.top.unwrap_or(if next < room { 0 } else { next.saturating_sub(room / 2) });
        let top = begins.min(rows.len().saturating_sub(room));
        self.top = Some(top);
        let end = (top + room).min(rows.len());
        let mut screen: Vec<String> = rows[top..end].iter().map(|row| cut(row, size.columns)).collect();
        let standing = session.standing()?;
        let place = say!("list-rows", from = (top + 1).min(end), to = end, of = rows.len(), standing);
        screen.push(cut(&(self.filter() + &place), size.columns));
        screen.extend(below);
        Ok(screen)
    }

    /// Which exercises are listed, if not all: in front of the line that tells where in the list this is.
    fn filter(&self) -> String {
        let part = (!self.part.is_empty()).then(|| format!("`{}`", self.part));
        let parts: Vec<String> = self.is_to_do.then(|| say!("list-to-do")).into_iter().chain(part).collect();
        if parts.is_empty() { String::new() } else { parts.join(", ") + ": " }
    }

    /// Goes on or back by as many rows as a page of this size has.
    pub fn turn(&mut self, size: TerminalSize, is_on: bool) {
        let by = size.rows.saturating_sub(keys(size).len() + 2).max(FEWEST);
        let top = self.top.unwrap_or(0);
        self.top = Some(if is_on { top + by } else { top.saturating_sub(by) });
    }

    /// The same list of other exercises; `None` where there would be none.
    pub fn of(&self, session: &LearnSession, part: &str, is_to_do: bool) -> Result<Option<Listing>> {
        let listing = Listing { part: part.to_string(), is_to_do, top: Some(0), ..self.clone() };
        Ok((!listing.rows(session)?.0.is_empty()).then_some(listing))
    }
}

fn keys(size: TerminalSize) -> Vec<String> {
    fit(&glued(&say!("keys-list")), size.columns)
}

/// The name that is most like one that there is not, if one is like it.
pub fn near<'a>(session: &'a LearnSession, name: &str) -> Option<&'a str> {
    let name = name.to_lowercase();
    if name.is_empty() {
        return None;
    }
    let all = || session.catalog.exercises.iter().map(Exercise::short);
    let likeness = |short: &str| strsim::jaro_winkler(short, &name);
    let most = || all().max_by(|a, b| likeness(a).total_cmp(&likeness(b))).filter(|short| likeness(short) >= NEAR);
    all().find(|short| name.len() > 2 && short.contains(&name)).or_else(most)
}

/// `[####------]`
pub fn bar(solved: usize, of: usize) -> String {
    // One that is not whole shows that, and one that is begun, too.
    let full = match solved {
        0 => 0,
        _ if solved == of => BAR,
        _ => (solved * BAR / of).clamp(1, BAR - 1),
    };
    format!("[{}{}]", "#".repeat(full), "-".repeat(BAR - full))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_full_only_when_all_is_solved() {
        let bars = [(0, 14), (1, 14), (7, 14), (13, 14), (14, 14)].map(|(solved, of)| bar(solved, of));
        assert_eq!(bars, ["[----------]", "[#---------]", "[#####-----]", "[#########-]", "[##########]"]);
    }
}
