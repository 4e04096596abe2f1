//! Plain accesses that become atomic operations, and reads that use what one returned.

use super::SourceFile;
use super::change::{InsertionRank, SourceChanges, TextPiece};
use super::statements::StatementKind;
use super::update::Update;
use crate::Unfit;
use finding::{AtomicAccess, SourceLocation};
use std::ops::Range;

/// A replacement of some tokens.
type Rewrite = (Range<usize>, Vec<TextPiece>);

impl SourceFile {
    pub(super) fn make_atomic(
        &self,
        at: &SourceLocation,
        access: AtomicAccess,
        changes: &mut SourceChanges,
    ) -> Result<(), Unfit> {
        // An expression that reads and writes at once is neither a load nor a store that could be changed alone.
        let updated = |object: &Range<usize>| (object.clone(), None);
        let things = match access {
            AtomicAccess::Load => {
                let zero = || vec![TextPiece::New("0".into())];
                let loads = self.loads(at).into_iter().map(|object| match self.is_updated(&object) {
                    true => updated(&object),
                    false => (object.clone(), Some((object.clone(), self.call("atomicAdd", &object, zero())))),
                });
                loads.collect()
            }
            AtomicAccess::Store => {
                let stores = self.stores(at).into_iter().map(|(range, pieces)| (range.clone(), Some((range, pieces))));
                let objects = self.objects(at).into_iter().filter(|object| self.is_updated(object));
                stores.chain(objects.map(|object| updated(&object))).collect()
            }
            AtomicAccess::Update { operation } => {
                let updates = self.updates(at, operation).into_iter();
                updates.map(|update| (update.range.clone(), Some((update.range, update.pieces)))).collect()
            }
        };
        let (range, pieces) = self.pick(things, at)?.ok_or(Unfit::OtherThing { line: at.line })?;
        changes.replace(self.bytes(range), pieces);
        Ok(())
    }

    /// The atomic operation's result gets a name, which is used instead of reading the same object again. Another edit
    /// may have `made` it atomic.
    pub(super) fn use_returned(
        &self,
        at: &SourceLocation,
        of: &SourceLocation,
        made: bool,
        changes: &mut SourceChanges,
    ) -> Result<(), Unfit> {
        // The operand of the operation: an address, or an object if the operation is still to be made.
        let unused = |id: usize| {
            let statement = self.statement(id);
            if made {
                let whole = |update: &Update| update.range == (statement.first..statement.last);
                return self.updates(of, None).into_iter().find(whole).map(|update| (update.object, false));
            }
            let call = self.calls(statement.first..statement.first + 1, |name| name.starts_with("atomic")).pop()?;
            let alone = statement.kind == StatementKind::Simple && call.close + 1 == statement.last;
            call.arguments.first().filter(|_| alone).map(|address| (self.bare(address.clone()), true))
        };
        let id = self.only(self.statements_at(of).into_iter().filter(|id| unused(*id).is_some()).collect(), of)?;
        let (target, is_address) = unused(id).ok_or(Unfit::OtherThing { line: of.line })?;
        let is_target = |object: &Range<usize>| match is_address {
            true => self.points_to(&target, object),
            false => self.same(&self.bare(target.clone()), &self.bare(object.clone())),
        };

        // Its name must be known where it is used.
        let list = self.statement(id).list;
        let user_list = |user: usize| {
            std::iter::once(user)
                .chain(self.parents(user))
                .any(|outer| self.statement(outer).list == list && outer > id)
        };
        let reads =
            self.reads(at).into_iter().filter(|read| is_target(read)).map(|read| (read.clone(), read)).collect();
        let read = self.pick(reads, at)?;
        let reader = self.statements_at(at).into_iter().find(|user| self.own_tokens(*user).any(|at| at == read.start));
        if self.tree.lists[list].braces.is_none() || !reader.is_some_and(user_list) {
            return Err(Unfit::OtherThing { line: at.line });
        }
        let name = self.new_name("before", read.start, &mut changes.names);
        let statement = self.statement(id);
        changes.insert(
            self.byte(statement.first),
            InsertionRank::start(statement.depth, 2),
            vec![TextPiece::New(format!("const auto {name} = "))],
        );
        changes.replace(self.bytes(read), vec![TextPiece::New(name)]);
        Ok(())
    }

    /// Returns true if an address, such as `&x[i]`, `x + i` or `p`, is the object's.
    fn points_to(&self, address: &Range<usize>, object: &Range<usize>) -> bool {
        let object = self.bare(object.clone());
        if self.token(address.start) == "&" {
            return self.same(&self.bare(address.start + 1..address.end), &object);
        }
        if self.token(object.start) == "*" {
            return self.same(&self.bare(object.start + 1..object.end), address);
        }
        // `x + i` and `x[i]`
        let open = (object.start..object.end).find(|at| self.token(*at) == "[");
        open.is_some_and(|open| {
            let index = open + 1..self.pair(open);
            let sum = self.outside_brackets(address.clone()).find(|at| self.token(*at) == "+");
            let zero = self.same(&(object.start..open), address) && index.len() == 1 && self.token(index.start) == "0";
            let summed = sum.is_some_and(|sum| {
                self.same(&(object.start..open), &(address.start..sum)) && self.same(&index, &(sum + 1..address.end))
            });
            self.pair(open) + 1 == object.end && (zero || summed)
        })
    }

    /// Objects in memory that the expressions at this place name, except behind `&`.
    pub(super) fn objects(&self, at: &SourceLocation) -> Vec<Range<usize>> {
        let mut objects = Vec::new();
        for (_, all) in self.expressions_at(at) {
            objects.extend(all.clone().filter_map(|start| self.object(start, &all)));
        }
        objects
    }

    /// The object in memory whose name starts with this token.
    fn object(&self, start: usize, all: &Range<usize>) -> Option<Range<usize>> {
        let before = if start > all.start { self.token(start - 1) } else { "" };
        let unary_before = |sign: &str| before == sign && (start < 2 || !self.is_operand(start - 2, all));
        let operand_before = start > all.start && self.is_operand(start - 1, all);
        let unary = self.token(start) == "*" && !operand_before;
        if [".", "->", "::"].contains(&before) || unary_before("&") || (unary && unary_before("*")) {
            return None;
        }
        // The parentheses of a call or of a cast.
        if self.token(start) == "(" && (operand_before || before == ">" || self.is_word(self.pair(start) + 1)) {
            return None;
        }
        let operand = if unary { start + 1 } else { start };
        let end = self.chain_end(operand, all.end)?;
        let called = self.token(end - 1) == ")" && !unary;
        let pointer = unary_before("*") && end == operand + 1;
        ((unary || self.in_memory(&(start..end))) && !called && !pointer).then_some(start..end)
    }

    /// Returns true if an operand ends at this token, so that a sign after it is binary.
    pub(super) fn is_operand(&self, at: usize, expression: &Range<usize>) -> bool {
        expression.contains(&at)
            && ((self.is_word(at) && self.token(at) != "return")
                || [")", "]"].contains(&self.token(at))
                || self.token(at).starts_with(|c: char| c.is_ascii_digit()))
    }

    /// Returns true if this names an object that other threads may have too.
    fn in_memory(&self, object: &Range<usize>) -> bool {
        let bare = self.bare(object.clone());
        self.token(bare.start) == "*"
            || self.outside_brackets(object.clone()).any(|at| ["[", "->"].contains(&self.token(at)))
            || self
                .shared
                .iter()
                .any(|shared| self.token(*shared) == self.token(bare.start) && self.is_visible(*shared, bare.start))
    }

    /// The objects that are only read.
    fn reads(&self, at: &SourceLocation) -> Vec<Range<usize>> {
        let only_read = |object: &Range<usize>| !self.is_assigned(object) && !self.is_updated(object);
        self.objects(at).into_iter().filter(only_read).collect()
    }

    /// `x = v`, or the name in a declaration.
    fn is_assigned(&self, object: &Range<usize>) -> bool {
        self.token(object.end) == "="
    }

    /// `x += v`, `x++`, `(*p)++`: read and written.
    fn is_updated(&self, object: &Range<usize>) -> bool {
        let counts = |at: usize| ["++", "--"].contains(&self.token(at));
        let changes = |at: usize| counts(at) || (self.is_assignment(at) && self.token(at) != "=");
        let before = object.start.wrapping_sub(1);
        let grouped = self.token(object.end) == ")" && self.pair(object.end) == before;
        changes(object.end)
            || counts(before)
            || (grouped && (changes(object.end + 1) || counts(before.wrapping_sub(1))))
    }

    fn loads(&self, at: &SourceLocation) -> Vec<Range<usize>> {
        // `int v[4]` is no access.
        let declared = |read: &Range<usize>| {
            let around = self.expressions_at(at).into_iter().filter(|(id, _)| self.is_declaration(*id));
            let mut parts = around.flat_map(|(_, expression)| self.split(expression, ","));
            parts.any(|part| self.declarator(&part).contains(&read.start))
        };
        self.objects(at).into_iter().filter(|object| !self.is_assigned(object) && !declared(object)).collect()
    }

    /// `x = v;`
    fn stores(&self, at: &SourceLocation) -> Vec<Rewrite> {
        let assignments = self.expressions_at(at).into_iter().filter_map(|(id, all)| {
            let (object, sign, value) = self.assignment(id, &all)?;
            if self.token(sign) != "=" {
                return None;
            }
            let pieces = self.call("atomicExch", &object, vec![TextPiece::Kept(self.bytes(value))]);
            Some((all, pieces))
        });
        assignments.collect()
    }

    /// A whole statement that assigns to an object in memory: the object, the sign and the value.
    pub(super) fn assignment(&self, id: usize, all: &Range<usize>) -> Option<(Range<usize>, usize, Range<usize>)> {
        let mut signs = self.outside_brackets(all.clone()).filter(|at| self.is_assignment(*at));
        let sign = signs.next()?;
        let object = all.start..sign;
        let value = sign + 1..all.end;
        let simple = self.statement(id).kind == StatementKind::Simple || self.statement(id).kind == StatementKind::For;
        let comma = self.outside_brackets(all.clone()).any(|at| self.token(at) == ",");
        let fits = simple && !comma && signs.next().is_none() && !value.is_empty() && !self.is_declaration(id);
        (fits && self.is_object(&object)).then_some((object, sign, value))
    }

    /// Returns true if these tokens are nothing but an object in memory.
    pub(super) fn is_object(&self, range: &Range<usize>) -> bool {
        let operand = if self.token(range.start) == "*" { range.start + 1 } else { range.start };
        self.chain_end(operand, range.end) == Some(range.end)
            && self.in_memory(range)
            && self.token(range.end - 1) != ")"
            || self.chain_end(operand, range.end) == Some(range.end)
                && self.token(self.bare(range.clone()).start) == "*"
    }

    /// `function(&object, ...)`
    pub(super) fn call(&self, function: &str, object: &Range<usize>, arguments: Vec<TextPiece>) -> Vec<TextPiece> {
        let object = self.bare(object.clone());
        let (address, named) = if self.token(object.start) == "*" {
            ("", self.bare(object.start + 1..object.end))
        } else {
            ("&", object.clone())
        };
        // CUDA's atomic functions take no `volatile` pointers.
        let (cast, close) = match self.plain_pointer(&object) {
            Some(ty) => (format!("const_cast<{ty}>("), ")"),
            None => (String::new(), ""),
        };
        let start = TextPiece::New(format!("{function}({cast}{address}"));
        let mut pieces = vec![start, TextPiece::Kept(self.bytes(named)), TextPiece::New(format!("{close}, "))];
        pieces.extend(arguments);
        pieces.push(TextPiece::New(")".into()));
        pieces
    }
}
