//! Parts of the host in an answer: headers, of which a kernel needs few, and functions.

/// Headers of the host that a kernel can do without.
const NEEDLESS: [&str; 5] = ["cuda.h", "float.h", "memory.h", "new", "time.h"];

/// CUDA has these for kernels, below `cuda/std/`.
const HAS_OWN: [&str; 18] = [
    "algorithm",
    "array",
    "atomic",
    "bit",
    "cfloat",
    "climits",
    "complex",
    "concepts",
    "cstddef",
    "cstdint",
    "functional",
    "limits",
    "numeric",
    "optional",
    "tuple",
    "type_traits",
    "utility",
    "variant",
];

/// Names in C of headers that CUDA has for kernels, and its own names for them.
const IN_C: [(&str, &str); 3] = [("limits.h", "climits"), ("stddef.h", "cstddef"), ("stdint.h", "cstdint")];

/// Returns what to do about the header that the compiler misses, if that is what it says.
pub(super) fn note(log: &str, text: &str) -> String {
    if let Some(name) = of_host(log, text) {
        return format!("\n\n{}", say!("host-function", name));
    }
    let Some(header) = missing(log) else { return String::new() };
    let own = IN_C.iter().find(|(c, _)| *c == header).map(|(_, own)| *own);
    let own = own.or(HAS_OWN.iter().copied().find(|name| *name == header));
    // A header may include another one that is not there.
    let is_include =
        |line: &str| line.trim_start().starts_with('#') && line.contains("include") && line.contains(header);
    let line = text.lines().position(is_include).map_or(0, |at| at as u64 + 1);
    let is_own_file = text.lines().any(|line| is_include(line) && line.contains('"'));
    let kind = match own {
        Some(_) => "own",
        None if NEEDLESS.contains(&header) || line == 0 => "needless",
        None if is_own_file => "file",
        None => "host",
    };
    format!("\n\n{}", say!("include-missing", header, kind, line, own = own.unwrap_or_default()))
}

/// The function that NVRTC refuses because nothing says that it is the device's. It names the line, in brackets after
/// the file.
fn of_host<'a>(log: &str, text: &'a str) -> Option<&'a str> {
    let (place, _) =
        log.lines().find(|line| line.contains("host functions are not allowed in JIT mode"))?.split_once("): error")?;
    let line: usize = place.rsplit_once('(')?.1.parse().ok()?;
    let declared = text.lines().nth(line.checked_sub(1)?)?;
    let before = declared.split_once('(')?.0.trim_end();
    let name = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (!name.is_empty()).then_some(name)
}

/// As NVRTC says it, then as a compiler of the host does for nvcc.
fn missing(log: &str) -> Option<&str> {
    log.lines().find_map(|line| {
        let nvrtc = line.split_once("cannot open source file \"").and_then(|(_, rest)| Some(rest.split_once('"')?.0));
        let gcc = || Some(line.split_once("fatal error: ")?.1.split_once(": No such file")?.0);
        let clang = || Some(line.split_once("fatal error: '")?.1.split_once("' file not found")?.0);
        nvrtc.or_else(clang).or_else(gcc)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_that_is_missed_is_told_by_what_it_is_for() {
        let nvrtc =
            |header: &str| format!("a.cu(2): catastrophic error: cannot open source file \"{header}\"\n  #include");
        for (text, header, wanted) in [
            ("int a;\n#include <time.h>\n", "time.h", "`time.h` is not needed"),
            ("#include <time.h>\n", "time.h", "remove line 1"),
            ("#include <cuda.h>\n", "memory.h", "`memory.h` is not needed"),
            ("#include <vector>\n", "vector", "`vector` is for programs of the host"),
            ("#include <stdint.h>\n", "stdint.h", "`#include <cuda/std/cstdint>`"),
            ("#include <algorithm>\n", "algorithm", "`#include <cuda/std/algorithm>`"),
            ("#include \"mine.h\"\n", "mine.h", "An answer is one file"),
        ] {
            let said = note(&nvrtc(header), text);
            assert!(said.contains(wanted), "{header}: {said}");
        }
        assert!(
            note("a.cu:1:10: fatal error: time.h: No such file or directory", "#include <time.h>").contains("`time.h`")
        );
        assert!(note("a.cu:1:10: fatal error: 'time.h' file not found", "#include <time.h>").contains("`time.h`"));
        assert_eq!(note("a.cu(1): error: expected a \";\"", "#include <math.h>"), "");
    }
}
