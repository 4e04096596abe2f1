//! A remedy applied to CUDA source text, as a careful programmer would type it.
//!
//! The source is read as tokens and statements, without types and without expanding macros. Where that leaves doubt,
//! the remedy is refused. Whether the edited source compiles is left to the compiler.

mod access;
mod apply;
mod bound;
mod change;
mod collective;
mod enclosing;
mod expression;
mod gaps;
mod guesses;
mod lines;
mod parameters;
mod rewrite;
mod scan;
mod scope;
mod split;
mod statements;
mod suggest;
mod together;
mod update;

pub use apply::{apply, apply_keeping_lines};
pub(crate) use apply::{line_starts, offset};
pub use enclosing::{Branch, Loop};
pub use gaps::Gap;
pub use parameters::Parameter;
pub use scope::StoringLine;

use crate::Unfit;
use crate::instructions::{BULK_WAIT, PRODUCT_FENCE, PRODUCT_WAIT, PROXY_FENCE};
use change::SourceChanges;
use finding::{AtomicAccess, Edit, SourceLocation, TextEdit, TextPosition};
use scan::Scan;
use statements::{Function, Statement, StatementTree};
use std::ops::Range;

/// Returns the location of a position in a file.
pub(crate) fn location(at: TextPosition, file: &str) -> SourceLocation {
    SourceLocation { file: file.to_string(), line: at.line, column: at.column }
}

/// Returns the edits of a source file that apply a remedy, in order from its top. No two of them touch.
pub fn text_edits(source: &str, kernel: &str, remedy: &[Edit]) -> Result<Vec<TextEdit>, Unfit> {
    SourceFile::parse(source)?.text_edits(kernel, remedy)
}

/// A source file, read once.
#[derive(Debug)]
pub struct SourceFile {
    text: String,
    /// The offsets at which lines begin.
    lines: Vec<usize>,
    scan: Scan,
    tree: StatementTree,
    /// The tokens that declare variables which threads share.
    shared: Vec<usize>,
}

impl SourceFile {
    pub fn parse(text: &str) -> Result<SourceFile, Unfit> {
        let scan = scan::scan(text)?;
        let tree = statements::parse(text, &scan);
        let shared = Vec::new();
        let mut source = SourceFile { text: text.to_string(), lines: line_starts(text), scan, tree, shared };
        source.shared = source.find_shared();
        Ok(source)
    }

    /// Returns the edits of the file that apply a remedy, in order from its top.
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

    /// Adds what one edit of a remedy changes.
    fn change(&self, kernel: &str, edit: &Edit, remedy: &[Edit], changes: &mut SourceChanges) -> Result<(), Unfit> {
        match edit {
            Edit::InsertBarrier { barrier, at } => self.insert_barrier(*barrier, at, changes),
            Edit::InsertFence { scope, at } => self.insert_fence(*scope, at, changes),
            Edit::InsertWait { at } => self.insert_wait(at, changes),
            Edit::InsertBulkWait { at } => self.insert_instruction(BULK_WAIT, at, changes),
            Edit::InsertProxyFence { at } => self.insert_instruction(PROXY_FENCE, at, changes),
            Edit::InsertProductWait { at } => self.insert_instruction(PRODUCT_WAIT, at, changes),
            Edit::InsertProductFence { at } => self.insert_instruction(PRODUCT_FENCE, at, changes),
            Edit::InsertGridWait { at } => self.insert_statement("cudaGridDependencySynchronize();", at, changes),
            Edit::RemoveBarrier { at } => self.remove_barrier(at, changes),
            Edit::WidenScope { at, to } => self.widen_scope(at, *to, changes),
            Edit::MakeAtomic { at, access } => self.make_atomic(at, *access, changes),
            Edit::UseReturned { at, of } => {
                let is_update = |edit: &Edit| match edit {
                    Edit::MakeAtomic { at, access: AtomicAccess::Update { .. } } => at == of,
                    _ => false,
                };
                self.use_returned(at, of, remedy.iter().any(is_update), changes)
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

    /// Returns the names and bytes of a kernel and of the functions of this file that it calls.
    pub(crate) fn functions(&self, kernel: &str) -> Vec<(&str, Range<usize>)> {
        let bytes = |it: &Function| self.bytes(it.head.start..it.body.1 + 1);
        self.reached(kernel).into_iter().map(|function| (function.name.as_str(), bytes(function))).collect()
    }

    /// Returns true if the text contains `what`.
    pub fn mentions(&self, what: &str) -> bool {
        self.text.contains(what)
    }

    fn statement(&self, id: usize) -> &Statement {
        &self.tree.statements[id]
    }

    /// Returns the kernel of this name; `None` if the file does not define it exactly once.
    fn kernel(&self, kernel: &str) -> Option<&Function> {
        let plain = finding::plain_name(kernel);
        let named = |function: &&Function| function.name == kernel || function.name == plain;
        let mut kernels =
            self.tree.functions.iter().filter(named).filter(|function| self.has_word(&function.head, "__global__"));
        let kernel = kernels.next()?;
        kernels.next().is_none().then_some(kernel)
    }

    /// Returns the position of a byte.
    fn at(&self, byte: usize) -> TextPosition {
        let line = self.lines.partition_point(|start| *start <= byte);
        let column = self.text[self.lines[line - 1]..byte].chars().count() + 1;
        TextPosition { line: line as u32, column: column as u32 }
    }

    /// Returns the line of a token.
    fn line(&self, token: usize) -> u32 {
        self.scan.tokens[token].line
    }

    /// Returns the first byte of a token.
    fn byte(&self, token: usize) -> usize {
        self.scan.tokens[token].bytes.start
    }

    /// Returns the bytes of the tokens in `range`, and of all between them.
    fn bytes(&self, range: Range<usize>) -> Range<usize> {
        self.byte(range.start)..self.scan.tokens[range.end - 1].bytes.end
    }
}
