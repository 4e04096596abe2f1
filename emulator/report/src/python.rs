//! The arrays that a Python function got, by the arguments of the kernel that numba makes of it.
//!
//! numba passes an array as its object, its parent, how many elements, their size, where they are, and each dimension's
//! length and stride. Anything else is taken for one argument.

use crate::readable;
use crate::reader::ArrayParameter;
use cpp_demangle::Symbol;
use std::collections::BTreeMap;

/// Returns the arrays of a kernel, called as in the PTX, that numba has made of a function in `source`: by the number
/// (from 1) of the argument that points to their elements.
pub(crate) fn arrays(source: &str, kernel: &str) -> BTreeMap<usize, ArrayParameter> {
    let symbol = Symbol::new(kernel).ok();
    let whole = symbol.and_then(|symbol| symbol.demangle().ok()).unwrap_or_default();
    let types = whole.rsplit_once("](").or_else(|| whole.split_once('(')).map_or("", |(_, types)| types);
    let (mut number, mut found) = (0, BTreeMap::new());
    for (ty, name) in split(types.trim_end_matches(')')).iter().zip(parameters(&readable(kernel), source)) {
        match dimensions(ty) {
            Some(dimensions) => {
                found.insert(number + 5, ArrayParameter { name, dimensions });
                number += 5 + 2 * dimensions;
            }
            None => number += 1,
        }
    }
    found
}

/// `2` of `Array<long long, 2, C, mutable, aligned>`.
fn dimensions(ty: &str) -> Option<usize> {
    split(ty.strip_prefix("Array<")?).get(1)?.trim_end_matches("ul").parse().ok()
}

/// Returns the texts between the commas that are in no brackets.
fn split(list: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for letter in list.chars() {
        depth += i32::from("<([".contains(letter)) - i32::from(">)]".contains(letter));
        match letter {
            ',' if depth == 0 => parts.push(String::new()),
            _ => parts.last_mut().expect("there is one").push(letter),
        }
    }
    parts.into_iter().map(|part| part.trim().to_string()).collect()
}

/// The names of a Python function's parameters.
fn parameters(function: &str, source: &str) -> Vec<String> {
    let begin = format!("def {function}(");
    let Some((_, rest)) = source.split_once(&begin) else { return Vec::new() };
    let mut depth = 1;
    let end = rest.find(|letter: char| {
        depth += i32::from("([".contains(letter)) - i32::from(")]".contains(letter));
        depth == 0
    });
    let list = split(&rest[..end.unwrap_or(0)]);
    let name = |parameter: &String| parameter.split([':', '=']).next().unwrap_or_default().trim().to_string();
    list.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::arrays;

    #[test]
    fn arrays_have_their_names_in_python() {
        let kernel = "_ZN8__main__1kB2v2B3abcE5ArrayIfLi1E1C7mutable7alignedEx5ArrayIxLi2E1C7mutable7alignedEdb\
                      5ArrayIfLi1E1C7mutable7alignedE";
        let source = "@cuda.jit\ndef k(a, n: int, grid,\n      x=(1, 2), flag=True, out=None):\n    pass\n";
        let found = arrays(source, kernel);
        let found: Vec<_> = found.iter().map(|(number, it)| (*number, it.name.as_str(), it.dimensions)).collect();
        assert_eq!(found, [(5, "a", 1), (13, "grid", 2), (24, "out", 1)]);
        assert!(arrays("def reverse(a, b):", "_Z7reversePii").is_empty());
    }
}
