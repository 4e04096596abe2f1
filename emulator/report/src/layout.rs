//! The layout of a structure's members, read from its CUDA source: PTX has flat bytes.
//!
//! Looks for `struct P { float x, y; int next[4]; };` with members of C's types, CUDA's vectors, pointers and such
//! structures. What has functions, bases, bit fields or an alignment of its own stays unknown, and the report counts
//! bytes.

use crate::parameters::{basic, is_word, without_comments};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TypeLayout {
    bytes: u64,
    align: u64,
    /// None of a number or a pointer.
    members: Vec<Member>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Member {
    name: String,
    at: u64,
    /// The number of elements, if the member is an array.
    count: Option<u64>,
    of: TypeLayout,
}

/// Structures in structures.
const DEEPEST: u32 = 4;
/// Elements of an array in a structure.
const MOST: u64 = 1 << 20;

impl TypeLayout {
    /// Returns the layout of a type, as far as `source` tells.
    pub fn of(ty: &str, source: &str) -> Option<TypeLayout> {
        of(ty, &without_comments(source), DEEPEST)
    }

    /// True for a structure or a vector.
    pub fn has_members(&self) -> bool {
        !self.members.is_empty()
    }

    fn number(bytes: u64) -> TypeLayout {
        TypeLayout { bytes, align: bytes, members: Vec::new() }
    }

    /// The element that has byte `byte`, and `.x` for the member there.
    pub fn find(&self, byte: i64) -> Option<(i64, String)> {
        let bytes = i64::try_from(self.bytes).ok().filter(|bytes| *bytes > 0)?;
        Some((byte.div_euclid(bytes), self.member(byte.rem_euclid(bytes) as u64)?))
    }

    fn member(&self, byte: u64) -> Option<String> {
        if self.members.is_empty() {
            return (byte == 0).then(String::new);
        }
        let Member { name, at, count, of } = self.members.iter().rev().find(|member| member.at <= byte)?;
        let (index, rest) = ((byte - at) / of.bytes, (byte - at) % of.bytes);
        let inside = of.member(rest).filter(|_| index < count.unwrap_or(1))?;
        Some(match count {
            Some(_) => format!(".{name}[{index}]{inside}"),
            None => format!(".{name}{inside}"),
        })
    }
}

fn of(ty: &str, text: &str, deep: u32) -> Option<TypeLayout> {
    let words = ty.split_whitespace().filter(|word| !["const", "volatile", "struct", "__restrict__"].contains(word));
    let ty = words.collect::<Vec<_>>().join(" ");
    if ty.ends_with('*') {
        return Some(TypeLayout::number(8));
    }
    if let Some((one, lanes)) = basic(&ty) {
        let names = ["x", "y", "z", "w"].into_iter().take(lanes as usize);
        let members = names.zip(0..).map(|(name, nth)| Member {
            name: name.into(),
            at: nth * one,
            count: None,
            of: TypeLayout::number(one),
        });
        return Some(match lanes {
            1 => TypeLayout::number(one),
            3 => TypeLayout { bytes: 3 * one, align: one, members: members.collect() },
            _ => TypeLayout { bytes: lanes * one, align: (lanes * one).min(16), members: members.collect() },
        });
    }
    let body = body(text, &ty)?;
    let deep = deep.checked_sub(1)?;
    let (mut members, mut end, mut align): (Vec<Member>, u64, u64) = (Vec::new(), 0, 1);
    for statement in body.split(';').map(str::trim).filter(|statement| !statement.is_empty()) {
        // `float x`, `y`: the type is what stands before the first name.
        let mut names = statement.split(',').map(str::trim);
        let first = names.next()?;
        let bare = first.split(['[', '=']).next()?.trim_end();
        let (before, last) = bare.char_indices().rfind(|(_, c)| !is_word(*c))?;
        let cut = before + last.len_utf8();
        let ty = bare[..cut].trim_end();
        for declared in std::iter::once(&first[cut..]).chain(names) {
            let declared = declared.split('=').next()?.trim();
            let (pointer, declared) = match declared.strip_prefix('*') {
                Some(rest) => (true, rest.trim()),
                None => (false, declared),
            };
            let (name, count) = match declared.split_once('[') {
                Some((name, size)) => {
                    let count = size.strip_suffix(']')?.trim().parse().ok().filter(|count| *count <= MOST)?;
                    (name, Some(count))
                }
                None => (declared, None),
            };
            // In `int *a, b` the star is of `a` alone.
            let of = match (pointer, ty.trim_end_matches(['*', ' '])) {
                (true, _) => TypeLayout::number(8),
                (false, plain) if !std::ptr::eq(declared, &first[cut..]) && plain.len() < ty.len() => {
                    of(plain, text, deep)?
                }
                _ => of(ty, text, deep)?,
            };
            let at = end.next_multiple_of(of.align);
            end = at + of.bytes * count.unwrap_or(1);
            align = align.max(of.align);
            (!name.is_empty() && name.chars().all(is_word)).then_some(())?;
            members.push(Member { name: name.into(), at, count, of });
        }
    }
    (!members.is_empty()).then(|| TypeLayout { bytes: end.next_multiple_of(align), align, members })
}

/// Returns the text in the braces of `struct ty { }`, if that is all members.
fn body<'a>(text: &'a str, ty: &str) -> Option<&'a str> {
    if ty.is_empty() || !ty.chars().all(is_word) {
        return None;
    }
    let found = text.match_indices("struct").find_map(|(at, word)| {
        let rest = text[at + word.len()..].trim_start().strip_prefix(ty)?.trim_start().strip_prefix('{')?;
        let before = &text[..at];
        // A template's members are of any type.
        let own = before.rsplit([';', '{', '}']).next().unwrap_or_default();
        (!own.contains("template")).then_some(rest)
    })?;
    let (body, _) = found.split_once('}')?;
    (!body.contains(['(', '{', ':', '<', '#'])).then_some(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "
#include <cassert>
struct P { float x, y, z, w; }; // struct P { int a; };
struct Particle { float3 pos; char alive; };
struct Node { int value = 0; Node* next; double2 at; };
struct Pool { unsigned char kind; Node nodes[3]; int *a, *b; };
struct Odd { int a; int f() { return a; } };
template <typename T> struct Pair { T a, b; };
struct Weit { float größe; };
struct Blank { float\u{a0}x; };
struct Huge { int a[18446744073709551615]; int b; };
";

    #[test]
    fn a_byte_is_named_by_its_member() {
        let named = |ty: &str, byte| {
            TypeLayout::of(ty, SOURCE).and_then(|it| it.find(byte)).map(|(index, member)| format!("[{index}]{member}"))
        };
        for (ty, byte, want) in [
            ("P", 24, Some("[1].z")),
            ("const P", -8, Some("[-1].z")),
            ("Particle", 524, Some("[32].alive")),
            ("struct Particle", 4, Some("[0].pos.y")),
            ("Particle", 13, None),
            ("Node", 40, Some("[1].next")),
            ("Node", 24, Some("[0].at.y")),
            ("Pool", 64, Some("[0].nodes[1].at.x")),
            ("Pool", 120, Some("[0].b")),
            ("Pool", 2, None),
            ("float4", 24, Some("[1].z")),
            ("int", 24, Some("[6]")),
            ("int", 25, None),
            ("Odd", 0, None),
            ("Pair", 0, None),
            ("Nowhere", 0, None),
            ("Weit", 0, Some("[0].größe")),
            ("Blank", 4, Some("[1].x")),
            ("Huge", 0, None),
        ] {
            assert_eq!(named(ty, byte).as_deref(), want, "{ty} {byte}");
        }
    }
}
