//! Barriers and fences: whole statements that come and go.

use super::SourceFile;
use super::change::{InsertionRank, SourceChanges, TextPiece};
use super::gaps::GapSide;
use super::statements::{Role, StatementKind};
use crate::Unfit;
use finding::{BarrierKind, Position, Scope, SourceLocation};
use std::ops::Range;

/// Returns a statement with a PTX instruction that the compiler moves no access of memory across.
fn assembly(ptx: &str) -> String {
    format!("asm volatile(\"{ptx}\" ::: \"memory\");")
}

impl SourceFile {
    pub(super) fn insert_barrier(
        &self,
        barrier: BarrierKind,
        at: &Position,
        changes: &mut SourceChanges,
    ) -> Result<(), Unfit> {
        let text = self.barrier_text(barrier, changes);
        self.insert_at(at, vec![TextPiece::New(text)], changes)
    }

    pub(super) fn barrier_text(&self, barrier: BarrierKind, changes: &mut SourceChanges) -> String {
        match barrier {
            BarrierKind::Cluster => format!("{}::this_cluster().sync();", self.cooperative_groups(changes)),
            BarrierKind::Grid => format!("{}::this_grid().sync();", self.cooperative_groups(changes)),
            BarrierKind::Part { .. } => assembly(&format!("{barrier};")),
            BarrierKind::Warp { .. } | BarrierKind::Block => format!("{barrier};"),
        }
    }

    pub(super) fn insert_statement(&self, text: &str, at: &Position, changes: &mut SourceChanges) -> Result<(), Unfit> {
        self.insert_at(at, vec![TextPiece::New(text.to_string())], changes)
    }

    pub(super) fn insert_fence(&self, scope: Scope, at: &Position, changes: &mut SourceChanges) -> Result<(), Unfit> {
        let fence = match scope {
            Scope::Block => "__threadfence_block();",
            // CUDA has no fence of a cluster.
            Scope::Cluster | Scope::Device => "__threadfence();",
            Scope::System => "__threadfence_system();",
        };
        self.insert_at(at, vec![TextPiece::New(fence.to_string())], changes)
    }

    /// In the words of the text, or as the instruction, which needs no header.
    pub(super) fn insert_wait(&self, at: &Position, changes: &mut SourceChanges) -> Result<(), Unfit> {
        let wait = match self.mentions("__pipeline_memcpy_async") {
            true => "__pipeline_commit(); __pipeline_wait_prior(0);",
            false => &assembly("cp.async.wait_all;"),
        };
        self.insert_statement(wait, at, changes)
    }

    /// As the instruction, which needs no header.
    pub(super) fn insert_instruction(
        &self,
        ptx: &str,
        at: &Position,
        changes: &mut SourceChanges,
    ) -> Result<(), Unfit> {
        self.insert_statement(&assembly(ptx), at, changes)
    }

    fn insert_at(&self, at: &Position, what: Vec<TextPiece>, changes: &mut SourceChanges) -> Result<(), Unfit> {
        let (at, side) = match at {
            Position::Before { at } => (at, GapSide::Before),
            Position::After { at } => (at, GapSide::After),
            // Not one place.
            Position::Between { first, .. } => return Err(Unfit::OtherThing { line: first.line }),
        };
        let id = self.named(at.line, side).ok_or(Unfit::NothingThere { line: at.line })?;
        // Nothing gets there.
        if side == GapSide::After && self.statement(id).kind == StatementKind::Jump {
            return Err(Unfit::OtherThing { line: at.line });
        }
        self.insert_beside(id, side, what, changes)
    }

    /// Puts a statement before or after another one, in a line of its own where the other one has that too.
    pub(super) fn insert_beside(
        &self,
        id: usize,
        side: GapSide,
        what: Vec<TextPiece>,
        changes: &mut SourceChanges,
    ) -> Result<(), Unfit> {
        let statement = self.statement(id);
        if self.is_else_if(id) {
            return Err(Unfit::OtherThing { line: self.line(statement.first) });
        }
        let bare = self.tree.lists[statement.list].braces.is_none();
        if bare {
            self.add_braces(id, changes);
        }
        let line = TextPiece::New(self.indentation(statement.first).to_string());
        let with = |before: Option<TextPiece>, after: &str| {
            let what = before.into_iter().chain(what.clone());
            what.chain([TextPiece::New(after.to_string())]).collect()
        };
        let leads = self.leads_its_line(statement.start);
        match side {
            GapSide::Before if leads => {
                let place = self.line_start(statement.start);
                changes.insert(place, InsertionRank::start(statement.depth, 1), with(Some(line), self.line_end(place)));
            }
            GapSide::Before => {
                changes.insert(statement.start, InsertionRank::start(statement.depth, 1), with(None, " "))
            }
            GapSide::After => {
                let end = self.scan.tokens[statement.last].bytes.end;
                match self.next_line(end).filter(|_| leads || !bare) {
                    Some(next) => changes.insert(
                        next,
                        InsertionRank::end(statement.depth, 0),
                        with(Some(line), self.line_end(end)),
                    ),
                    None => changes.insert(
                        end,
                        InsertionRank::end(statement.depth, 0),
                        with(Some(TextPiece::New(" ".into())), ""),
                    ),
                }
            }
        }
        Ok(())
    }

    /// Braces around the only statement of a body.
    pub(super) fn add_braces(&self, id: usize, changes: &mut SourceChanges) {
        let statement = self.statement(id);
        let depth = statement.depth;
        let new = |text: String| vec![TextPiece::New(text)];
        let open = self.scan.tokens[statement.first - 1].bytes.end;
        changes.insert(open, InsertionRank::start(depth, 0), new(" {".into()));

        let owner = self.tree.lists[statement.list].owner.map_or(statement.first, |owner| self.statement(owner).first);
        let end = self.scan.tokens[statement.last].bytes.end;
        let own_line = self.leads_its_line(statement.start);
        let follower = statement.last + 1;
        let goes_on = own_line
            && ["else", "while"].contains(&self.token(follower))
            && self.tree.lists[statement.list].owner.is_some_and(|owner| follower < self.statement(owner).last)
            && self.leads_its_line(self.byte(follower))
            && self.next_line(end) == Some(self.line_start(self.byte(follower)));
        if goes_on {
            changes.insert(self.byte(follower), InsertionRank::end(depth, 1), new("} ".into()));
        } else if let Some(next) = self.next_line(end).filter(|_| own_line) {
            let text = format!("{}}}{}", self.indentation(owner), self.line_end(end));
            changes.insert(next, InsertionRank::end(depth, 1), new(text));
        } else {
            changes.insert(end, InsertionRank::end(depth, 1), new(" }".into()));
        }
    }

    pub(super) fn remove_barrier(&self, at: &SourceLocation, changes: &mut SourceChanges) -> Result<(), Unfit> {
        let here = self.statements_at(at).into_iter().filter(|id| self.is_barrier(*id));
        let id = self.only(here.collect(), at)?;
        let statement = self.statement(id);
        let list = &self.tree.lists[statement.list];
        let owner = list.owner.map(|owner| self.statement(owner));
        // An `if` that does nothing else goes too, unless its condition does something.
        if let (None, Role::Then, Some(owner)) = (list.braces, list.role, owner)
            && owner.last == statement.last
            && !self.has_effects(owner.header.clone())
            && self.tree.lists[owner.list].braces.is_some()
        {
            changes.replace(self.with_its_line(owner.start..self.scan.tokens[owner.last].bytes.end), Vec::new());
        } else if list.braces.is_none() {
            changes.replace(self.bytes(statement.first..statement.last + 1), vec![TextPiece::New("{}".into())]);
        } else {
            changes.replace(self.with_its_line(self.bytes(statement.first..statement.last + 1)), Vec::new());
        }
        Ok(())
    }

    /// `__syncthreads();`, `__syncwarp(mask);`, `block.sync();`, `cg::sync(block);`
    pub(super) fn is_barrier(&self, id: usize) -> bool {
        let statement = self.statement(id);
        let close = statement.last.wrapping_sub(1);
        if statement.kind != StatementKind::Simple || close <= statement.first || self.token(close) != ")" {
            return false;
        }
        let open = self.scan.tokens[close].pair;
        let name = open.wrapping_sub(1);
        let whole = || self.chain_start(close) == Some(statement.first);
        open > statement.first
            && (["__syncthreads", "__syncwarp", "sync"].contains(&self.token(name)) && whole())
            && (self.token(name) != "sync" || name > statement.first)
    }

    /// The bytes, and their line if nothing else stands in it, but a comment behind them.
    pub(super) fn with_its_line(&self, bytes: Range<usize>) -> Range<usize> {
        match self.next_line(bytes.end) {
            Some(next) if self.leads_its_line(bytes.start) => self.line_start(bytes.start)..next,
            _ => {
                let (before, rest) = (&self.text[..bytes.start], &self.text[bytes.end..]);
                let blank = [' ', '\t'];
                // No blanks stay at the end of a line.
                match rest.trim_start_matches(blank).starts_with(['\n', '\r']) {
                    true => before.trim_end_matches(blank).len()..bytes.end,
                    false => bytes.start..bytes.end + (rest.len() - rest.trim_start_matches(blank).len()),
                }
            }
        }
    }

    /// The name of `cooperative_groups` in this file, with an `#include` if it has none.
    fn cooperative_groups(&self, changes: &mut SourceChanges) -> String {
        let directive = |words: &[&str]| {
            let is =
                move |line: &&Range<usize>| words.iter().all(|word| self.text[line.start..line.end].contains(word));
            self.scan.directives.iter().filter(is).map(|line| line.end).next_back()
        };
        if directive(&["include", "cooperative_groups"]).is_none() {
            let first = self.scan.tokens.first().map(|token| token.bytes.start);
            let first = first.into_iter().chain(self.scan.directives.first().map(|line| line.start)).min().unwrap_or(0);
            let place = directive(&["include"]).and_then(|end| self.next_line(end)).unwrap_or(self.line_start(first));
            let text = format!("#include <cooperative_groups.h>{}", self.line_end(place));
            changes.insert(place, InsertionRank::start(0, 0), vec![TextPiece::New(text)]);
        }
        let alias = (0..self.scan.tokens.len()).find(|at| {
            self.token(*at) == "namespace" && self.token(at + 2) == "=" && self.token(at + 3) == "cooperative_groups"
        });
        alias.map_or("cooperative_groups", |at| self.token(at + 1)).to_string()
    }

    fn line_start(&self, byte: usize) -> usize {
        self.text[..byte].rfind('\n').map_or(0, |at| at + 1)
    }

    /// The line break of the line that holds `byte`.
    pub(super) fn line_end(&self, byte: usize) -> &'static str {
        let rest = &self.text[byte..];
        let line = rest.find('\n').map_or("", |end| &rest[..end]);
        if line.ends_with('\r') { "\r\n" } else { "\n" }
    }

    pub(super) fn leads_its_line(&self, byte: usize) -> bool {
        self.text[self.line_start(byte)..byte].trim().is_empty()
    }

    pub(super) fn indentation(&self, token: usize) -> &str {
        let line = &self.text[self.line_start(self.byte(token))..];
        &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
    }

    /// Returns the start of the next line, if nothing but a comment stands from `byte` to the end of the line.
    pub(super) fn next_line(&self, byte: usize) -> Option<usize> {
        let next = byte + self.text[byte..].find('\n')? + 1;
        let clear = !self.scan.tokens.iter().any(|token| (byte..next).contains(&token.bytes.start));
        // A comment that goes on in the next line has no line break outside of it here.
        let goes_on = |comment: &Range<usize>| comment.start < next && comment.end >= next;
        (clear && !self.scan.comments.iter().any(goes_on)).then_some(next)
    }
}
