//! The list of all exercises, topic by topic, with what is done.

use crate::catalog::Exercise;
use crate::session::Session;
use anyhow::Result;
use std::fmt::Write;

/// Characters of a topic's bar.
const BAR: usize = 10;

/// Which exercises are listed, and how.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Only those whose name, topic or title has this in it.
    pub part: String,
    /// With the numbers by which they can be chosen.
    pub is_numbered: bool,
}

impl Listing {
    fn shows(&self, exercise: &Exercise) -> bool {
        let part = self.part.to_lowercase();
        [exercise.name.as_str(), exercise.title()].iter().any(|text| text.to_lowercase().contains(&part))
    }

    pub fn text(&self, session: &Session) -> Result<String> {
        let progress = session.progress()?;
        let next = session.pick(None)?.name.clone();
        let mut text = String::new();
        for (name, topic) in &session.catalog.topics {
            let of_topic = || {
                let all = (1..).zip(&session.catalog.exercises);
                all.filter(|(_, exercise)| exercise.topic() == name)
            };
            let shown: Vec<(usize, &Exercise)> = of_topic().filter(|(_, exercise)| self.shows(exercise)).collect();
            if shown.is_empty() && !self.part.is_empty() {
                continue;
            }
            let (solved, of) =
                (of_topic().filter(|(_, exercise)| progress.is_solved(&exercise.name)).count(), of_topic().count());
            let title = session.catalog.title(name, topic);
            let _ = writeln!(text, "{name}  {} {solved}/{of}  {title} ({})", bar(solved, of), topic.lesson);
            for (number, exercise) in shown {
                let record = progress.exercise.get(&exercise.name);
                let mark = match record {
                    Some(record) if record.solved => "x",
                    _ if exercise.name == next => ">",
                    _ => " ",
                };
                let hints = match record.map_or(0, |record| record.hints) {
                    0 => String::new(),
                    hints => format!("  ({})", say!("hints-taken", count = hints)),
                };
                let number = if self.is_numbered { format!("{number:>4}") } else { " ".to_string() };
                let _ = writeln!(
                    text,
                    "{number} [{mark}] {:<28} {} min  {}{hints}",
                    exercise.short(),
                    exercise.spec.minutes,
                    exercise.title()
                );
            }
        }
        let _ = writeln!(text, "{}", session.standing()?);
        Ok(text)
    }
}

/// `[####------]`
fn bar(solved: usize, of: usize) -> String {
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
