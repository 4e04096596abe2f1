//! Plain accesses that become atomic operations, and reads that use what one returned.

use super::Source;
use super::change::{Changes, Piece, Rank};
use super::statements::{Kind, Role};
use crate::Unfit;
use finding::{AtomicAccess, AtomicOperation, SourceLocation};
use std::ops::Range;

/// What replaces some tokens.
type Rewrite = (Range<usize>, Vec<Piece>);

impl Source {
    pub(super) fn make_atomic(
        &self,
        at: &SourceLocation,
        access: AtomicAccess,
        changes: &mut Changes,
    ) -> Result<(), Unfit> {
        // What reads and writes at once is neither a load nor a store that could be changed alone.
        let updated = |object: &Range<usize>| (object.clone(), None);
        let things = match access {
            AtomicAccess::Load => {
                let zero = || vec![Piece::New("0".into())];
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
                updates.map(|(range, pieces)| (range.clone(), Some((range, pieces)))).collect()
            }
        };
        let (range, pieces) = self.pick(things, at)?.ok_or(Unfit::OtherThing { line: at.line })?;
        changes.replace(self.bytes(range), pieces);
        Ok(())
    }

    /// The atomic operation's result gets a name, which is used instead of reading the same object again.
    pub(super) fn use_returned(
        &self,
        at: &SourceLocation,
        of: &SourceLocation,
        changes: &mut Changes,
    ) -> Result<(), Unfit> {
        let unused = |id: &usize| {
            let statement = self.statement(*id);
            let call = self.calls(statement.first..statement.first + 1, |name| name.starts_with("atomic")).pop();
            call.filter(|call| statement.kind == Kind::Simple && call.close + 1 == statement.last)
        };
        let atomics = self.statements_at(of).into_iter().filter(|id| unused(id).is_some());
        let id = self.only(atomics.collect(), of)?;
        let address =
            unused(&id).and_then(|call| call.arguments.first().cloned()).ok_or(Unfit::OtherThing { line: of.line })?;
        let address = self.bare(address);

        // Its name must be known where it is used.
        let list = self.statement(id).list;
        let user_list = |user: usize| {
            std::iter::once(user)
                .chain(self.parents(user))
                .any(|outer| self.statement(outer).list == list && outer > id)
        };
        let reads = self
            .reads(at)
            .into_iter()
            .filter(|read| self.points_to(&address, read))
            .map(|read| (read.clone(), read))
            .collect();
        let read = self.pick(reads, at)?;
        let reader = self.statements_at(at).into_iter().find(|user| self.own_tokens(*user).contains(&read.start));
        if self.tree.lists[list].braces.is_none() || !reader.is_some_and(user_list) {
            return Err(Unfit::OtherThing { line: at.line });
        }
        let name = self.new_name("before", &mut changes.names);
        let statement = self.statement(id);
        changes.insert(
            self.byte(statement.first),
            Rank::start(statement.depth, 2),
            vec![Piece::New(format!("const auto {name} = "))],
        );
        changes.replace(self.bytes(read), vec![Piece::New(name)]);
        Ok(())
    }

    /// Whether an address, such as `&x[i]`, `x + i` or `p`, is the object's.
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
    fn objects(&self, at: &SourceLocation) -> Vec<Range<usize>> {
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

    /// Whether an operand ends at this token, so that a sign behind it is binary.
    fn is_operand(&self, at: usize, expression: &Range<usize>) -> bool {
        expression.contains(&at)
            && ((self.is_word(at) && self.token(at) != "return")
                || [")", "]"].contains(&self.token(at))
                || self.token(at).starts_with(|c: char| c.is_ascii_digit()))
    }

    /// Whether this names an object that other threads may have too.
    fn in_memory(&self, object: &Range<usize>) -> bool {
        let bare = self.bare(object.clone());
        self.token(bare.start) == "*"
            || self.outside_brackets(object.clone()).any(|at| ["[", "->"].contains(&self.token(at)))
            || (self.shared_variables().contains(&self.token(bare.start)))
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
            let mut around = self.expressions_at(at).into_iter().filter(|(id, _)| self.is_declaration(*id));
            around.any(|(_, expression)| self.declarator(&expression).contains(&read.start))
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
            let pieces = self.call("atomicExch", &object, vec![Piece::Kept(self.bytes(value))]);
            Some((all, pieces))
        });
        assignments.collect()
    }

    /// A whole statement that assigns to an object in memory: the object, the sign and the value.
    fn assignment(&self, id: usize, all: &Range<usize>) -> Option<(Range<usize>, usize, Range<usize>)> {
        let mut signs = self.outside_brackets(all.clone()).filter(|at| self.is_assignment(*at));
        let sign = signs.next()?;
        let object = all.start..sign;
        let value = sign + 1..all.end;
        let simple = self.statement(id).kind == Kind::Simple || self.statement(id).kind == Kind::For;
        let comma = self.outside_brackets(all.clone()).any(|at| self.token(at) == ",");
        let fits = simple && !comma && signs.next().is_none() && !value.is_empty() && !self.is_declaration(id);
        (fits && self.is_object(&object)).then_some((object, sign, value))
    }

    /// Whether these tokens are nothing but an object in memory.
    fn is_object(&self, range: &Range<usize>) -> bool {
        let operand = if self.token(range.start) == "*" { range.start + 1 } else { range.start };
        self.chain_end(operand, range.end) == Some(range.end)
            && self.in_memory(range)
            && self.token(range.end - 1) != ")"
            || self.chain_end(operand, range.end) == Some(range.end)
                && self.token(self.bare(range.clone()).start) == "*"
    }

    fn updates(&self, at: &SourceLocation, wanted: Option<AtomicOperation>) -> Vec<Rewrite> {
        let mut found = Vec::new();
        for (id, all) in self.expressions_at(at) {
            let parent = self.tree.lists[self.statement(id).list].owner;
            let maximum = [Some(id), parent].into_iter().flatten().find_map(|branch| self.guarded_store(branch));
            let update = maximum.or_else(|| self.compound(id, &all)).or_else(|| self.combination(id, &all));
            match update {
                Some(update) => found.push(update),
                None => found.extend(self.counts(id, &all)),
            }
        }
        found.dedup();
        let fits = |operation: &str| match wanted {
            None => true,
            Some(AtomicOperation::Add) => ["atomicAdd", "atomicSub"].contains(&operation),
            Some(wanted) => wanted.cuda_name() == operation,
        };
        found
            .into_iter()
            .filter(|(_, operation, _)| fits(operation))
            .map(|(range, _, pieces)| (range, pieces))
            .collect()
    }

    /// `x += v;`
    fn compound(&self, id: usize, all: &Range<usize>) -> Option<Update> {
        let (object, sign, value) = self.assignment(id, all)?;
        let operation = operation_of(self.token(sign).strip_suffix('=')?)?;
        let value = vec![Piece::Kept(self.bytes(value))];
        Some((all.clone(), operation, self.call(operation, &object, value)))
    }

    /// `x = x + v;`, `x = v + x;`, `x = max(x, v);`
    fn combination(&self, id: usize, all: &Range<usize>) -> Option<Update> {
        let (object, sign, value) = self.assignment(id, all)?;
        if self.token(sign) != "=" {
            return None;
        }
        let value = self.bare(value);
        let (operation, other) =
            if let Some(call) = self.calls(value.start..value.start + 1, |name| ["min", "max"].contains(&name)).pop() {
                let [one, two] = &call.arguments[..] else { return None };
                let other = if self.same(one, &object) { two } else { one };
                let fits = call.close + 1 == value.end && (self.same(one, &object) || self.same(two, &object));
                let operation = if self.token(call.name) == "min" { "atomicMin" } else { "atomicMax" };
                fits.then(|| (operation, other.clone()))?
            } else if value.start + object.len() < value.end
                && self.same(&(value.start..value.start + object.len()), &object)
            {
                let sign = value.start + object.len();
                let other = sign + 1..value.end;
                self.binds(&other, self.token(sign), self.token(sign) != "-").then_some(())?;
                (operation_of(self.token(sign))?, other)
            } else {
                let start = value.end.checked_sub(object.len() + 1).filter(|start| *start > value.start)?;
                let other = value.start..start;
                let fits = self.same(&(start + 1..value.end), &object)
                    && self.token(start) != "-"
                    && self.binds(&other, self.token(start), true);
                fits.then_some((operation_of(self.token(start))?, other))?
            };
        let again = (other.start..other.end)
            .any(|at| at + object.len() <= other.end && self.same(&(at..at + object.len()), &object));
        if again || other.is_empty() {
            return None;
        }
        Some((all.clone(), operation, self.call(operation, &object, vec![Piece::Kept(self.bytes(other))])))
    }

    /// Whether an operand of `sign` is one without parentheses: all signs in it bind tighter, or as tight where that is `too`.
    fn binds(&self, operand: &Range<usize>, sign: &str, too: bool) -> bool {
        let Some(least) = tightness(sign) else { return false };
        let signs = self.outside_brackets(operand.clone()).filter(|at| self.is_operand(at.wrapping_sub(1), operand));
        let mut signs =
            signs.filter(|at| !self.is_word(*at) && ![".", "->", "::", "(", "["].contains(&self.token(*at)));
        signs.all(|at| tightness(self.token(at)).is_some_and(|other| other > least || (too && other == least)))
    }

    /// `x++`, `--x`, anywhere in an expression.
    fn counts(&self, id: usize, all: &Range<usize>) -> Vec<Update> {
        let mut found = Vec::new();
        for sign in all.clone().filter(|at| ["++", "--"].contains(&self.token(*at))) {
            let operation = if self.token(sign) == "++" { "atomicAdd" } else { "atomicSub" };
            let postfix = sign > all.start && self.is_operand(sign - 1, all);
            let object = if postfix {
                self.chain_start(sign - 1).map(|start| start..sign)
            } else {
                let operand = if self.token(sign + 1) == "*" { sign + 2 } else { sign + 1 };
                self.chain_end(operand, all.end).map(|end| sign + 1..end)
            };
            let Some(object) = object.filter(|object| object.start >= all.start && self.is_object(object)) else {
                continue;
            };
            let range = object.start.min(sign)..object.end.max(sign + 1);
            let mut pieces = self.call(operation, &object, vec![Piece::New("1".into())]);
            // `++x` is the new value.
            let alone = range == *all && self.statement(id).kind == Kind::Simple;
            if !postfix && !alone {
                pieces.insert(0, Piece::New("(".into()));
                pieces.push(Piece::New(if operation == "atomicAdd" { " + 1)" } else { " - 1)" }.into()));
            }
            found.push((range, operation, pieces));
        }
        found
    }

    /// `if (v > x) x = v;`: the whole of it is one operation.
    fn guarded_store(&self, id: usize) -> Option<Update> {
        let branch = self.statement(id);
        let then =
            self.body(id, Role::Then).filter(|_| branch.kind == Kind::If && self.body(id, Role::Else).is_none())?;
        let [store] = self.tree.lists[then].statements[..] else { return None };
        let statement = self.statement(store);
        let (object, sign, value) = self.assignment(store, &(statement.first..statement.last))?;
        let compare = self
            .outside_brackets(branch.header.clone())
            .find(|at| ["<", ">", "<=", ">="].contains(&self.token(*at)))?;
        let (left, right) = (branch.header.start..compare, compare + 1..branch.header.end);
        let greater = self.token(compare).starts_with('>');
        let maximum = if self.same(&left, &value) && self.same(&right, &object) {
            greater
        } else if self.same(&left, &object) && self.same(&right, &value) {
            !greater
        } else {
            return None;
        };
        if self.token(sign) != "=" || self.has_effects(value.clone()) {
            return None;
        }
        let operation = if maximum { "atomicMax" } else { "atomicMin" };
        let mut pieces = self.call(operation, &object, vec![Piece::Kept(self.bytes(value))]);
        pieces.push(Piece::New(";".into()));
        Some((branch.first..branch.last + 1, operation, pieces))
    }

    /// `function(&object, ...)`
    fn call(&self, function: &str, object: &Range<usize>, arguments: Vec<Piece>) -> Vec<Piece> {
        let object = self.bare(object.clone());
        let mut pieces = if self.token(object.start) == "*" {
            let pointer = self.bare(object.start + 1..object.end);
            vec![Piece::New(format!("{function}(")), Piece::Kept(self.bytes(pointer))]
        } else {
            vec![Piece::New(format!("{function}(&")), Piece::Kept(self.bytes(object))]
        };
        pieces.push(Piece::New(", ".into()));
        pieces.extend(arguments);
        pieces.push(Piece::New(")".into()));
        pieces
    }
}

type Update = (Range<usize>, &'static str, Vec<Piece>);

fn operation_of(sign: &str) -> Option<&'static str> {
    Some(match sign {
        "+" => "atomicAdd",
        "-" => "atomicSub",
        "|" => "atomicOr",
        "&" => "atomicAnd",
        "^" => "atomicXor",
        _ => return None,
    })
}

/// Of a binary operator; the higher the tighter. None for those that never are part of an operand here.
fn tightness(sign: &str) -> Option<u8> {
    Some(match sign {
        "*" | "/" | "%" => 10,
        "+" | "-" => 9,
        "<<" | ">>" => 8,
        "&" => 4,
        "^" => 3,
        "|" => 2,
        _ => return None,
    })
}
