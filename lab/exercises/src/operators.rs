//! The changes of an answer, and their places: one mistake of a student's at each place where it can be made.

mod sizes;

use crate::changed::MutantQuery;
use std::collections::BTreeMap;
use std::ops::Range;
use tree_sitter::Node;

/// One change.
pub struct Mutation {
    pub operator: &'static str,
    /// At least one; the first is where it happens.
    pub edits: Vec<(Range<usize>, String)>,
    /// Also where the line was handed out: students put this there themselves.
    pub is_added: bool,
}

/// All changes of a file, in the order of its text.
pub fn all<'a>(asked: &'a MutantQuery, root: Node<'a>) -> Vec<Mutation> {
    let mut operators = Operators { text: &asked.text, asked, shared: shared(&asked.text, root), all: Vec::new() };
    operators.visit(root);
    operators.assumed_everywhere(root);
    operators.all
}

struct Operators<'a> {
    text: &'a str,
    asked: &'a MutantQuery,
    /// Variables of a block.
    shared: Vec<&'a str>,
    all: Vec<Mutation>,
}

/// The functions that order threads, each in a statement of its own.
const ORDERS: [&str; 13] = [
    "__syncthreads",
    "__syncwarp",
    "__threadfence",
    ".sync(",
    "::sync(",
    "arrive",
    "wait",
    "atomic_thread_fence",
    "bar.",
    "barrier.",
    "fence.",
    "membar",
    "cp.async",
];

/// After so many tries a wait gives up.
const TRIES: [u32; 2] = [20, 200];

/// Words, and the narrower ones that students take for them.
const NARROWER: [(&str, &str); 18] = [
    ("__syncthreads()", "__syncwarp()"),
    ("__threadfence_system()", "__threadfence()"),
    ("__threadfence()", "__threadfence_block()"),
    ("thread_scope_system", "thread_scope_device"),
    ("thread_scope_device", "thread_scope_block"),
    ("memory_order_seq_cst", "memory_order_relaxed"),
    ("memory_order_acq_rel", "memory_order_acquire"),
    ("memory_order_acq_rel", "memory_order_release"),
    ("memory_order_acquire", "memory_order_relaxed"),
    ("memory_order_release", "memory_order_relaxed"),
    ("this_grid()", "this_thread_block()"),
    ("tiled_partition<32>", "tiled_partition<16>"),
    (".gpu", ".cta"),
    (".acquire", ".relaxed"),
    (".release", ".relaxed"),
    (".acq_rel", ".relaxed"),
    ("volatile int*", "int*"),
    ("volatile unsigned*", "unsigned*"),
];

/// An atomic operation as a student would write it without.
const PLAIN: [(&str, &str); 7] = [
    ("atomicAdd", "((*(P) += (V)) - (V))"),
    ("atomicSub", "((*(P) -= (V)) + (V))"),
    ("atomicMax", "(*(P) = max(*(P), V))"),
    ("atomicMin", "(*(P) = min(*(P), V))"),
    ("atomicOr", "(*(P) |= (V))"),
    ("atomicAnd", "(*(P) &= (V))"),
    ("atomicExch", "(*(P) = (V))"),
];

impl<'a> Operators<'a> {
    fn of(&self, node: Node) -> &'a str {
        &self.text[node.byte_range()]
    }

    fn push(&mut self, operator: &'static str, edits: Vec<(Range<usize>, String)>) {
        self.all.push(Mutation { operator, edits, is_added: false });
    }

    fn replace(&mut self, operator: &'static str, node: Node, new: impl Into<String>) {
        self.push(operator, vec![(node.byte_range(), new.into())]);
    }

    fn visit(&mut self, node: Node<'a>) {
        match node.kind() {
            "expression_statement" => self.statement(node),
            "return_statement" | "break_statement" | "continue_statement" if is_statement(node) => {
                self.replace("removed", node, ";");
            }
            "if_statement" | "do_statement" | "conditional_expression" => self.guard(node),
            "while_statement" => {
                self.guard(node);
                self.wait(node);
            }
            "binary_expression" => self.binary(node),
            "assignment_expression" => self.assignment(node),
            "call_expression" => self.call(node),
            "number_literal" => self.number(node),
            "for_statement" => self.for_loop(node),
            _ => {}
        }
        if matches!(node.kind(), "call_expression" | "gnu_asm_expression" | "declaration" | "template_type") {
            self.narrower(node);
        }
        self.assumed_here(node);
        let mut cursor = node.walk();
        let children: Vec<Node> = node.children(&mut cursor).collect();
        children.into_iter().for_each(|child| self.visit(child));
    }

    fn statement(&mut self, node: Node<'a>) {
        let own = self.of(node);
        if !is_statement(node) || own == ";" {
            return;
        }
        self.replace("removed", node, ";");
        let orders = ORDERS.iter().any(|word| own.contains(word));
        let is_launch = own.contains("<<<");
        // A second barrier, or fence, in the same place changes nothing but the cost.
        if is_launch || own.starts_with("atomic") || orders && self.asked.is_costed {
            self.replace("doubled", node, format!("{own} {own}"));
        }
        if orders {
            self.guarded_by_size(node);
            self.narrowed_at_size(node);
        }
        self.in_two_steps(node);
        if !orders && !is_launch && !own.contains("atomic") {
            return;
        }
        let is_listed = |node: &Node| node.parent().is_some_and(|parent| parent.kind() == "compound_statement");
        if is_listed(&node) {
            let (start, end) = (node.start_byte(), node.end_byte());
            if let Some(before) = self.neighbour(node, Node::prev_sibling) {
                let at = before.start_byte();
                self.push("moved-up", vec![(at..at, format!("{own} ")), (start..end, ";".into())]);
            }
            if let Some(next) = self.neighbour(node, Node::next_sibling) {
                let at = next.end_byte();
                self.push("moved-down", vec![(start..end, ";".into()), (at..at, format!(" {own}"))]);
                if let Some(inner) = body(next).filter(|inner| inner.kind() == "compound_statement") {
                    let into = inner.start_byte() + 1;
                    self.push("moved-in", vec![(node.byte_range(), ";".into()), (into..into, format!("{own} "))]);
                }
            }
        }
        // Out of the branch or the loop that it is in.
        let list = if is_listed(&node) { node.parent() } else { Some(node) };
        let outer = list.and_then(|list| list.parent());
        let outer =
            outer.map(|outer| if outer.kind() == "else_clause" { outer.parent().unwrap_or(outer) } else { outer });
        if let Some(outer) = outer.filter(|outer| {
            matches!(outer.kind(), "if_statement" | "for_statement" | "while_statement") && is_listed(outer)
        }) {
            let after = outer.end_byte();
            self.push("moved-out", vec![(node.byte_range(), ";".into()), (after..after, format!(" {own}"))]);
        }
    }

    /// The next statement in that direction that does anything with memory, or decides what does.
    fn neighbour(&self, node: Node<'a>, step: fn(&Node<'a>) -> Option<Node<'a>>) -> Option<Node<'a>> {
        let mut at = step(&node);
        while let Some(next) = at.filter(|next| next.is_named()) {
            let own = self.of(next);
            let is_inert =
                next.kind() == "declaration" && !own.contains('[') && !own.contains("= *") && !own.contains("sync");
            if next.kind() != "comment" && !is_inert && own != ";" {
                return Some(next);
            }
            at = step(&next);
        }
        None
    }

    /// In a branch that one thread takes.
    fn is_for_one(&self, node: Node) -> bool {
        let mut up = node.parent();
        while let Some(parent) = up {
            let condition = parent.child_by_field_name("condition").filter(|_| parent.kind() == "if_statement");
            if condition.is_some_and(|condition| self.of(condition).contains("== ")) {
                return true;
            }
            up = parent.parent();
        }
        false
    }

    /// Changes the condition that is asked before something is done.
    fn guard(&mut self, node: Node<'a>) {
        let Some(condition) = node.child_by_field_name("condition") else { return };
        let value = condition.child_by_field_name("value").unwrap_or(condition);
        if node.kind() == "if_statement" {
            self.guard_becomes(value, "true");
            self.guard_becomes(value, "false");
        } else if node.kind() == "conditional_expression" {
            self.guard_becomes(value, "true");
        } else {
            self.guard_becomes(value, "false");
        }
    }

    /// A loop that only waits: it gives up in the end, sooner than some schedules let it get on.
    fn wait(&mut self, node: Node<'a>) {
        let (condition, body) = (node.child_by_field_name("condition"), node.child_by_field_name("body"));
        let (Some(condition), Some(body)) = (condition, body) else { return };
        let is_empty = matches!(self.of(body), "{}" | ";") || self.of(body).starts_with("asm");
        if is_empty {
            let before = node.start_byte()..body.start_byte();
            for most in TRIES {
                let new = format!("for (int tries = 0; tries < {most} && {}; ++tries) ", self.of(condition));
                self.all.push(Mutation { operator: "gives-up", edits: vec![(before.clone(), new)], is_added: true });
            }
        }
    }

    fn guard_becomes(&mut self, value: Node<'a>, new: &str) {
        self.replace(if new == "true" { "guard-removed" } else { "guard-never" }, value, new);
    }

    fn binary(&mut self, node: Node<'a>) {
        let parts = ["left", "operator", "right"].map(|name| node.child_by_field_name(name));
        let [Some(left), Some(operator), Some(right)] = parts else { return };
        self.one_part_more(node);
        let other: &[&str] = match self.of(operator) {
            "<" => &["<="],
            "<=" => &["<"],
            ">" => &[">="],
            ">=" => &[">"],
            "==" => &["!="],
            "!=" => &["=="],
            _ => &[],
        };
        for new in other {
            self.replace("bound", operator, *new);
        }
        if matches!(self.of(operator), "&&" | "||") {
            let (left, right) = (self.of(left).to_string(), self.of(right).to_string());
            self.replace("guard-removed", node, left);
            self.replace("guard-removed", node, right);
        }
        let other = match self.of(operator) {
            "+" => "-",
            "-" => "+",
            _ => return,
        };
        self.replace("index", operator, other);
    }

    fn assignment(&mut self, node: Node<'a>) {
        let parts = ["left", "operator", "right"].map(|name| node.child_by_field_name(name));
        let [Some(left), Some(operator), Some(right)] = parts else { return };
        match self.of(operator) {
            "+=" | "-=" | "*=" | "|=" | "&=" | "^=" => self.replace("update-lost", operator, "="),
            "=" if !self.of(left).starts_with('*') && !self.of(left).contains('[') => {}
            // One thread is there, or does it already.
            "=" if self.asked.blocks_are_threads() || self.is_for_one(node) => {}
            "=" => {
                // The others write what is there.
                let new = format!("threadIdx.x == 0 ? {} : {}", self.of(right), self.of(left));
                self.replace("stored-back", right, new);
            }
            _ => {}
        }
    }

    fn for_loop(&mut self, node: Node<'a>) {
        if let Some(condition) = node.child_by_field_name("condition")
            && condition.kind() == "binary_expression"
            && let Some(right) = condition.child_by_field_name("right")
        {
            let own = self.of(right);
            self.replace("bound", right, format!("{own} - 1"));
            self.replace("bound", right, format!("{own} + 1"));
        }
        self.round_lost(node);
        self.asked_too_late(node);
        let parts = ["initializer", "update"].map(|name| node.child_by_field_name(name));
        if let [Some(start), Some(update)] = parts
            && (self.of(update).contains("Dim.x") || self.of(update).contains("+= "))
            && let Some(value) = first_value(start)
            && let Some(name) = self.of(update).split(['+', ' ', '-', '>', '*', '/']).find(|word| !word.is_empty())
        {
            // One thread does it all.
            let guard = "threadIdx.x == 0 && blockIdx.x == 0";
            if let Some(condition) = node.child_by_field_name("condition") {
                self.push(
                    "one-thread",
                    vec![
                        (value.byte_range(), "0".into()),
                        (condition.byte_range(), format!("({guard}) && ({})", self.of(condition))),
                        (update.byte_range(), format!("++{name}")),
                    ],
                );
            }
        }
    }

    fn call(&mut self, node: Node<'a>) {
        let (Some(function), Some(list)) =
            (node.child_by_field_name("function"), node.child_by_field_name("arguments"))
        else {
            return;
        };
        let name = self.of(function);
        let mut cursor = list.walk();
        let arguments: Vec<Node> = list.named_children(&mut cursor).collect();
        if let Some((_, plain)) = PLAIN.iter().find(|(atomic, _)| *atomic == name)
            && let [pointer, value] = arguments[..]
        {
            let plain = plain.replace('P', self.of(pointer)).replace('V', self.of(value));
            self.replace("not-atomic", node, plain);
        }
        // A block's own memory is seen by no other.
        let is_shared =
            arguments.first().is_some_and(|first| self.shared.iter().any(|name| has_word(self.of(*first), name)));
        if name.starts_with("atomic") && !name.contains('_') && !is_shared {
            self.replace("narrowed", function, format!("{name}_block"));
        }
        if name.starts_with("__")
            && name.ends_with("_sync")
            && let Some(mask) = arguments.first()
        {
            for new in ["0xffffffff", "0x0000ffff", "0x7fffffff", "1", "__activemask()"] {
                self.replace("mask", *mask, new);
            }
        }
        if name == "__activemask" {
            self.replace("mask", node, "0xffffffff");
        }
        if matches!(name, "cudaGetLastError" | "cudaPeekAtLastError") {
            self.replace("error-ignored", node, "cudaSuccess");
        }
        if matches!(name, "min" | "__ballot_sync") {
            self.last_by_remainder(node, name, &arguments);
        }
        if matches!(name, "min" | "max") {
            for argument in &arguments {
                self.replace("bound", node, format!("({})", self.of(*argument)));
            }
        }
    }

    fn narrower(&mut self, node: Node<'a>) {
        // The innermost of those that hold the word.
        let own = self.of(node);
        for (wide, narrow) in NARROWER {
            for (at, _) in own.match_indices(wide) {
                let at = node.start_byte() + at;
                self.push("narrowed", vec![(at..at + wide.len(), narrow.into())]);
            }
        }
    }

    /// Changes a number that is compared, a stride, or the length of an array.
    fn number(&mut self, node: Node<'a>) {
        let own = self.of(node);
        let Ok(value) = own.strip_suffix(['u', 'U']).unwrap_or(own).parse::<u64>() else { return };
        let Some(parent) = node.parent() else { return };
        let operator = parent.child_by_field_name("operator").map_or("", |operator| self.of(operator));
        let is_bound = matches!(operator, "<" | "<=" | ">" | ">=" | "+=" | "-=");
        if is_bound {
            self.replace("bound", node, (value + 1).to_string());
        }
        // A longer array does no harm.
        if (is_bound || is_in(node, "array_declarator")) && value > 0 {
            self.replace("bound", node, (value - 1).to_string());
        }
    }

    /// The launch's shape, or a size, taken for what it is in one case: here alone.
    fn assumed_here(&mut self, node: Node<'a>) {
        if matches!(node.kind(), "field_expression" | "identifier")
            && let Some(value) = self.asked.assumed.get(self.of(node))
            && !is_in(node, "parameter_list")
            && !is_name(node)
        {
            self.replace("assumed", node, value.clone());
        }
    }

    /// And everywhere.
    fn assumed_everywhere(&mut self, root: Node<'a>) {
        let (mut found, mut left) = (BTreeMap::<&str, Vec<Range<usize>>>::new(), vec![root]);
        while let Some(node) = left.pop() {
            let own = self.of(node);
            let is_use = matches!(node.kind(), "field_expression" | "identifier");
            if is_use && self.asked.assumed.contains_key(own) && !is_in(node, "parameter_list") && !is_name(node) {
                found.entry(own).or_default().push(node.byte_range());
                continue;
            }
            let mut cursor = node.walk();
            left.extend(node.children(&mut cursor));
        }
        for (name, mut places) in found {
            places.sort_by_key(|at| at.start);
            if places.len() > 1 {
                let value = &self.asked.assumed[name];
                self.push("assumed", places.into_iter().map(|at| (at, value.clone())).collect());
            }
        }
    }
}

/// The names of variables that are declared as shared memory.
fn shared<'a>(text: &'a str, root: Node) -> Vec<&'a str> {
    let (mut names, mut left) = (Vec::new(), vec![root]);
    while let Some(node) = left.pop() {
        if node.kind() == "declaration" && text[node.byte_range()].contains("__shared__") {
            let mut inner = vec![node];
            while let Some(node) = inner.pop() {
                if node.kind() == "identifier" {
                    names.push(&text[node.byte_range()]);
                }
                let mut cursor = node.walk();
                inner.extend(node.children(&mut cursor));
            }
            continue;
        }
        let mut cursor = node.walk();
        left.extend(node.children(&mut cursor));
    }
    names
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|own| own == word)
}

/// Not a part of a `for`.
fn is_statement(node: Node) -> bool {
    node.parent().is_some_and(|parent| match parent.kind() {
        "for_statement" => parent.child_by_field_name("body") == Some(node),
        kind => {
            matches!(kind, "compound_statement" | "if_statement" | "else_clause" | "while_statement" | "do_statement")
        }
    })
}

/// Returns the body of a branch or a loop.
fn body(node: Node) -> Option<Node> {
    node.child_by_field_name("consequence").or_else(|| node.child_by_field_name("body"))
}

/// Directly in such a node.
fn is_in(node: Node, kind: &str) -> bool {
    let mut up = node.parent();
    while let Some(parent) = up {
        if parent.kind() == kind {
            return true;
        }
        if parent.kind().ends_with("statement") {
            return false;
        }
        up = parent.parent();
    }
    false
}

/// Returns true for a name that is declared, or written.
fn is_name(node: Node) -> bool {
    node.parent().is_some_and(|parent| {
        matches!(parent.kind(), "init_declarator" | "declaration" | "array_declarator")
            && parent.child_by_field_name("declarator") == Some(node)
            || parent.kind() == "assignment_expression" && parent.child_by_field_name("left") == Some(node)
            || parent.kind() == "update_expression"
    })
}

/// Returns the first value of a loop's variable.
fn first_value(start: Node) -> Option<Node> {
    let declarator = start.child_by_field_name("declarator")?;
    declarator.child_by_field_name("value")
}
