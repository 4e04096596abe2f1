//! A remedy applied to CUDA source text, as a careful programmer would type it.
//!
//! The source is read as tokens and statements, without types and without expanding macros. What that does not tell for
//! certain is refused; whether the edited source compiles is for the compiler to say.

mod access;
mod bound;
mod change;
mod collective;
mod expression;
mod guesses;
mod lines;
mod rewrite;
mod scan;
mod scope;
mod split;
mod statements;
mod suggest;
mod together;
mod update;

use crate::Unfit;
use change::SourceChanges;
use finding::{AtomicAccess, Edit, Position, SourceLocation, TextEdit, TextPosition};
use scan::Scan;
use statements::{Function, Kind, Role, Statement, Tree};
use std::cmp::Reverse;
use std::ops::Range;

/// The place in a file.
pub(crate) fn location(at: TextPosition, file: &str) -> SourceLocation {
    SourceLocation { file: file.to_string(), line: at.line, column: at.column }
}

/// Returns the changes of the file, in order from its top; no two edits touch.
pub fn text_edits(source: &str, kernel: &str, remedy: &[Edit]) -> Result<Vec<TextEdit>, Unfit> {
    Source::parse(source)?.text_edits(kernel, remedy)
}

/// The source after `edits`, which are as [`text_edits`] gives them.
pub fn apply(source: &str, edits: &[TextEdit]) -> String {
    let lines = line_starts(source);
    let mut result = String::new();
    let mut done = 0;
    for edit in edits {
        let (start, end) = (offset(source, &lines, edit.start), offset(source, &lines, edit.end));
        result += &source[done..start];
        result += &edit.text;
        done = end;
    }
    result + &source[done..]
}

/// As [`apply`], for a compiler: with `#line`, so that what is found in it has the lines of the source as it is.
pub fn apply_keeping_lines(source: &str, edits: &[TextEdit]) -> String {
    let mut marked: Vec<TextEdit> = Vec::new();
    let breaks = |text: &str| text.matches('\n').count();
    for (edit, next) in edits.iter().zip(edits.iter().skip(1).map(Some).chain([None])) {
        marked.push(edit.clone());
        let (TextPosition { line, column }, text) = (edit.end, &edit.text);
        if breaks(text) == (line - edit.start.line) as usize {
            continue;
        }
        // Before the next line that is whole.
        let is_whole = column == 1 && (text.is_empty() || text.ends_with('\n'));
        let line = if is_whole { line } else { line + 1 };
        let here = TextPosition { line, column: 1 };
        if line as usize > source.lines().count() || next.is_some_and(|next| next.start < here) {
            continue;
        }
        let mark = format!("#line {line}\n");
        match marked.last_mut().filter(|_| is_whole) {
            Some(last) => last.text += &mark,
            None => marked.push(TextEdit { start: here, end: here, text: mark }),
        }
    }
    apply(source, &marked)
}

/// A place between two statements, or at an end of a list of them, named by the statements beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The start of the statement before it.
    pub after: Option<TextPosition>,
    /// The start of the statement behind it.
    pub before: Option<TextPosition>,
}

impl Gap {
    /// All positions that mean this place: one or two.
    pub fn positions(&self, file: &str) -> Vec<Position> {
        let before = self.before.map(|at| Position::Before { at: location(at, file) });
        let after = self.after.map(|at| Position::After { at: location(at, file) });
        before.into_iter().chain(after).collect()
    }
}

/// An `if` around a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The start of the branch.
    pub at: TextPosition,
    /// The first and the last line of its header, up to the condition's closing parenthesis.
    pub header: (u32, u32),
    pub last_line: u32,
    /// The line is in what follows its `else`.
    pub in_else: bool,
    pub has_else: bool,
}

/// A line that assigns to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The objects in memory that it names beside those that it assigns to.
    pub reads: usize,
    /// A loop of its function repeats it.
    pub in_loop: bool,
}

/// A loop around a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The start of the loop.
    pub at: TextPosition,
    pub last_line: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    /// `const int*`, in one line.
    pub ty: String,
}

/// A source file, read once.
#[derive(Debug)]
pub struct Source {
    text: String,
    lines: Vec<usize>,
    scan: Scan,
    tree: Tree,
    /// The tokens at which variables are declared that threads share.
    shared: Vec<usize>,
}

impl Source {
    pub fn parse(text: &str) -> Result<Source, Unfit> {
        let scan = scan::scan(text)?;
        let tree = statements::parse(text, &scan);
        let shared = Vec::new();
        let mut source = Source { text: text.to_string(), lines: line_starts(text), scan, tree, shared };
        source.shared = source.find_shared();
        Ok(source)
    }

    /// Returns the changes of the file, in order from its top.
    pub fn text_edits(&self, kernel: &str, remedy: &[Edit]) -> Result<Vec<TextEdit>, Unfit> {
        let mut changes = SourceChanges::default();
        let mut files = remedy.iter().flat_map(Edit::locations).map(|at| &at.file);
        if let Some(first) = files.next()
            && let Some(other) = files.find(|file| *file != first)
        {
            return Err(Unfit::OtherFile { file: other.clone() });
        }
        for edit in remedy {
            self.change(kernel, edit, remedy, &mut changes)?;
        }
        let edits = changes.resolved(&self.text)?;
        Ok(edits
            .into_iter()
            .map(|(range, text)| TextEdit { start: self.at(range.start), end: self.at(range.end), text })
            .collect())
    }

    fn change(&self, kernel: &str, edit: &Edit, remedy: &[Edit], changes: &mut SourceChanges) -> Result<(), Unfit> {
        match edit {
            Edit::InsertBarrier { barrier, at } => self.insert_barrier(*barrier, at, changes),
            Edit::InsertFence { scope, at } => self.insert_fence(*scope, at, changes),
            Edit::InsertWait { at } => self.insert_wait(at, changes),
            Edit::RemoveBarrier { at } => self.remove_barrier(at, changes),
            Edit::WidenScope { at, to } => self.widen_scope(at, *to, changes),
            Edit::MakeAtomic { at, access } => self.make_atomic(at, *access, changes),
            Edit::UseReturned { at, of } => {
                let updated = |edit: &Edit| matches!(edit, Edit::MakeAtomic { at, access: AtomicAccess::Update { .. } } if at == of);
                self.use_returned(at, of, remedy.iter().any(updated), changes)
            }
            Edit::ChangeMask { at, mask } => self.change_mask(at, *mask, changes),
            Edit::ChangeCount { at, threads } => self.change_count(at, *threads, changes),
            Edit::ChangeWidth { at, width } => self.change_width(at, *width, changes),
            Edit::Hoist { at, above } => self.hoist(at, above, changes),
            Edit::BoundIndex { at, below } => self.bound_index(kernel, at, *below, changes),
            Edit::Guard { at, condition } => self.guard(at, condition, changes),
            Edit::Rewrite { at, old, new } => self.rewrite(at, old, new, changes),
            Edit::Insert { statement, at } => self.insert_statement(statement, at, changes),
            Edit::SplitUpdate { at, barrier } => self.split_update(at, *barrier, changes),
        }
    }

    /// The places where something inserted is after `first_line` and before `last_line` in the text, from the top.
    /// Unreachable code, as after a `return`, has none.
    ///
    /// For two accesses in one loop, ask twice: from the first line to the loop's last, and from the loop's first to
    /// the second line.
    pub fn boundaries(&self, first_line: u32, last_line: u32) -> Vec<Gap> {
        let mut gaps = Vec::new();
        for list in &self.tree.lists {
            let ids = &list.statements;
            for place in 0..=ids.len() {
                let before = place.checked_sub(1).map(|before| ids[before]);
                let next = ids.get(place).copied();
                // The tokens on both sides; a body without braces has one statement.
                let edge = match (before, list.braces) {
                    (Some(id), _) => self.statement(id).last,
                    (None, Some((open, _))) => open,
                    (None, None) => self.statement(ids[0]).first - 1,
                };
                let other = match (next, list.braces) {
                    (Some(id), _) => self.statement(id).first,
                    (None, Some((_, close))) => close,
                    (None, None) => edge + 1,
                };
                let between = first_line <= self.line(edge) && self.line(other) <= last_line;
                if !between || before.is_some_and(|id| self.statement(id).kind == Kind::Jump) {
                    continue;
                }
                let start = |id: usize| self.at(self.byte(self.statement(id).first));
                let after = before.filter(|id| self.named_by_line(*id, Side::After)).map(start);
                let before = next.filter(|id| self.named_by_line(*id, Side::Before)).map(start);
                if after.is_some() || before.is_some() {
                    // At ends in one place, the inner one comes first.
                    let depth = ids.first().map_or(0, |id| self.statement(*id).depth);
                    gaps.push(((other, Reverse(depth)), Gap { after, before }));
                }
            }
        }
        gaps.sort_by_key(|(place, _)| *place);
        gaps.into_iter().map(|(_, gap)| gap).collect()
    }

    /// The names and bytes of a kernel and of what it calls in this file.
    pub(crate) fn functions(&self, kernel: &str) -> Vec<(&str, Range<usize>)> {
        let bytes = |it: &Function| self.bytes(it.head.start..it.body.1 + 1);
        self.reached(kernel).into_iter().map(|function| (function.name.as_str(), bytes(function))).collect()
    }

    /// Returns true if `what` stands anywhere in the text.
    pub fn mentions(&self, what: &str) -> bool {
        self.text.contains(what)
    }

    /// Returns the parameters of `kernel`; `None` if it is not here exactly once.
    pub fn parameters(&self, kernel: &str) -> Option<Vec<Parameter>> {
        Some(self.parameters_of(self.kernel(kernel)?))
    }

    fn parameters_of(&self, function: &Function) -> Vec<Parameter> {
        let mut parts: Vec<Range<usize>> = Vec::new();
        for part in self.split(function.parameters.clone(), ",") {
            // `pair<int, int> x` is one; `>>` closes two.
            let angles = |part: &Range<usize>, sign: char| -> usize {
                part.clone().map(|at| self.token(at)).filter(|text| text.starts_with(sign)).map(str::len).sum()
            };
            match parts.last_mut() {
                Some(last) if angles(last, '<') > angles(last, '>') => last.end = part.end,
                _ => parts.push(part),
            }
        }
        let parameters = parts.into_iter().map(|mut part| {
            if let Some(default) = self.outside_brackets(part.clone()).find(|at| self.token(*at) == "=") {
                part.end = default;
            }
            // `int v[4]`: the name stands before the bracket.
            let name = self.outside_brackets(part.clone()).rfind(|at| self.is_word(*at));
            let ty: Vec<&str> = part.clone().filter(|at| Some(*at) != name).map(|at| self.token(at)).collect();
            let ty = ty
                .join(" ")
                .replace(" *", "*")
                .replace(" &", "&")
                .replace(" :: ", "::")
                .replace("< ", "<")
                .replace(" <", "<")
                .replace(" >", ">");
            Parameter { name: name.map(|at| self.token(at).to_string()).unwrap_or_default(), ty }
        });
        parameters.collect()
    }

    /// The `if`s whose then or else holds what the line does, the innermost first.
    pub fn branches(&self, line: u32) -> Vec<Branch> {
        let mut branches = Vec::new();
        for (id, role) in self.around(line) {
            let statement = self.statement(id);
            if statement.kind == Kind::If && matches!(role, Some(Role::Then | Role::Else)) {
                branches.push(Branch {
                    at: self.at(self.byte(statement.first)),
                    header: (self.line(statement.first), self.line(statement.header.end)),
                    last_line: self.line(statement.last),
                    in_else: role == Some(Role::Else),
                    has_else: self.body(id, Role::Else).is_some(),
                });
            }
        }
        branches
    }

    /// Returns the starts of the `switch`es that hold what the line does, the innermost first.
    pub fn switches(&self, line: u32) -> Vec<TextPosition> {
        let around = self.around(line).into_iter().map(|(id, _)| self.statement(id));
        let switches = around.filter(|statement| statement.kind == Kind::Switch);
        switches.map(|statement| self.at(self.byte(statement.first))).collect()
    }

    /// The loops that repeat what the line does, the innermost first.
    pub fn loops(&self, line: u32) -> Vec<Loop> {
        let around = self.around(line).into_iter().map(|(id, _)| self.statement(id));
        let loops = around.filter(|statement| matches!(statement.kind, Kind::For | Kind::While | Kind::Do));
        loops
            .map(|statement| Loop { at: self.at(self.byte(statement.first)), last_line: self.line(statement.last) })
            .collect()
    }

    /// The last statement in the line and those around it, each with the list of it that holds the one before.
    fn around(&self, line: u32) -> Vec<(usize, Option<Role>)> {
        let mut around = Vec::new();
        let mut next = self.innermost(line).map(|id| (id, None));
        while let Some((id, role)) = next {
            around.push((id, role));
            let list = &self.tree.lists[self.statement(id).list];
            next = list.owner.filter(|_| list.role != Role::Lambda).map(|owner| (owner, Some(list.role)));
        }
        around
    }

    /// The last statement that has a token of its own in the line.
    fn innermost(&self, line: u32) -> Option<usize> {
        (0..self.tree.statements.len()).rev().find(|id| self.own_tokens(*id).any(|token| self.line(token) == line))
    }

    /// A statement's tokens without its bodies'.
    fn own_tokens(&self, id: usize) -> impl Iterator<Item = usize> {
        let lists = self.lambdas(id).map(|list| list.0..list.1 + 1);
        let lambdas: Vec<Range<usize>> = lists.collect();
        self.extent(id).filter(move |at| !lambdas.iter().any(|lambda| lambda.contains(at)))
    }

    /// The braces of the lambdas in a statement.
    fn lambdas(&self, id: usize) -> impl Iterator<Item = (usize, usize)> {
        let own = self.tree.lists.iter().filter(move |list| list.owner == Some(id) && list.role == Role::Lambda);
        own.filter_map(|list| list.braces)
    }

    /// A simple statement's tokens, or those before and behind another one's bodies.
    fn extent(&self, id: usize) -> Range<usize> {
        let statement = self.statement(id);
        match statement.kind {
            Kind::Simple | Kind::Jump | Kind::Label => statement.first..statement.last + 1,
            Kind::Do => statement.header.start..statement.header.end + 1,
            Kind::Block => statement.first..statement.first,
            Kind::If | Kind::For | Kind::While | Kind::Switch => statement.first..statement.header.end + 1,
        }
    }

    /// The statement that a position in this line means.
    fn named(&self, line: u32, side: Side) -> Option<usize> {
        let begins = |id: &usize| {
            let statement = self.statement(*id);
            statement.kind != Kind::Label && self.line(statement.first) == line
        };
        let ids = 0..self.tree.statements.len();
        let outermost: Vec<usize> =
            ids.clone().filter(|id| begins(id) && !self.parents(*id).any(|parent| begins(&parent))).collect();
        // In `a(); } b();` it is not clear which is meant.
        if outermost.iter().any(|id| self.statement(*id).list != self.statement(outermost[0]).list) {
            return None;
        }
        let named = match side {
            Side::Before => outermost.first(),
            Side::After => outermost.last(),
        };
        named.copied().or_else(|| {
            let first = self.scan.tokens.iter().position(|token| token.line == line)?;
            // Outer statements come before the inner ones.
            ids.rev().find(|id| {
                let statement = self.statement(*id);
                statement.kind != Kind::Label && (statement.first..=statement.last).contains(&first)
            })
        })
    }

    fn named_by_line(&self, id: usize, side: Side) -> bool {
        let statement = self.statement(id);
        self.named(self.line(statement.first), side) == Some(id) && !self.is_else_if(id)
    }

    fn is_else_if(&self, id: usize) -> bool {
        let list = &self.tree.lists[self.statement(id).list];
        list.role == Role::Else && list.braces.is_none() && self.statement(id).kind == Kind::If
    }

    fn parents(&self, id: usize) -> impl Iterator<Item = usize> {
        let parent = |id: usize| self.tree.lists[self.statement(id).list].owner;
        std::iter::successors(parent(id), move |id| parent(*id))
    }

    /// The list of statements of `owner` in this role.
    fn body(&self, owner: usize, role: Role) -> Option<usize> {
        self.tree.lists.iter().position(|list| list.owner == Some(owner) && list.role == role)
    }

    fn statement(&self, id: usize) -> &Statement {
        &self.tree.statements[id]
    }

    fn kernel(&self, kernel: &str) -> Option<&Function> {
        let plain = finding::plain_name(kernel);
        let named = |function: &&Function| function.name == kernel || function.name == plain;
        let mut kernels =
            self.tree.functions.iter().filter(named).filter(|function| self.has_word(&function.head, "__global__"));
        let kernel = kernels.next()?;
        kernels.next().is_none().then_some(kernel)
    }

    fn at(&self, byte: usize) -> TextPosition {
        let line = self.lines.partition_point(|start| *start <= byte);
        let column = self.text[self.lines[line - 1]..byte].chars().count() + 1;
        TextPosition { line: line as u32, column: column as u32 }
    }

    fn line(&self, token: usize) -> u32 {
        self.scan.tokens[token].line
    }

    fn byte(&self, token: usize) -> usize {
        self.scan.tokens[token].bytes.start
    }

    /// The bytes of the tokens in `range`, and of what stands between them.
    fn bytes(&self, range: Range<usize>) -> Range<usize> {
        self.byte(range.start)..self.scan.tokens[range.end - 1].bytes.end
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

pub(crate) fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

/// Returns the offset of `at` in the text, or the end of it.
pub(crate) fn offset(text: &str, lines: &[usize], at: TextPosition) -> usize {
    let Some(start) = lines.get(at.line as usize - 1) else { return text.len() };
    text[*start..].char_indices().nth(at.column as usize - 1).map_or(text.len(), |(column, _)| start + column)
}
