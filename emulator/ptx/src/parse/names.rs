//! Names inside a function (PTX ISA, "Identifiers", ".reg").
//!
//! Scopes nest; the tree has none. A register of a range such as `%r<1000>` comes into
//! being when it is first used. A label belongs to the block it stands in and may be used
//! before it. So each use in a block is provisional, and when the block ends what it did
//! not define passes to the block around it.

use super::parser::shown;
use crate::ast::{Label, LabelId, RegId, Register, Type, VarId};
use crate::lexer::Token;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    Register(RegId),
    Variable(VarId),
    /// A parameter in memory: the tree keeps its name.
    Parameter,
}

/// `.reg .b32 %r<5>;` declares `%r0` to `%r4`.
#[derive(Clone, Copy)]
struct Range {
    count: u32,
    ty: Type,
    vector: u32,
}

#[derive(Default)]
struct NameScope<'a> {
    names: HashMap<&'a str, Name>,
    ranges: HashMap<&'a str, Range>,
    /// For the names declared singly, seen as prefix and number: the lowest number.
    lowest: HashMap<&'a str, u32>,
    /// Indices into `NameScopes::labels`.
    labels: HashMap<&'a str, usize>,
    /// Names of `.branchtargets`, `.calltargets` and `.callprototype`, as the tree has them.
    tables: HashMap<&'a str, String>,
}

/// A label as one block sees it.
struct Provisional<'a> {
    /// The label itself, or its first use.
    token: Token<'a>,
    target: Option<u32>,
    /// The same name in the block around, where this block does not define it.
    outer: Option<usize>,
}

pub(super) struct NameScopes<'a> {
    scopes: Vec<NameScope<'a>>,
    labels: Vec<Provisional<'a>>,
    /// Tables of this function so far.
    tables: HashSet<&'a str>,
    /// Numbers the tables.
    serial: u32,
}

/// A clash, or a name that is missing: a message without its place.
type NameError<T> = Result<T, String>;

pub(super) fn clash(name: &str) -> String {
    format!("`{}` is declared twice in one scope", shown(name))
}

/// Ways to see a name as prefix and number, the longest prefix first.
fn splits(name: &str) -> impl Iterator<Item = (&str, u32)> {
    let digits = name.bytes().rev().take(9).take_while(u8::is_ascii_digit).count();
    (1..=digits).filter_map(move |count| {
        let (prefix, number) = name.split_at(name.len() - count);
        // `%r01` is a name of its own, no member of `%r<5>`.
        if prefix.is_empty() || (count > 1 && number.starts_with('0')) {
            return None;
        }
        Some((prefix, number.parse().ok()?))
    })
}

impl<'a> NameScopes<'a> {
    pub fn new() -> Self {
        NameScopes { scopes: vec![NameScope::default()], labels: Vec::new(), tables: HashSet::new(), serial: 0 }
    }

    fn scope(&mut self) -> &mut NameScope<'a> {
        self.scopes.last_mut().expect("a function has its own scope until it ends")
    }

    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    pub fn open(&mut self) {
        self.scopes.push(NameScope::default());
    }

    pub fn close(&mut self) {
        let scope = self.scopes.pop().expect("blocks close as often as they open");
        let mut undefined: Vec<usize> =
            scope.labels.into_values().filter(|&label| self.labels[label].target.is_none()).collect();
        undefined.sort_unstable(); // The order of a map must not number the labels.
        if self.scopes.is_empty() {
            return;
        }
        for label in undefined {
            let name = self.labels[label].token.text;
            match self.scope().labels.entry(name) {
                Entry::Vacant(entry) => {
                    entry.insert(label);
                }
                Entry::Occupied(entry) => self.labels[label].outer = Some(*entry.get()),
            }
        }
    }

    pub fn declare(&mut self, name: &'a str, what: Name) -> NameError<()> {
        let scope = self.scopes.last_mut().expect("a function has its own scope until it ends");
        let in_range = splits(name).any(|(prefix, n)| scope.ranges.get(prefix).is_some_and(|range| n < range.count));
        let is_label = scope.labels.get(name).is_some_and(|&label| self.labels[label].target.is_some());
        if in_range || is_label || scope.names.insert(name, what).is_some() {
            return Err(clash(name));
        }
        for (prefix, n) in splits(name) {
            scope.lowest.entry(prefix).and_modify(|lowest| *lowest = n.min(*lowest)).or_insert(n);
        }
        Ok(())
    }

    pub fn declare_range(&mut self, prefix: &'a str, count: u32, ty: Type, vector: u32) -> NameError<()> {
        let scope = self.scope();
        if let Some(n) = scope.lowest.get(prefix).filter(|&&n| n < count) {
            return Err(clash(&format!("{prefix}{n}")));
        }
        match scope.ranges.insert(prefix, Range { count, ty, vector }) {
            Some(_) => Err(clash(prefix)),
            None => Ok(()),
        }
    }

    /// Innermost first. The first use of a register in a range adds it to `registers`.
    pub fn find(&mut self, name: &'a str, registers: &mut Vec<Register>) -> Option<Name> {
        for scope in self.scopes.iter_mut().rev() {
            if let Some(&found) = scope.names.get(name) {
                return Some(found);
            }
            if scope.ranges.is_empty() {
                continue;
            }
            let range = splits(name).find_map(|(prefix, n)| scope.ranges.get(prefix).filter(|range| n < range.count));
            if let Some(&Range { ty, vector, .. }) = range {
                let id = RegId(registers.len() as u32);
                registers.push(Register { name: name.into(), ty, vector });
                scope.names.insert(name, Name::Register(id));
                return Some(Name::Register(id));
            }
        }
        None
    }

    fn label(&mut self, token: Token<'a>) -> usize {
        let new = self.labels.len();
        let label = *self.scope().labels.entry(token.text).or_insert(new);
        if label == new {
            self.labels.push(Provisional { token, target: None, outer: None });
        }
        label
    }

    /// A label that is used here. The id is provisional until [`NameScopes::finish`].
    pub fn use_label(&mut self, token: Token<'a>) -> LabelId {
        LabelId(self.label(token) as u32)
    }

    pub fn define_label(&mut self, token: Token<'a>, target: u32) -> NameError<()> {
        if self.scope().names.contains_key(token.text) {
            return Err(clash(token.text));
        }
        let label = self.label(token);
        match self.labels[label].target.replace(target) {
            Some(_) => Err(clash(token.text)),
            None => Ok(()),
        }
    }

    /// Declares a table and returns the name that the tree knows it by: as written, or
    /// with a number where blocks of this function use the name again.
    pub fn declare_table(&mut self, name: &'a str) -> NameError<String> {
        self.serial += 1;
        let unique = if self.tables.insert(name) { name.to_owned() } else { format!("{name}#{}", self.serial) };
        match self.scope().tables.insert(name, unique.clone()) {
            Some(_) => Err(clash(name)),
            None => Ok(unique),
        }
    }

    pub fn find_table(&self, name: &str) -> Option<&str> {
        self.scopes.iter().rev().find_map(|scope| scope.tables.get(name)).map(String::as_str)
    }

    /// Closes the function: its labels, and for each provisional id the final one.
    pub fn finish(mut self) -> Result<(Vec<Label>, Vec<LabelId>), (Token<'a>, String)> {
        self.close();
        let mut labels = Vec::new();
        let mut ids = vec![LabelId(0); self.labels.len()];
        for (label, id) in self.labels.iter().zip(&mut ids) {
            if let Some(target) = label.target {
                *id = LabelId(labels.len() as u32);
                labels.push(Label { name: label.token.text.into(), target });
            }
        }
        for index in 0..ids.len() {
            let mut label = index;
            while let Some(outer) = self.labels[label].outer {
                label = outer;
            }
            if self.labels[label].target.is_none() {
                let token = self.labels[index].token;
                return Err((token, format!("label `{}` is not declared", shown(token.text))));
            }
            ids[index] = ids[label];
        }
        Ok((labels, ids))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_holds_its_numbers_and_no_others() {
        for (range, count, name, want) in [
            ("%r", 5, "%r4", true),
            ("%r", 5, "%r5", false),
            ("%r", 5, "%r04", false),
            ("%r", 5, "%r0", true),
            ("%r1", 5, "%r14", true),
            ("%r1", 5, "%r4", false),
            ("%r", 5, "%r", false),
            ("%r", u32::MAX, "%r999999999", true),
            ("%r", 5, "%r4294967297", false),
        ] {
            let mut names = NameScopes::new();
            names.declare_range(range, count, Type::B32, 1).unwrap();
            assert_eq!(names.find(name, &mut Vec::new()).is_some(), want, "{name} in {range}<{count}>");
        }
    }
}
