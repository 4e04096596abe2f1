//! The dimensions of an array, read from its CUDA source: PTX has flat bytes.
//!
//! Looks for `name[4][8]`, declared at or above a line. A dimension is a number, a name that a `#define` or a `const`
//! gives one, or a sum or product of those. What else there is stays unknown, and the report counts from the array's
//! beginning.

use crate::layout::TypeLayout;
use crate::parameters::{bytes_of, is_word, without_comments};

/// The dimensions of an array that has more than one. `None` where they are unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ArrayShape(Option<Vec<u64>>);

impl ArrayShape {
    /// `[1][0]`: where the element stands that is number `index` from the beginning.
    pub(crate) fn element(&self, index: u64) -> Option<String> {
        let dimensions = self.0.as_ref()?;
        let mut rest = index;
        let mut all: Vec<String> = Vec::new();
        for dimension in dimensions.iter().rev() {
            all.push(format!("[{}]", rest.checked_rem(*dimension)?));
            rest /= dimension;
        }
        (rest == 0).then(|| all.into_iter().rev().collect())
    }
}

/// The shape of the array `name` that is declared last at or above `line`; `None` where it has one dimension or none is
/// found.
pub(crate) fn declared(source: &str, line: u32, name: &str) -> Option<ArrayShape> {
    let text = above(source, line);
    let (_, after) = declaration(&text, name)?;
    let dimensions = dimensions(after);
    let numbers = || dimensions.iter().map(|dimension| number(dimension, &text, DEEPEST)).collect();
    (dimensions.len() > 1).then(|| ArrayShape(numbers()))
}

/// True if the array `name` that is declared last at or above `line` has the size that the launch gives:
/// `extern __shared__`.
pub(crate) fn is_open(source: &str, line: u32, name: &str) -> bool {
    let text = above(source, line);
    declaration(&text, name).is_some_and(|(statement, _)| statement.contains("extern"))
}

/// Bytes of an element of the array `name` that is declared last at or above `line`, if it is of one of C's types or
/// CUDA's vectors.
pub(crate) fn element_bytes(source: &str, line: u32, name: &str) -> Option<u64> {
    bytes_of(&element(source, line, name)?.0)
}

/// Returns the layout of an element of `name`, which is declared last at or above `line`; and whether it is an array.
pub(crate) fn layout(source: &str, line: u32, name: &str) -> Option<(TypeLayout, bool)> {
    let (ty, is_array) = element(source, line, name)?;
    Some((TypeLayout::of(&ty, source)?, is_array))
}

/// Returns whether the elements of `name`, as last declared at or above `line`, are structures or of a type not defined
/// in the source. A template parameter counts as a number.
pub(crate) fn has_members(source: &str, line: u32, name: &str) -> Option<bool> {
    let text = above(source, line);
    let (ty, _) = element(source, line, name)?;
    let ty = resolved(ty, &without_comments(source), DEEPEST);
    let is_parameter = ["typename", "class"].iter().any(|word| {
        text.split(&format!("{word} {ty}")).skip(1).any(|rest| rest.trim_start().starts_with([',', '>', '=']))
    });
    match TypeLayout::of(&ty, source) {
        Some(layout) => Some(layout.has_members()),
        None => Some(!is_parameter && !ty.is_empty()),
    }
}

/// The type that `using` or `typedef` gives another name.
fn resolved(ty: String, text: &str, deep: u32) -> String {
    let words: Vec<&str> = ty.split_whitespace().filter(|word| !["const", "volatile"].contains(word)).collect();
    let ty = words.join(" ");
    let statements = || text.split([';', '{', '}']).filter_map(|it| Some(it.trim().lines().last()?.trim()));
    let aliased = statements().find_map(|it| {
        let (name, other) = it.strip_prefix("using ")?.split_once('=')?;
        (name.trim() == ty).then(|| other.trim().to_string())
    });
    let typedefed = || {
        statements().find_map(|it| {
            let before = it.strip_prefix("typedef ")?.strip_suffix(ty.as_str())?;
            (!ty.is_empty() && before.ends_with([' ', '*'])).then(|| before.trim().to_string())
        })
    };
    match (aliased.or_else(typedefed), deep.checked_sub(1)) {
        (Some(other), Some(deep)) => resolved(other, text, deep),
        _ => ty,
    }
}

/// The type of an element, and whether there are several.
fn element(source: &str, line: u32, name: &str) -> Option<(String, bool)> {
    let text = above(source, line);
    let (statement, after) = declaration(&text, name)?;
    let is_array = after.starts_with('[');
    // Alignment and storage are said before the type.
    let after = statement.rsplit(')').next()?;
    let words =
        after.split_whitespace().filter(|word| *word != "extern" && *word != "static" && !word.starts_with("__"));
    Some((words.collect::<Vec<_>>().join(" "), is_array))
}

fn above(source: &str, line: u32) -> String {
    let above: Vec<&str> = source.lines().take(line as usize).collect();
    without_comments(&above.join("\n"))
}

/// The last declaration of `name`: what stands before the name and after it.
fn declaration<'a>(text: &'a str, name: &str) -> Option<(&'a str, &'a str)> {
    let memory = ["__shared__", "__device__", "__constant__"];
    let found = text.match_indices(name).filter_map(|(at, _)| {
        let (before, after) = (&text[..at], text[at + name.len()..].trim_start());
        let is_word_alone = !before.ends_with(is_word) && !after.starts_with(is_word);
        let statement = before.rsplit([';', '{', '}']).next()?;
        (is_word_alone && memory.iter().any(|memory| statement.contains(memory))).then_some((statement, after))
    });
    found.last()
}

/// `4` and `8` of `[4][8]`.
fn dimensions(mut text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    while let Some((inside, rest)) = text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        all.push(inside.trim());
        text = rest.trim_start();
    }
    all
}

/// Names that stand for names.
const DEEPEST: u32 = 4;

fn number(expression: &str, text: &str, deep: u32) -> Option<u64> {
    let expression = expression.trim();
    if let Some((one, other)) = expression.rsplit_once('+') {
        return number(one, text, deep)?.checked_add(number(other, text, deep)?);
    }
    if let Some((one, other)) = expression.rsplit_once('*') {
        return number(one, text, deep)?.checked_mul(number(other, text, deep)?);
    }
    if let Ok(number) = expression.trim_end_matches(['u', 'U']).parse() {
        return Some(number);
    }
    if expression.is_empty() || !expression.chars().all(is_word) {
        return None;
    }
    let value = text.lines().rev().find_map(|line| value(line.trim(), expression))?;
    number(value, text, deep.checked_sub(1)?)
}

/// Returns the value that a line defines `name` to be.
fn value<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    if let Some(rest) = line.strip_prefix("#define") {
        return rest.trim_start().strip_prefix(name).filter(|rest| rest.starts_with([' ', '\t'])).map(str::trim);
    }
    let (line, _) = line.split_once(';').filter(|(line, _)| line.contains("const"))?;
    let all = line.split(',').filter_map(|one| one.split_once('='));
    let mut own = all.filter(|(before, _)| before.trim_end().rsplit(|c| !is_word(c)).next() == Some(name));
    own.next().map(|(_, value)| value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
#define TILE 32
constexpr int PAD = TILE / 4;
const unsigned COLUMNS = 2, ROWS = 4u;
__global__ void a() {
    __shared__ int tile[4][8]; // Not tile[1][1].
    tile[2][3] = 1;
}
__global__ void b() {
    __shared__ float tile[TILE][TILE + 1], flat[TILE], odd[ROWS][PAD], cube[ROWS][2][3];
    tile[0][0] = flat[0];
}
";

    #[test]
    fn an_element_is_named_by_the_declaration_above() {
        let named = |line, name, index| declared(SOURCE, line, name).map(|shape| shape.element(index));
        assert_eq!(named(6, "tile", 8), Some(Some("[1][0]".into())));
        assert_eq!(named(6, "tile", 32), Some(None));
        assert_eq!(named(10, "tile", 8), Some(Some("[0][8]".into())));
        assert_eq!(named(10, "tile", 34), Some(Some("[1][1]".into())));
        assert_eq!(named(10, "cube", 23), Some(Some("[3][1][2]".into())));
        assert_eq!(named(10, "odd", 1), Some(None));
        assert_eq!((named(10, "flat", 1), named(10, "til", 1), named(4, "tile", 1)), (None, None, None));
    }

    #[test]
    fn the_launch_gives_the_size_of_an_open_array() {
        let source = "extern __shared__ int open[];\n__shared__ int closed[4];\n";
        assert!(is_open(source, 2, "open") && !is_open(source, 2, "closed") && !is_open(source, 2, "ope"));
    }
}
