//! Parts of sentences: what was done, where, by which threads, with which value.

pub(crate) mod action;
pub(crate) mod noun;
pub(crate) mod place;
pub(crate) mod threads;
pub(crate) mod value;

use crate::Reader;

/// `a, b and c`.
pub(crate) fn listed(all: &[String], reader: &Reader) -> String {
    match all {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => say!(reader, "and", first = first.join(", "), last),
    }
}

/// `a, b or c`.
pub(crate) fn any_of(all: &[String], reader: &Reader) -> String {
    match all {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => say!(reader, "or", first = first.join(", "), last),
    }
}
