//! Names as a program's author wrote them.

/// `scale<float>` of a kernel's mangled C++ name; else the name as it is. Without the feature `demangle`: the function
/// alone, `twice`. Template arguments of long names are elided: `scale<...>`.
pub fn readable(name: &str) -> String {
    shortened(whole(name))
}

/// As [`readable`], however long it is.
pub fn whole(name: &str) -> String {
    #[cfg(feature = "demangle")]
    return demangled(name).unwrap_or_else(|| name.to_string());
    #[cfg(not(feature = "demangle"))]
    finding::plain_name(name)
}

/// Letters of a name that is shown whole.
const LONGEST: usize = 100;

fn shortened(name: String) -> String {
    if name.len() <= LONGEST {
        return name;
    }
    let (mut short, mut depth) = (String::new(), 0u32);
    for letter in name.chars() {
        match letter {
            '<' => {
                if depth == 0 {
                    short.push_str("<...");
                }
                depth += 1;
            }
            '>' if depth == 0 => return name,
            '>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            short.push(letter);
        }
    }
    if depth == 0 { short } else { name }
}

#[cfg(feature = "demangle")]
fn demangled(name: &str) -> Option<String> {
    use cpp_demangle::{DemangleOptions, Symbol};
    let options = DemangleOptions::new().no_params().no_return_type();
    let plain = Symbol::new(name).ok()?.demangle_with_options(&options).ok()?;
    // numba keeps its version in such a tag, and the module before the name.
    Some(match plain.contains("[abi:v") {
        true => without_tags(&plain).rsplit("::").next().unwrap_or_default().to_string(),
        false => without_tags(&plain),
    })
}

/// Without `[abi:...]`.
#[cfg(feature = "demangle")]
fn without_tags(name: &str) -> String {
    let mut parts = name.split("[abi:");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |name, rest| name + rest.split_once(']').map_or("", |(_, after)| after))
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn a_function_is_named_as_in_the_source() {
        for name in ["reverse", "_Z7reversePii"] {
            assert_eq!(readable(name), "reverse");
        }
        assert_eq!(readable("_Zbroken"), "_Zbroken");
    }

    #[test]
    fn arguments_of_a_long_name_are_left_out() {
        let long = format!("lib::sort<{}, {}>::run<2>", "a<int>".repeat(20), "b".repeat(20));
        assert_eq!(super::shortened(long), "lib::sort<...>::run<...>");
        assert_eq!(super::shortened("lib::sort<int>".into()), "lib::sort<int>");
    }

    #[cfg(feature = "demangle")]
    #[test]
    fn templates_and_namespaces_are_named_too() {
        for (mangled, want) in [
            ("_Z10neighboursIiEvPT_S0_", "neighbours<int>"),
            ("_ZN4mine5scaleIfLi4EEEvPT_", "mine::scale<float, 4>"),
            ("_ZN8__main__7reverseB2v1B2abE5ArrayIiLi1E1C7mutable7alignedE", "reverse"),
        ] {
            assert_eq!(readable(mangled), want);
        }
    }
}
