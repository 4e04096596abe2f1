//! The choices in a token, after `@`.

use crate::schedule::Schedule;
use emulator::choices::{ChoiceKind, Misfit, ScheduleChoice};
use emulator::{Policy, choice};
use serde::Serialize;
use std::fmt;

/// Which choices of a run are given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Kept {
    /// Those of the schedule's choices that count, by number ([`choice`]). `in-order` decides the rest.
    Numbers(Vec<u64>),
    /// Choices of a game: what was asked and which answer was taken, from the start. The schedule decides the rest.
    Made(Vec<ScheduleChoice>),
}

impl Kept {
    /// `policy` with these choices.
    pub fn of(kept: Option<&Kept>, policy: Policy) -> Policy {
        match kept {
            None => policy,
            Some(Kept::Numbers(keep)) => Policy::Replay { of: Box::new(policy), keep: keep.as_slice().into() },
            Some(Kept::Made(choices)) => policy.after(choices),
        }
    }

    pub fn numbers(&self) -> Option<&[u64]> {
        match self {
            Kept::Numbers(numbers) => Some(numbers),
            Kept::Made(_) => None,
        }
    }

    /// Parses the text that [`fmt::Display`] wrote for a token of this schedule.
    pub fn read(text: &str, schedule: Schedule) -> Result<Kept, String> {
        let mut items = text.split(',').filter(|one| !one.is_empty());
        if !Schedule::OF_GAMES.contains(&schedule) {
            let number = |one: &str| {
                let (launch, number) = one.split_once(':').unwrap_or(("1", one));
                let pair = launch.parse().ok().zip(number.parse().ok());
                pair.map(|(launch, number)| choice(launch, number)).ok_or_else(|| say!("token-choice", one))
            };
            return items.map(number).collect::<Result<_, _>>().map(Kept::Numbers);
        }
        items
            .try_fold(Vec::new(), |mut made, one| {
                let (choice, times) = read_choice(one).ok_or_else(|| say!("token-choice", one))?;
                made.extend(std::iter::repeat_n(choice, times));
                Ok(made)
            })
            .map(Kept::Made)
    }
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written: Vec<String> = match self {
            Kept::Numbers(numbers) => {
                numbers.iter().map(|number| of_launch((number >> 32) as u32, (*number as u32).to_string())).collect()
            }
            Kept::Made(made) => {
                made.chunk_by(|a, b| a == b).map(|equal| write_choice(&equal[0], equal.len())).collect()
            }
        };
        f.write_str(&written.join(","))
    }
}

/// With the launch before it, unless that is the first.
fn of_launch(launch: u32, text: String) -> String {
    if launch == 1 { text } else { format!("{launch}:{text}") }
}

const LETTERS: [(ChoiceKind, char); 12] = [
    (ChoiceKind::Block, 'b'),
    (ChoiceKind::Warp, 'w'),
    (ChoiceKind::Group, 'g'),
    (ChoiceKind::Grid, 'k'),
    (ChoiceKind::Copy, 'c'),
    (ChoiceKind::Back, 'o'),
    (ChoiceKind::Behind, 'd'),
    (ChoiceKind::Begins, 'n'),
    (ChoiceKind::Converges, 'j'),
    (ChoiceKind::Wrote, 'r'),
    (ChoiceKind::HoldsBack, 'h'),
    (ChoiceKind::Parts, 'p'),
];

/// Most equal choices that one item may stand for: a token is short, and so is what it says.
const TIMES: usize = 1 << 20;

/// `w3.1` is the second of three warps; `w3.1x5` five times that.
fn write_choice(&ScheduleChoice { launch, kind, answers, pick }: &ScheduleChoice, times: usize) -> String {
    let letter = letter(kind);
    let times = if times == 1 { String::new() } else { format!("x{times}") };
    of_launch(launch, format!("{letter}{answers}.{pick}{times}"))
}

fn letter(kind: ChoiceKind) -> char {
    let (_, letter) = LETTERS.into_iter().find(|(known, _)| *known == kind).expect("each kind has a letter");
    letter
}

/// Why a token's choices are not those of this kernel.
pub fn misfit(&Misfit { place, given, asked }: &Misfit) -> String {
    let (number, given) = (place + 1, write_choice(&given, 1));
    match asked {
        Some((kind, answers)) => say!("choice-misfit", number, given, asked = format!("{}{answers}", letter(kind))),
        None => say!("choice-left", number, given),
    }
}

fn read_choice(text: &str) -> Option<(ScheduleChoice, usize)> {
    let (launch, text) = text.split_once(':').unwrap_or(("1", text));
    let letter = text.chars().next()?;
    let (kind, _) = LETTERS.into_iter().find(|(_, known)| *known == letter)?;
    let (answers, pick) = text[1..].split_once('.')?;
    let (pick, times) = pick.split_once('x').unwrap_or((pick, "1"));
    let choice =
        ScheduleChoice { launch: launch.parse().ok()?, kind, answers: answers.parse().ok()?, pick: pick.parse().ok()? };
    let times = times.parse().ok().filter(|times| (1..=TIMES).contains(times))?;
    (choice.pick < choice.answers).then_some((choice, times))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn a_choice() -> impl Strategy<Value = ScheduleChoice> {
        let kind = prop::sample::select(LETTERS.map(|(kind, _)| kind).to_vec());
        (1..4u32, kind, 2..40u32, any::<u32>()).prop_map(|(launch, kind, answers, pick)| ScheduleChoice {
            launch,
            kind,
            answers,
            pick: pick % answers,
        })
    }

    proptest! {
        #[test]
        fn choices_are_read_back(list in prop::collection::vec((a_choice(), 1..4usize), 0..20)) {
            let list = list.into_iter().flat_map(|(choice, times)| std::iter::repeat_n(choice, times)).collect();
            let kept = Kept::Made(list);
            prop_assert_eq!(Kept::read(&kept.to_string(), Schedule::Steps), Ok(kept));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[bwgx.:,0-9é]{0,20}") {
            let _ = Kept::read(&text, Schedule::Steps);
        }
    }

    #[test]
    fn equal_choices_are_written_once() {
        let choice = |launch, pick| ScheduleChoice { launch, kind: ChoiceKind::Warp, answers: 2, pick };
        let kept = Kept::Made(vec![choice(1, 0), choice(1, 0), choice(1, 1), choice(2, 1)]);
        assert_eq!(kept.to_string(), "w2.0x2,w2.1,2:w2.1");
    }

    /// `web/test/token.test.ts` has the same text.
    #[test]
    fn each_kind_has_the_letter_that_pages_write() {
        use ChoiceKind::*;
        let kinds = [Block, Warp, Group, Grid, Copy, Back, Behind, Begins, Converges, Wrote, HoldsBack, Parts];
        let made = kinds.map(|kind| ScheduleChoice { launch: 1, kind, answers: 2, pick: 1 }).to_vec();
        let text = "b2.1,w2.1,g2.1,k2.1,c2.1,o2.1,d2.1,n2.1,j2.1,r2.1,h2.1,p2.1";
        assert_eq!(Kept::read(text, Schedule::Steps), Ok(Kept::Made(made)));
    }

    #[test]
    fn what_is_no_choice_is_named() {
        for text in ["w", "w2", "w2.2", "z2.1", "w2.1x0", "w2.1x9999999", "2:", "é2.1"] {
            let why = Kept::read(&format!("w2.1,{text}"), Schedule::Steps).unwrap_err();
            assert!(why.contains(&format!("`{text}`")), "{text}: {why}");
        }
    }
}
