//! What a kernel's source calls its parameters: PTX numbers them only.

use crate::{Source, parameter_name};
use finding::{
    Access, Action, Cause, Finding, Look, Missing, Outside, Place, Relation, Unordered, Unwritten, WaitAt, Where,
};
use std::collections::BTreeMap;

/// Names of arguments by their number, from 1. Without one a text says "argument 1".
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    by_number: BTreeMap<usize, String>,
}

impl Names {
    /// Those of the arguments that a finding's places lead to, as far as the sources of its accesses tell them.
    pub fn of<'a>(finding: &Finding, source: impl Fn(&str) -> Option<Source<'a>>) -> Names {
        let named = |number: &usize| {
            let mut files = finding.accesses.iter().filter_map(|access| access.location.as_ref());
            let name = files.find_map(|at| parameter_name(source(&at.file)?.text, &finding.kernel, *number))?;
            Some((*number, name))
        };
        Names { by_number: arguments(finding).iter().filter_map(named).collect() }
    }

    /// One name more.
    pub fn with(mut self, number: usize, name: &str) -> Names {
        self.by_number.insert(number, name.to_string());
        self
    }

    pub(crate) fn get(&self, number: usize) -> Option<&str> {
        self.by_number.get(&number).map(String::as_str)
    }

    /// An argument as the source calls it, or by its number.
    pub(crate) fn argument(&self, number: usize) -> String {
        self.get(number).map_or_else(|| format!("argument {number}"), |name| format!("`{name}`"))
    }
}

/// The arguments that a finding's places lead to. A buffer alone does not count: that an argument points into it does not say that
/// the access went by it.
fn arguments(finding: &Finding) -> Vec<usize> {
    let of_where = match &finding.place {
        Where::Outside { at: Outside::Near { element, .. }, .. } => element.as_ref(),
        _ => None,
    };
    let of_actions = finding.accesses.iter().filter_map(of_access);
    let places = of_cause(&finding.cause).into_iter().chain(of_where).chain(of_actions);
    let number = |place: &Place| match place {
        Place::Argument { number, .. } => Some(*number),
        _ => None,
    };
    places.filter_map(number).collect()
}

fn of_cause(cause: &Cause) -> Vec<&Place> {
    match cause {
        Cause::Unordered(race) => std::iter::once(&race.place).chain(locks(race)).collect(),
        Cause::NeverWritten(value) => match &value.from {
            Unwritten::Loaded { place, .. } => vec![place],
            _ => vec![],
        },
        Cause::BarrierObject { place, .. } => vec![place],
        _ => vec![],
    }
}

fn locks(race: &Unordered) -> impl Iterator<Item = &Place> {
    let missing = match &race.relation {
        Relation::Threads(pair) => pair.missing.as_ref(),
        _ => None,
    };
    let locks = match missing {
        Some(Missing::Locks { first, second, .. }) => [first.as_ref(), second.as_ref()],
        _ => [None, None],
    };
    locks.into_iter().flatten()
}

fn of_access(access: &Access) -> Option<&Place> {
    match &access.action {
        Action::LoadedUnwritten { place } => Some(place),
        Action::Set { place, .. } => place.as_ref(),
        Action::Waits(waiting) => match &waiting.at {
            WaitAt::Spin { look: Some(Look::Value { place, .. } | Look::ArrivalsMissing { place, .. }) } => Some(place),
            _ => None,
        },
        _ => None,
    }
}
