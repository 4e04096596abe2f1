//! The numbers of threads that wait for one another. They come in no order of time: the report's lines give them one, so that a
//! reader meets (1) before (2).

use finding::{Access, Action, Fate, Finding};

/// The ends of a wait by their lines, and all that speaks of their numbers with them.
pub fn by_lines(mut finding: Finding) -> Finding {
    if !finding.slug.is_wait() {
        return finding;
    }
    let place =
        |access: &Access| (access.location.as_ref().map(|at| (at.file.clone(), at.line, at.column)), access.ptx_line);
    let mut ends: Vec<(usize, Access)> = (0..).zip(std::mem::take(&mut finding.accesses)).collect();
    ends.sort_by_key(|(_, access)| place(access));
    let order: Vec<usize> = ends.iter().map(|(was, _)| *was).collect();
    let now = |was: usize| order.iter().position(|it| *it == was).unwrap_or(was);
    // Actions count from 1.
    let number = |was: usize| now(was - 1) + 1;
    for (_, access) in &mut ends {
        match &mut access.action {
            Action::Waits(waiting) => {
                waiting.missing_at.iter_mut().for_each(|at| *at = number(*at));
                waiting.missing_at.sort_unstable();
            }
            Action::Set { fate: Fate::StandsAt { end }, .. } => *end = number(*end),
            _ => {}
        }
    }
    finding.headline = finding.headline.map(now);
    finding.accesses = ends.into_iter().map(|(_, access)| access).collect();
    finding
}

#[cfg(test)]
mod tests {
    use super::*;
    use finding::{Cause, Place, Severity, Slug, SourceLocation, Threads, WaitAt, Waiting, Where};

    #[test]
    fn who_waits_for_whom_stays_when_the_numbers_change() {
        let at = |line, action| Access {
            location: Some(SourceLocation { file: "a.cu".into(), line, column: 1 }),
            ..Access::of_host(action)
        };
        let waits = |missing_at| {
            let waiting = Waiting {
                block: None,
                threads: Threads::of_warp(0, 1),
                at: WaitAt::GridBarrier,
                missing: Threads::of_warp(0, 2),
                missing_at,
            };
            Action::Waits(Box::new(waiting))
        };
        let set = |end| {
            let place = Some(Place::Unnamed { bytes: 4 });
            Action::Set { block: None, place, value: 1, fate: Fate::StandsAt { end } }
        };
        let finding = Finding {
            slug: Slug::Livelock,
            severity: Severity::Error,
            kernel: "k".into(),
            accesses: vec![at(9, waits(vec![2])), at(7, waits(vec![3, 1])), at(5, set(1))],
            headline: Some(0),
            place: Where::Nowhere,
            cause: Cause::ArrivesTwice,
            remedies: vec![],
            count: 1,
        };
        let race = by_lines(Finding { slug: Slug::RaceShared, ..finding.clone() });
        assert_eq!(race.accesses, finding.accesses);
        let finding = by_lines(finding);
        assert_eq!(finding.accesses, [at(5, set(3)), at(7, waits(vec![1, 3])), at(9, waits(vec![2]))]);
        assert_eq!(finding.headline, Some(2));
    }
}
