//! Changes of a collective: its mask, its width, its place; and of how far fences and atomic operations reach.

use super::SourceFile;
use super::change::{SourceChanges, TextPiece};
use super::expression::CallExpression;
use super::gaps::GapSide;
use super::scan::SourceTokenKind;
use super::statements::StatementKind;
use crate::Unfit;
use finding::{BarrierKind, Scope, SourceLocation};
use std::collections::BTreeSet;
use std::ops::Range;

impl SourceFile {
    pub(super) fn change_mask(&self, at: &SourceLocation, mask: u32, changes: &mut SourceChanges) -> Result<(), Unfit> {
        let call =
            self.call_at(at, |name| name == "__syncwarp" || (name.starts_with("__") && name.ends_with("_sync")))?;
        let text = format!("{mask:#010x}");
        match call.arguments.first() {
            Some(first) if self.number(first) == Some(mask) => return Err(Unfit::OtherThing { line: at.line }),
            Some(first) => changes.replace(self.bytes(first.clone()), vec![TextPiece::New(text)]),
            None if self.token(call.name) == "__syncwarp" && mask != u32::MAX => {
                changes.replace(self.byte(call.close)..self.byte(call.close), vec![TextPiece::New(text)]);
            }
            None => return Err(Unfit::OtherThing { line: at.line }),
        }
        Ok(())
    }

    pub(super) fn change_width(
        &self,
        at: &SourceLocation,
        width: u32,
        changes: &mut SourceChanges,
    ) -> Result<(), Unfit> {
        let call = self.call_at(at, |name| name.starts_with("__shfl") && name.ends_with("_sync"))?;
        match call.arguments.len() {
            3 => changes
                .replace(self.byte(call.close)..self.byte(call.close), vec![TextPiece::New(format!(", {width}"))]),
            4 if self.number(&call.arguments[3]) != Some(width) => {
                changes.replace(self.bytes(call.arguments[3].clone()), vec![TextPiece::New(width.to_string())]);
            }
            _ => return Err(Unfit::OtherThing { line: at.line }),
        }
        Ok(())
    }

    /// Changes the count of `__barrier_sync_count(number, count)`, or of a barrier in PTX.
    pub(super) fn change_count(
        &self,
        at: &SourceLocation,
        threads: u32,
        changes: &mut SourceChanges,
    ) -> Result<(), Unfit> {
        if let Ok(call) = self.call_at(at, |name| name == "__barrier_sync_count") {
            let count = call.arguments.get(1).ok_or(Unfit::OtherThing { line: at.line })?;
            changes.replace(self.bytes(count.clone()), vec![TextPiece::New(threads.to_string())]);
            return Ok(());
        }
        let tokens = self.statements_at(at).into_iter().flat_map(|id| self.own_tokens(id));
        let counted = |token: usize| Some((token..token + 1, (token, other_count(self.token(token), threads)?)));
        let found: Vec<_> = tokens.filter_map(counted).collect();
        if found.is_empty() {
            return Err(Unfit::NothingThere { line: at.line });
        }
        let (token, other) = self.pick(found, at)?;
        changes.replace(self.bytes(token..token + 1), vec![TextPiece::New(other)]);
        Ok(())
    }

    pub(super) fn widen_scope(&self, at: &SourceLocation, to: Scope, changes: &mut SourceChanges) -> Result<(), Unfit> {
        let system = match to {
            Scope::Device => false,
            Scope::System => true,
            Scope::Block | Scope::Cluster => return Err(Unfit::OtherThing { line: at.line }),
        };
        let mut found = Vec::new();
        for id in self.statements_at(at) {
            let assembly = self.token(self.statement(id).first) == "asm";
            for token in self.own_tokens(id) {
                let text = self.token(token);
                let wider = match self.scan.tokens[token].kind {
                    SourceTokenKind::Word => wider_name(text, system),
                    SourceTokenKind::Quoted if assembly => wider_assembly(text, system),
                    _ => None,
                };
                found.extend(wider.map(|wider| (token..token + 1, (token, wider))));
            }
        }
        if found.is_empty() {
            return Err(Unfit::NothingThere { line: at.line });
        }
        let (token, wider) = self.pick(found, at)?;
        changes.replace(self.bytes(token..token + 1), vec![TextPiece::New(wider)]);
        Ok(())
    }

    pub(super) fn hoist(
        &self,
        at: &SourceLocation,
        above: &SourceLocation,
        changes: &mut SourceChanges,
    ) -> Result<(), Unfit> {
        let unfit = Unfit::OtherThing { line: at.line };
        let mut found = Vec::new();
        for (id, expression) in self.expressions_at(at) {
            for call in self.calls(expression.clone(), |_| true) {
                if let Some((start, name)) = self.collective(&call).filter(|(start, _)| *start >= expression.start) {
                    found.push((start..call.close + 1, (id, start, call, name)));
                }
            }
        }
        if found.is_empty() {
            return Err(Unfit::NothingThere { line: at.line });
        }
        let (id, start, call, name) = self.pick(found, at)?;
        let branch = self.named(above.line, GapSide::Before).ok_or(Unfit::NothingThere { line: above.line })?;
        let within = std::iter::once(id).chain(self.parents(id)).take_while(|outer| *outer != branch);
        let path: Vec<usize> = within.chain([branch]).collect();
        let repeats = |id: &usize| {
            matches!(self.statement(*id).kind, StatementKind::For | StatementKind::While | StatementKind::Do)
        };
        let inside = id == branch || self.parents(id).any(|parent| parent == branch);
        let alone = start == self.statement(id).first && call.close + 1 == self.statement(id).last;
        if !inside || alone || self.statement(branch).kind != StatementKind::If || path.iter().any(repeats) {
            return Err(unfit);
        }
        let whole = start..call.close + 1;
        if self.depends_on(&whole, id, branch) {
            return Err(unfit);
        }
        let name = self.new_name(name, start, &mut changes.names);
        let bytes = self.bytes(whole);
        let line = vec![
            TextPiece::New(format!("const auto {name} = ")),
            TextPiece::Moved(bytes.clone()),
            TextPiece::New(";".into()),
        ];
        self.insert_beside(branch, GapSide::Before, line, changes)?;
        changes.replace(bytes, vec![TextPiece::New(name)]);
        Ok(())
    }

    /// True if something from the branch to the call, which is in the statement `id`, declares or changes what the call
    /// uses.
    fn depends_on(&self, call: &Range<usize>, id: usize, branch: usize) -> bool {
        let own = self.extent(id);
        // `x += call(x)` changes x later.
        let later = |at: usize| self.outside_brackets(own.clone()).any(|own| own == at) && self.is_assignment(at);
        let used = |name: &str| {
            call.clone().any(|at| self.token(at) == name && !["."].contains(&self.token(at.wrapping_sub(1))))
        };
        let inside = (0..self.tree.statements.len())
            .filter(|id| *id == branch || self.parents(*id).any(|parent| parent == branch));
        let declared = inside.flat_map(|id| {
            let statement = self.statement(id);
            let range = if statement.kind == StatementKind::Simple {
                statement.first..statement.last
            } else {
                statement.header.clone()
            };
            self.split(range, ";")
                .into_iter()
                .filter(|part| !part.is_empty())
                .flat_map(|part| self.declared(&part))
                .collect::<Vec<_>>()
        });
        let changed = (self.statement(branch).first..call.start).filter(|at| !later(*at)).any(|at| {
            let target = if self.is_assignment(at) {
                at.checked_sub(1).and_then(|end| self.chain_start(end))
            } else if !["++", "--"].contains(&self.token(at)) {
                return false;
            } else if self.is_word(at + 1) {
                Some(at + 1)
            } else {
                at.checked_sub(1).and_then(|end| self.chain_start(end))
            };
            let words = target.map_or(at..at + 2, |start| start..at + 2);
            words.filter(|at| self.is_word(*at)).any(|at| used(self.token(at)))
        });
        let takes_address = call.clone().any(|at| self.token(at) == "&" && ["(", ","].contains(&self.token(at - 1)));
        changed || takes_address || declared.collect::<Vec<_>>().into_iter().any(used) || self.has_assignment(call)
    }

    fn has_assignment(&self, range: &Range<usize>) -> bool {
        range.clone().any(|at| self.is_assignment(at) || ["++", "--"].contains(&self.token(at)))
    }

    /// Returns the start of a collective call, and a name for its result.
    fn collective(&self, call: &CallExpression) -> Option<(usize, &'static str)> {
        let text = self.token(call.name);
        let plain = text.strip_prefix("__").and_then(|text| text.strip_suffix("_sync"));
        let before = self.token(call.name.wrapping_sub(1));
        let (start, what) = match plain {
            Some(plain) => (call.name, plain),
            None if [".", "->"].contains(&before) && text != "reduce" => (self.chain_start(call.close)?, text),
            None if before == "::" && text == "reduce" => (self.chain_start(call.close)?, text),
            None => return None,
        };
        let name = match what {
            "shfl" | "shfl_up" | "shfl_down" | "shfl_xor" => "from_lane",
            "ballot" => "votes",
            "any" => "any",
            "all" => "all",
            "match_any" | "match_all" => "matching",
            "uni" => "alike",
            _ if what.starts_with("reduce") => "reduced",
            _ => return None,
        };
        Some((start, name))
    }

    fn call_at(&self, at: &SourceLocation, fits: impl Fn(&str) -> bool + Copy) -> Result<CallExpression, Unfit> {
        let expressions = self.expressions_at(at).into_iter();
        let calls = expressions.flat_map(|(_, expression)| self.calls(expression, fits));
        let calls: Vec<_> = calls.map(|call| (call.name..call.close + 1, call)).collect();
        if calls.is_empty() {
            return Err(Unfit::NothingThere { line: at.line });
        }
        self.pick(calls, at)
    }

    /// `32`, `0xffu`
    fn number(&self, range: &Range<usize>) -> Option<u32> {
        let text = self.text[self.bytes(range.clone())].to_ascii_lowercase();
        let digits = text.trim_end_matches(['u', 'l']);
        digits.strip_prefix("0x").map_or_else(|| digits.parse(), |digits| u32::from_str_radix(digits, 16)).ok()
    }
}

/// `atomicAdd_block`, `__threadfence`, `thread_scope_block`
fn wider_name(name: &str, system: bool) -> Option<String> {
    if let Some(scope) = name.strip_prefix("thread_scope_") {
        let narrow = matches!((scope, system), ("thread" | "block", _) | ("device", true));
        return narrow.then(|| if system { "thread_scope_system" } else { "thread_scope_device" }.to_string());
    }
    let operation = name.starts_with("atomic") && name[6..].starts_with(|c: char| c.is_ascii_uppercase());
    if (!operation && !name.starts_with("__threadfence")) || name.ends_with("_system") {
        return None;
    }
    let (base, block) = name.strip_suffix("_block").map_or((name, false), |base| (base, true));
    match (system, block) {
        (true, _) => Some(format!("{base}_system")),
        (false, true) => Some(base.to_string()),
        (false, false) => None,
    }
}

impl SourceFile {
    /// Returns the barriers that may do where this one does, this one last. If the function around a line has barriers
    /// of parts of the block, as in `"bar.sync 1, 48;"`, not all threads of the block need come to the line. The
    /// nearest of those comes first.
    pub(crate) fn barriers_like(&self, barrier: BarrierKind, line: u32) -> Vec<BarrierKind> {
        let function = self.function_of_line(line).filter(|_| barrier == BarrierKind::Block);
        let tokens = function.map_or(0..0, |function| function.body.0..function.body.1);
        let part = |at| Some((self.line(at).abs_diff(line), barrier_of_part(self.token(at))?));
        let parts: BTreeSet<(u32, BarrierKind)> = tokens.filter_map(part).collect();
        let mut all: Vec<BarrierKind> = Vec::new();
        for kind in parts.into_iter().map(|(_, kind)| kind).chain([barrier]) {
            if !all.contains(&kind) {
                all.push(kind);
            }
        }
        all
    }
}

fn barrier_of_part(text: &str) -> Option<BarrierKind> {
    let (_, operands) = text.split_once("bar.sync ").or_else(|| text.split_once("barrier.sync "))?;
    let (number, threads) = operands.split_once(';')?.0.split_once(',')?;
    Some(BarrierKind::Part { number: number.trim().parse().ok()?, threads: threads.trim().parse().ok()? })
}

/// `"bar.sync 1, 48;"` with another count.
fn other_count(text: &str, threads: u32) -> Option<String> {
    let is_barrier = ["bar.sync", "bar.arrive", "barrier.sync", "barrier.arrive"].iter().any(|it| text.contains(it));
    let start = text.find(',')? + 1;
    let digits = text[start..].trim_start();
    let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_count = is_barrier && rest.len() < digits.len() && text.matches(',').count() == 1;
    is_count.then(|| format!("{} {threads}{rest}", &text[..start]))
}

/// PTX in quotes. `membar` has its own names of scopes.
fn wider_assembly(text: &str, system: bool) -> Option<String> {
    let modifier = |narrow: &str| {
        text.match_indices(narrow).map(|(at, _)| at).find(|at| {
            let next = text[at + narrow.len()..].chars().next();
            !next.is_some_and(|c| c.is_alphanumeric() || c == '_')
        })
    };
    let narrow = if system { &[".cta", ".gpu", ".gl"][..] } else { &[".cta"][..] };
    let (narrow, at) = narrow.iter().find_map(|narrow| modifier(narrow).map(|at| (*narrow, at)))?;
    let wide = match system {
        true => ".sys",
        false if text[..at].ends_with("membar") => ".gl",
        false => ".gpu",
    };
    Some(format!("{}{wide}{}", &text[..at], &text[at + narrow.len()..]))
}
