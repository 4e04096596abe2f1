//! Every shuffle, vote, match and reduction of a warp: four rows of their own, apart from the story.
//!
//! Each kernel is asked all that it can be asked: a shuffle every distance and width, the others many masks, one in
//! each block of a warp.

pub mod exchange;
pub mod members;

use crate::pictures;
use common::Lesson;

/// Runs all of it, and draws what it shows.
pub fn run(lesson: &Lesson) -> anyhow::Result<()> {
    for row in [exchange::EXCHANGE, members::VOTE, members::MATCH, members::REDUX] {
        for kernel in lesson.kernels(&row)? {
            lesson.run_kernel(&kernel)?;
            match kernel.name.as_str() {
                "exchange_broken" => lesson.say_of(&kernel, pictures::neighbours()),
                "vote_ballot" => lesson.say(pictures::votes()),
                "match_any" => lesson.say(pictures::matches()),
                name if exchange::EACH.contains(&name) => lesson.say(pictures::shuffle(name)),
                _ => {}
            }
        }
    }
    Ok(())
}
