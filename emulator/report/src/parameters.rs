//! A kernel's parameter names, read from its CUDA source: PTX numbers them only.
//!
//! Looks for `kernel(` behind `__global__` and takes the last word of each parameter. What a macro or a template hides
//! is not found, and the report keeps the number.

use crate::layout::TypeLayout;
use finding::plain_name;

/// The name of parameter `number` (from 1) of `kernel`, called as in the PTX.
pub fn parameter_name(source: &str, kernel: &str, number: usize) -> Option<String> {
    let declared = declared(source, kernel, number)?;
    let name = declared.rsplit(|c: char| !is_word(c)).next()?;
    // A type alone has no name behind it.
    let has_type = declared.len() > name.len() && !name.is_empty();
    has_type.then(|| name.to_string())
}

/// Bytes of one element of what a parameter points to, if it is of one of C's types or CUDA's vectors of them.
pub(crate) fn element_bytes(source: &str, kernel: &str, number: usize) -> Option<u64> {
    bytes_of(&pointee(source, kernel, number)?)
}

/// Returns the layout of what a parameter points to.
pub(crate) fn layout(source: &str, kernel: &str, number: usize) -> Option<TypeLayout> {
    TypeLayout::of(&pointee(source, kernel, number)?, source)
}

/// The type that a parameter points to, or is an array of.
fn pointee(source: &str, kernel: &str, number: usize) -> Option<String> {
    let declared = declared(source, kernel, number)?;
    let (ty, rest) = declared.split_once('*')?;
    (!rest.contains('*')).then(|| ty.to_string())
}

/// Bytes of one of C's types or CUDA's vectors of them.
pub(crate) fn bytes_of(ty: &str) -> Option<u64> {
    basic(ty).map(|(one, lanes)| one * lanes)
}

/// Bytes of one number in one of those types, and how many numbers it has.
pub(crate) fn basic(ty: &str) -> Option<(u64, u64)> {
    let words: Vec<&str> =
        ty.split_whitespace().filter(|word| !["const", "volatile", "signed"].contains(word)).collect();
    let ty = words.join(" ");
    let lanes = ty.chars().last().and_then(|last| last.to_digit(10)).filter(|lanes| (2..=4).contains(lanes));
    let one = if lanes.is_some() { &ty[..ty.len() - 1] } else { &ty };
    let bytes = match one {
        "char" | "unsigned char" | "bool" | "uchar" | "int8_t" | "uint8_t" => 1,
        "short" | "unsigned short" | "half" | "__half" | "ushort" | "int16_t" | "uint16_t" => 2,
        "int" | "unsigned" | "unsigned int" | "float" | "uint" | "int32_t" | "uint32_t" => 4,
        "double" | "long long" | "unsigned long long" | "size_t" | "longlong" | "ulonglong" => 8,
        // These have 8 bytes where CUDA runs on Linux.
        "long" | "unsigned long" | "int64_t" | "uint64_t" => 8,
        _ => return None,
    };
    Some((bytes, u64::from(lanes.unwrap_or(1))))
}

/// A parameter's type and name.
fn declared(source: &str, kernel: &str, number: usize) -> Option<String> {
    let source = without_comments(source);
    let kernel = plain_name(kernel);
    let mut parts = source.split("__global__");
    parts.next();
    let list = parts.find_map(|part| {
        let (before, rest) = part.split_once('(')?;
        // Attributes may stand between: `__launch_bounds__(256)`.
        let (head, rest) = match before.trim().ends_with("__launch_bounds__") {
            true => rest.split_once(')')?.1.split_once('(')?,
            false => (before, rest),
        };
        (head.trim_end().rsplit(|c: char| !is_word(c)).next()? == kernel).then(|| parameters(rest))
    })?;
    let parameter = list.get(number.checked_sub(1)?)?;
    Some(parameter.split('=').next()?.split('[').next()?.trim().to_string())
}

pub(crate) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The parameters up to the closing bracket, commas inside brackets left alone.
fn parameters(text: &str) -> Vec<String> {
    let mut list = vec![String::new()];
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '(' | '<' | '[' => depth += 1,
            ')' if depth == 0 => break,
            ')' | '>' | ']' => depth -= 1,
            ',' if depth == 0 => {
                list.push(String::new());
                continue;
            }
            _ => {}
        }
        list.last_mut().expect("never empty").push(c);
    }
    list
}

pub(crate) fn without_comments(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut rest = source;
    while let Some(at) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        out.push_str(&rest[..at]);
        let (end, instead) = if rest[at..].starts_with("//") { ("\n", '\n') } else { ("*/", ' ') };
        out.push(instead);
        rest = rest[at + 2..].split_once(end).map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_is_called_as_its_source_calls_it() {
        let source = "
// __global__ void sum(int* wrong)
extern \"C\" __global__ void sum_broken(const float* __restrict__ in, /* all */ float *out, Pair<int, 4> pair, int \
n[]) {
    sum(1, 2);
}
template <typename T> __global__ void __launch_bounds__(256) scale(T* data, unsigned) {}
";
        let name = |kernel: &str, number| parameter_name(source, kernel, number);
        assert_eq!(name("sum_broken", 1).as_deref(), Some("in"));
        assert_eq!(name("sum_broken", 2).as_deref(), Some("out"));
        assert_eq!(name("sum_broken", 3).as_deref(), Some("pair"));
        assert_eq!(name("sum_broken", 4).as_deref(), Some("n"));
        assert_eq!(name("_Z5scaleIfEvPT_j", 1).as_deref(), Some("data"));
        assert_eq!(name("_Z5scaleIfEvPT_j", 2), None);
        assert_eq!((name("sum", 1), name("sum_broken", 5), name("sum_broken", 0)), (None, None, None));
    }

    #[test]
    fn an_element_is_as_large_as_its_type_says() {
        let bytes = |ty: &str| element_bytes(&format!("__global__ void k({ty} a, int n) {{}}"), "k", 1);
        for (ty, expected) in [
            ("const int*", Some(4)),
            ("const unsigned char* __restrict__", Some(1)),
            ("unsigned long long *", Some(8)),
            ("float4*", Some(16)),
            ("long*", Some(8)),
            ("const uint8_t *", Some(1)),
            ("int32_t*", Some(4)),
            ("double2 *", Some(16)),
            ("int**", None),
            ("Pair<int, 4>*", None),
            ("int", None),
        ] {
            assert_eq!(bytes(ty), expected, "{ty}");
        }
    }
}
