//! Names as the program's author wrote them.

use cpp_demangle::Symbol;
use report::readable;

/// The names in Python programs for what a report names.
const IN_PYTHON: [(&str, &str); 9] = [
    ("__syncthreads()", "cuda.syncthreads()"),
    ("__syncwarp()", "cuda.syncwarp()"),
    ("__threadfence()", "cuda.threadfence()"),
    ("__threadfence_block()", "cuda.threadfence_block()"),
    ("__threadfence_system()", "cuda.threadfence_system()"),
    ("atomicAdd", "cuda.atomic.add"),
    ("atomicMax", "cuda.atomic.max"),
    ("atomicMin", "cuda.atomic.min"),
    ("atomicCAS", "cuda.atomic.cas"),
];

/// Words of a report on a Python file: what it suggests is what numba has.
pub(crate) fn in_python(text: &str) -> String {
    IN_PYTHON.iter().fold(text.to_string(), |text, (name, python)| text.replace(name, python))
}

/// An array that a Python function got: the kernel's argument that points to its elements, its name, its dimensions.
pub(crate) struct ArrayArgument {
    number: usize,
    name: String,
    dimensions: usize,
}

/// The arrays of a kernel that numba has made of a function in `source`. numba passes an array as its object, its
/// parent, how many elements, their size, where they are, and each dimension's length and stride; anything else is one
/// argument here.
pub(crate) fn arrays(kernel_in_ptx: &str, source: &str) -> Vec<ArrayArgument> {
    let symbol = Symbol::new(kernel_in_ptx).ok();
    let whole = symbol.and_then(|symbol| symbol.demangle().ok()).unwrap_or_default();
    let types = whole.rsplit_once("](").or_else(|| whole.split_once('(')).map_or("", |(_, types)| types);
    let mut number = 0;
    let mut found = Vec::new();
    for (ty, name) in split(types.trim_end_matches(')')).iter().zip(parameters(&readable(kernel_in_ptx), source)) {
        let dimensions =
            ty.strip_prefix("Array<").and_then(|inside| split(inside).get(1)?.trim_end_matches("ul").parse().ok());
        match dimensions {
            Some(dimensions) => {
                found.push(ArrayArgument { number: number + 5, name, dimensions });
                number += 5 + 2 * dimensions;
            }
            None => number += 1,
        }
    }
    found
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

/// Words of a report with arrays by their names in Python, where they are arguments by number.
pub(crate) fn with_arrays(text: &str, arrays: &[ArrayArgument]) -> String {
    let mut text = text.to_string();
    for ArrayArgument { number, name, dimensions } in arrays {
        for what in
            [format!("what argument {number} points to"), format!("la memoria a la que apunta el argumento {number}")]
        {
            for before in ["element ", "el elemento "] {
                // `element 7 of what argument 12 points to`
                while let Some((start, index, end)) = element(&text, before, &what) {
                    let named = match dimensions {
                        1 => format!("`{name}[{index}]`"),
                        _ => format!("{before}{index} {} `{name}`", if before == "element " { "of" } else { "de" }),
                    };
                    text.replace_range(start..end, &named);
                }
            }
            text = text.replace(&what, &format!("`{name}`"));
        }
    }
    text
}

/// Returns the place of `BEFORE INDEX of WHAT`, and the index.
fn element(text: &str, before: &str, what: &str) -> Option<(usize, String, usize)> {
    text.match_indices(what).find_map(|(at, _)| {
        let head = text[..at].strip_suffix(" of ").or_else(|| text[..at].strip_suffix(" de "))?;
        let digits = head.len() - head.trim_end_matches(|letter: char| letter.is_ascii_digit()).len();
        let (head, index) = head.split_at(head.len() - digits);
        let start = head.strip_suffix(before)?.len();
        (digits > 0).then(|| (start, index.to_string(), at + what.len()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_to_python_is_python() {
        assert_eq!(in_python("`__syncthreads()` or `atomicAdd`"), "`cuda.syncthreads()` or `cuda.atomic.add`");
    }

    #[test]
    fn arrays_have_their_names_in_python() {
        let kernel = "_ZN8__main__1kB2v2B3abcE5ArrayIfLi1E1C7mutable7alignedEx5ArrayIxLi2E1C7mutable7alignedEdb\
                      5ArrayIfLi1E1C7mutable7alignedE";
        let found =
            arrays(kernel, "@cuda.jit\ndef k(a, n: int, grid,\n      x=(1, 2), flag=True, out=None):\n    pass\n");
        let known: Vec<_> = found.iter().map(|it| (it.number, it.name.as_str(), it.dimensions)).collect();
        assert_eq!(known, [(5, "a", 1), (13, "grid", 2), (24, "out", 1)]);
        for (text, want) in [
            ("race on element 7 of what argument 24 points to: x", "race on `out[7]`: x"),
            ("race on element 7 of what argument 13 points to", "race on element 7 of `grid`"),
            ("byte 3 of what argument 5 points to", "byte 3 of `a`"),
            ("what argument 25 points to", "what argument 25 points to"),
        ] {
            assert_eq!(with_arrays(text, &found), want);
        }
        assert_eq!(arrays("_Z7reversePii", "def reverse(a, b):").len(), 0);
    }
}
