//! Names as the program's author wrote them.

use cpp_demangle::{DemangleOptions, Symbol};

/// `scale<float>` of a mangled C++ name, `reverse` of what numba makes of a Python function; else the name as it is.
pub(crate) fn kernel(name: &str) -> String {
    let options = DemangleOptions::new().no_params().no_return_type();
    let symbol = Symbol::new(name).ok().and_then(|symbol| symbol.demangle_with_options(&options).ok());
    let Some(plain) = symbol else { return name.to_string() };
    // numba keeps its version in such a tag, and the module before the name.
    match plain.contains("[abi:v") {
        true => without_tags(&plain).rsplit("::").next().unwrap_or_default().to_string(),
        false => without_tags(&plain),
    }
}

/// What Python programs call what a report names.
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

/// Without `[abi:...]`.
fn without_tags(name: &str) -> String {
    let mut parts = name.split("[abi:");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |name, rest| name + rest.split_once(']').map_or("", |(_, after)| after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_to_python_is_python() {
        assert_eq!(in_python("`__syncthreads()` or `atomicAdd`"), "`cuda.syncthreads()` or `cuda.atomic.add`");
    }

    #[test]
    fn a_name_is_what_stands_in_the_source() {
        for (mangled, want) in [
            ("_Z7reversePii", "reverse"),
            ("_Z10neighboursIiEvPT_S0_", "neighbours<int>"),
            ("_ZN4mine5scaleIfLi4EEEvPT_", "mine::scale<float, 4>"),
            ("_ZN8__main__7reverseB2v1B2abE5ArrayIiLi1E1C7mutable7alignedE", "reverse"),
            ("reverse_broken", "reverse_broken"),
            ("_Zbroken", "_Zbroken"),
        ] {
            assert_eq!(kernel(mangled), want);
        }
    }
}
