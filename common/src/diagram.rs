//! Lane diagrams: what an operation of a warp does, lane by lane, as text that fits 80 columns.
//!
//! A warp's 32 lanes stand in two lines of 16, lane 0 first. What a lane brings and gets stands below it.

use std::fmt::{self, Display, Write};

/// Lanes of a warp.
const WARP: usize = 32;
/// Lanes in a line: 16 columns of four characters and a label fit 80 columns.
const LINE: usize = 16;

/// Whose value a lane gets from a shuffle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneSource {
    /// Another lane's.
    Lane(usize),
    /// None is in range: its own.
    Own,
    /// It reads a lane that gives no value: anything.
    Absent(usize),
    /// It takes no part.
    Apart,
}

/// One picture: a title, lines of cells under the lanes' numbers, and what is to be said below.
#[derive(Clone, Debug)]
pub struct Diagram {
    title: String,
    rows: Vec<(String, Vec<String>)>,
    notes: Vec<String>,
}

impl Diagram {
    pub fn new(title: impl Into<String>) -> Diagram {
        Diagram { title: title.into(), rows: Vec::new(), notes: Vec::new() }
    }

    /// A line under the lanes: `cell` gives what stands below each, three characters at most.
    pub fn row(mut self, label: &str, cell: impl Fn(usize) -> String) -> Diagram {
        self.rows.push((label.to_string(), (0..WARP).map(cell).collect()));
        self
    }

    pub fn note(mut self, text: impl Into<String>) -> Diagram {
        self.notes.push(text.into());
        self
    }

    /// Draws which lane reads which.
    pub fn exchange(title: &str, sources: [LaneSource; WARP]) -> Diagram {
        let picture = Diagram::new(title).row(&say!("diagram-reads"), |lane| match sources[lane] {
            LaneSource::Lane(from) => from.to_string(),
            LaneSource::Own => ".".to_string(),
            LaneSource::Absent(from) => format!("!{from}"),
            LaneSource::Apart => "-".to_string(),
        });
        let said = [
            (sources.contains(&LaneSource::Own), say!("diagram-own")),
            (sources.iter().any(|source| matches!(source, LaneSource::Absent(_))), say!("diagram-absent")),
            (sources.contains(&LaneSource::Apart), say!("diagram-apart")),
        ];
        let said: Vec<String> = said.into_iter().filter(|(is_used, _)| *is_used).map(|(_, text)| text).collect();
        if said.is_empty() { picture } else { picture.note(said.join("   ")) }
    }

    /// Which lanes of `members` bring a yes (a set bit of `predicates`), and what all of them get, function by
    /// function.
    pub fn vote(title: &str, members: u32, predicates: u32, answers: &[(&str, String)]) -> Diagram {
        let mut picture = Diagram::new(title).row(&say!("diagram-brings"), |lane| match is_in(members, lane) {
            true => u32::from(is_in(predicates, lane)).to_string(),
            false => "-".to_string(),
        });
        for (function, answer) in answers {
            picture = picture.note(format!("{function:<14} {answer}"));
        }
        picture
    }

    /// Which lanes of `members` hold the same: `same` is the mask that each lane got. One letter for each group.
    pub fn groups(title: &str, members: u32, held: &[u64; WARP], same: &[u32; WARP]) -> Diagram {
        let mut masks: Vec<u32> = Vec::new();
        for lane in (0..WARP).filter(|&lane| is_in(members, lane)) {
            if !masks.contains(&same[lane]) {
                masks.push(same[lane]);
            }
        }
        let letter = |mask| (b'a'..=b'z').chain(b'A'..=b'F').nth(masks.iter().position(|&m| m == mask)?);
        let if_asked = |lane, text: String| if is_in(members, lane) { text } else { "-".to_string() };
        let mut picture = Diagram::new(title)
            .row(&say!("diagram-brings"), |lane| if_asked(lane, held[lane].to_string()))
            .row(&say!("diagram-group"), |lane| {
                if_asked(lane, letter(same[lane]).map_or_else(String::new, |letter| char::from(letter).to_string()))
            });
        for &mask in &masks {
            let letter = letter(mask).map_or(' ', char::from);
            picture = picture.note(say!("diagram-gets", letter = letter.to_string(), mask = bits(mask)));
        }
        picture
    }
}

/// A mask in hex and lane by lane, lane 0 first: `0x0000000f ####............................`.
pub fn bits(mask: u32) -> String {
    let mut text = format!("{mask:#010x} ");
    text.extend((0..WARP).map(|lane| if is_in(mask, lane) { '#' } else { '.' }));
    text
}

fn is_in(mask: u32, lane: usize) -> bool {
    mask >> lane & 1 == 1
}

impl Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let label = self.rows.iter().map(|(label, _)| label.chars().count()).fold("lane".len(), usize::max);
        writeln!(f, "{}", self.title)?;
        for first in (0..WARP).step_by(LINE) {
            let numbers: Vec<String> = (0..WARP).map(|lane| lane.to_string()).collect();
            let heading = [("lane".to_string(), numbers)];
            for (name, cells) in heading.iter().chain(&self.rows) {
                let mut line = format!("  {name:<label$}");
                for cell in &cells[first..first + LINE] {
                    write!(line, "{cell:>4}")?;
                }
                writeln!(f, "{line}")?;
            }
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "  {note}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_drawn(picture: Diagram, expected: &str) {
        let text = picture.to_string();
        assert_eq!(text, expected);
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    }

    #[test]
    fn a_shuffle_shows_who_reads_whom() {
        let down = |lane: usize| if lane % 16 + 4 < 16 { LaneSource::Lane(lane + 4) } else { LaneSource::Own };
        assert_drawn(
            Diagram::exchange("__shfl_down_sync(0xffffffff, value, 4, 16)", std::array::from_fn(down)),
            "\
__shfl_down_sync(0xffffffff, value, 4, 16)
  lane    0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15
  reads   4   5   6   7   8   9  10  11  12  13  14  15   .   .   .   .
  lane   16  17  18  19  20  21  22  23  24  25  26  27  28  29  30  31
  reads  20  21  22  23  24  25  26  27  28  29  30  31   .   .   .   .
  . keeps its own value
",
        );
    }

    #[test]
    fn lanes_that_are_not_there_stand_out() {
        let half = |lane: usize| if lane < 16 { LaneSource::Absent(lane + 16) } else { LaneSource::Apart };
        assert_drawn(
            Diagram::exchange("half a warp, offset 16", std::array::from_fn(half)),
            "\
half a warp, offset 16
  lane    0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15
  reads !16 !17 !18 !19 !20 !21 !22 !23 !24 !25 !26 !27 !28 !29 !30 !31
  lane   16  17  18  19  20  21  22  23  24  25  26  27  28  29  30  31
  reads   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -
  ! reads a lane that gives no value   - takes no part
",
        );
    }

    #[test]
    fn a_vote_shows_who_was_asked_and_what_each_function_says() {
        let answers = [("__any_sync", "1".to_string()), ("__ballot_sync", bits(0xa))];
        assert_drawn(
            Diagram::vote("the first eight lanes vote", 0xff, 0x70a, &answers),
            "\
the first eight lanes vote
  lane     0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15
  brings   0   1   0   1   0   0   0   0   -   -   -   -   -   -   -   -
  lane    16  17  18  19  20  21  22  23  24  25  26  27  28  29  30  31
  brings   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -
  __any_sync     1
  __ballot_sync  0x0000000a .#.#............................
",
        );
    }

    #[test]
    fn equal_values_are_one_group() {
        let held = std::array::from_fn(|lane| lane as u64 % 2 * 7);
        let same = std::array::from_fn(|lane| if lane % 2 == 0 { 0x5 } else { 0xa });
        assert_drawn(
            Diagram::groups("__match_any_sync(0xf, value)", 0xf, &held, &same),
            "\
__match_any_sync(0xf, value)
  lane     0   1   2   3   4   5   6   7   8   9  10  11  12  13  14  15
  brings   0   7   0   7   -   -   -   -   -   -   -   -   -   -   -   -
  group    a   b   a   b   -   -   -   -   -   -   -   -   -   -   -   -
  lane    16  17  18  19  20  21  22  23  24  25  26  27  28  29  30  31
  brings   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -
  group    -   -   -   -   -   -   -   -   -   -   -   -   -   -   -   -
  a gets 0x00000005 #.#.............................
  b gets 0x0000000a .#.#............................
",
        );
    }

    #[test]
    fn thirty_two_groups_have_thirty_two_letters() {
        let held = std::array::from_fn(|lane| lane as u64);
        let text = Diagram::groups("all differ", !0, &held, &std::array::from_fn(|lane| 1 << lane)).to_string();
        assert!(text.contains("F gets 0x80000000"), "{text}");
    }
}
