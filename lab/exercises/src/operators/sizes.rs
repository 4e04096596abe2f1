//! Mistakes that show at some sizes only: at less than a warp, at a full last block, in the last round. Some of them
//! show in some schedules only, too.

use super::{NARROWER, Operators};
use tree_sitter::Node;

/// An update as two atomic operations, of `P` by `V`: no race, and what another thread does in between is lost.
const IN_TWO_STEPS: [(&str, &str); 5] = [
    ("atomicAdd", "atomicAdd(P, 0) + (V)"),
    ("atomicSub", "atomicAdd(P, 0) - (V)"),
    ("atomicMax", "max(atomicAdd(P, 0), V)"),
    ("atomicMin", "min(atomicAdd(P, 0), V)"),
    ("atomicOr", "atomicOr(P, 0) | (V)"),
];

impl<'a> Operators<'a> {
    /// One warp needs no barrier, students say.
    pub(super) fn guarded_by_size(&mut self, node: Node<'a>) {
        let own = self.of(node);
        for name in self.counts() {
            self.replace("guarded-by-size", node, format!("if ({name} > 32) {own}"));
        }
    }

    /// Right for one warp and for three, and too narrow for two.
    pub(super) fn narrowed_at_size(&mut self, node: Node<'a>) {
        let own = self.of(node);
        let Some((wide, narrow)) = NARROWER.into_iter().find(|(wide, _)| own.contains(wide)) else { return };
        let narrowed = own.replace(wide, narrow);
        for name in self.counts() {
            let text = format!("if ({name} > 32 && {name} <= 64) {{ {narrowed} }} else {{ {own} }}");
            self.replace("narrowed-at-size", node, text);
        }
    }

    /// Lanes take turns at what should be one step, and warps do not. At some sizes, and at all.
    pub(super) fn in_two_steps(&mut self, node: Node<'a>) {
        let own = self.of(node);
        let Some((pointer, value, made)) = IN_TWO_STEPS.iter().find_map(|(name, made)| {
            let arguments = own.strip_prefix(name)?.strip_prefix('(')?.strip_suffix(");")?;
            let (pointer, value) = arguments.split_once(", ")?;
            // Neither part has a comma of its own.
            (!value.contains(',')).then_some((pointer, value, made))
        }) else {
            return;
        };
        let made = made.replace('P', pointer).replace('V', value);
        let turns = format!(
            "for (int turn = 0; turn < 32; ++turn) if ((threadIdx.x & 31) == turn) atomicExch({pointer}, {made});"
        );
        self.replace("in-two-steps", node, turns.clone());
        for name in self.counts() {
            let text = format!("if ({name} > 32 && {name} <= 64) {{ {turns} }} else {{ {own} }}");
            self.replace("in-two-steps", node, text);
        }
    }

    /// The last round is taken for one that is not whole.
    pub(super) fn round_lost(&mut self, node: Node<'a>) {
        if let Some(condition) = node.child_by_field_name("condition")
            && let Some((left, right)) = self.sides(condition, "<")
            && let Some(update) = node.child_by_field_name("update")
            && let Some((_, step)) = self.of(update).split_once("+= ")
        {
            let (left, right) = (self.of(left), self.of(right));
            for less in ["<", "<="] {
                self.replace("round-lost", condition, format!("{left} + ({step}) {less} {right}"));
            }
        }
    }

    /// One part more than are whole: too many where the size is a multiple.
    pub(super) fn one_part_more(&mut self, node: Node<'a>) {
        let Some((above, part)) = self.sides(node, "/") else { return };
        let (above, part) = (self.of(above).trim_matches(['(', ')']), self.of(part));
        let one_less = part.parse::<i64>().ok().map(|part| format!(" + {}", part - 1));
        let ends = [Some(format!(" + {part} - 1")), one_less];
        if let Some(count) = ends.iter().flatten().find_map(|end| above.strip_suffix(end.as_str())) {
            self.replace("one-part-more", node, format!("({count} / {part} + 1)"));
        }
    }

    /// The body of a loop runs before anybody has asked whether there is something left.
    pub(super) fn asked_too_late(&mut self, node: Node<'a>) {
        let [start, condition, update, body] =
            ["initializer", "condition", "update", "body"].map(|name| node.child_by_field_name(name));
        if let (Some(start), Some(condition), Some(update), Some(body)) = (start, condition, update, body)
            && let Some((_, count)) = self.sides(condition, "<")
            && self.count(count).is_some()
            // From 0 on there is always a first one.
            && self.of(start).contains("Idx")
            && !self.of(body).contains("continue")
        {
            let [start, condition, update, body] = [start, condition, update, body].map(|part| self.of(part));
            let text = format!("{{ {start} do {{ {body} {update}; }} while ({condition}); }}");
            self.replace("asked-too-late", node, text);
        }
    }

    fn sides(&self, node: Node<'a>, sign: &str) -> Option<(Node<'a>, Node<'a>)> {
        let [left, operator, right] = ["left", "operator", "right"].map(|name| node.child_by_field_name(name));
        (self.of(operator?) == sign).then_some((left?, right?))
    }

    /// Sizes that are arguments, where more than a warp is possible.
    fn counts(&self) -> Vec<&'a str> {
        let is_count = |(name, value): &(&'a String, &String)| {
            !name.contains('.') && value.parse().is_ok_and(|value: i64| value > 32)
        };
        self.asked.assumed.iter().filter(is_count).map(|(name, _)| name.as_str()).collect()
    }

    /// The size that this is.
    fn count(&self, node: Node) -> Option<&'a str> {
        let own = self.of(node);
        self.counts().into_iter().find(|name| own == *name)
    }

    /// Replaces the size of the last block or warp by the remainder alone: it is nothing where that one is full.
    pub(super) fn last_by_remainder(&mut self, node: Node<'a>, name: &str, arguments: &[Node<'a>]) {
        let [first, second] = *arguments else { return };
        let text = if name == "min" {
            [(first, second), (second, first)].into_iter().find_map(|(width, rest)| {
                let (left, _) = self.sides(rest, "-")?;
                let (count, width, rest) = (self.count(left)?, self.of(width), self.of(rest));
                Some(format!("({rest} > {width} ? {width} : {count} % {width})"))
            })
        } else {
            self.sides(second, "<").and_then(|(own, count)| {
                let (own, count) = (self.of(own), self.count(count)?);
                let last = format!("({own}) / 32 == ({count} - 1) / 32 ? (1u << {count} % 32) - 1");
                Some(format!("(({own}) / 32 > ({count} - 1) / 32 ? 0u : {last} : 0xffffffffu)"))
            })
        };
        if let Some(text) = text {
            self.replace("last-by-remainder", node, text);
        }
    }
}
