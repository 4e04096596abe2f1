//! The numbers of threads that wait for one another: first who has set what others wait for, which came first in time.
//! Then where those who set it wait themselves, then the others. Of what has no such order the report's lines give one,
//! so that a reader meets (1) before (2).

use finding::{Access, Action, Cause, Fate, Finding};

/// The ends of a wait by time and by their lines, and all that speaks of their numbers with them.
pub fn in_order(mut finding: Finding) -> Finding {
    // The misuse of a barrier object is in the order of its operations already.
    if !finding.slug.is_wait() || matches!(finding.cause, Cause::BarrierObject { .. }) {
        return finding;
    }
    let place =
        |access: &Access| (access.location.as_ref().map(|at| (at.file.clone(), at.line, at.column)), access.ptx_line);
    let mut ends: Vec<(usize, Access)> = (0..).zip(std::mem::take(&mut finding.accesses)).collect();
    let stands_at = |access: &Access| match access.action {
        Action::Set { fate: Fate::StandsAt { end }, .. } => Some(end - 1),
        _ => None,
    };
    let holders: Vec<usize> = ends.iter().filter_map(|(_, access)| stands_at(access)).collect();
    ends.sort_by_key(|(was, access)| {
        let rank = match access.action {
            _ if holders.is_empty() => 0,
            Action::Set { .. } | Action::WroteLast { .. } => 0,
            _ => 2 - u32::from(holders.contains(was)),
        };
        (rank, place(access))
    });
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
    // A report's header names the line where a thread waits that holds what others wait for.
    finding.headline = finding.headline.or(holders.first().copied()).map(now);
    finding.accesses = ends.into_iter().map(|(_, access)| access).collect();
    finding
}

#[cfg(test)]
mod tests {
    use super::*;
    use finding::{MemoryPlace, Severity, Slug, SourceLocation, Threads, WaitAt, Waiting, Where};

    fn finding_of_a_wait(accesses: Vec<Access>) -> Finding {
        Finding {
            slug: Slug::Livelock,
            severity: Severity::Error,
            kernel: "k".into(),
            accesses,
            headline: None,
            place: Where::Nowhere,
            cause: Cause::ArrivesTwice,
            remedies: vec![],
            count: 1,
        }
    }

    #[test]
    fn who_has_set_comes_first_then_where_it_waits() {
        let at = |line, action| Access {
            location: Some(SourceLocation { file: "a.cu".into(), line, column: 1 }),
            ..Access::of_host(action)
        };
        let waits = |lanes| {
            let (threads, missing) = (Threads::of_warp(0, lanes), Threads::default());
            Action::Waits(Box::new(Waiting {
                block: None,
                threads,
                at: WaitAt::GridBarrier,
                missing,
                missing_at: vec![],
            }))
        };
        let set = |end| Action::Set { block: None, place: None, value: 1, fate: Fate::StandsAt { end } };
        let finding =
            Finding { accesses: vec![at(5, waits(2)), at(7, waits(1)), at(5, set(2))], ..finding_of_a_wait(vec![]) };
        let finding = in_order(finding);
        assert_eq!(finding.accesses, [at(5, set(2)), at(7, waits(1)), at(5, waits(2))]);
        assert_eq!(finding.headline, Some(1));
    }

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
            let place = Some(MemoryPlace::Unnamed { bytes: 4 });
            Action::Set { block: None, place, value: 1, fate: Fate::StandsAt { end } }
        };
        let finding = Finding {
            headline: Some(0),
            ..finding_of_a_wait(vec![at(9, waits(vec![2])), at(7, waits(vec![3, 1])), at(5, set(1))])
        };
        let race = in_order(Finding { slug: Slug::RaceShared, ..finding.clone() });
        assert_eq!(race.accesses, finding.accesses);
        let finding = in_order(finding);
        assert_eq!(finding.accesses, [at(5, set(2)), at(9, waits(vec![3])), at(7, waits(vec![1, 2]))]);
        assert_eq!(finding.headline, Some(1));
    }
}
