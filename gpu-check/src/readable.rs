//! Names as the program's author wrote them.

use driver::emulator::finding::Finding;

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

/// Text about a finding in the terms of the program's language: in a Python file what it suggests is what numba has.
pub fn in_language_of(finding: &Finding, text: String) -> String {
    let mut files = finding.accesses.iter().filter_map(|access| Some(&access.location.as_ref()?.file));
    if files.any(|file| file.ends_with(".py")) { in_python(&text) } else { text }
}

fn in_python(text: &str) -> String {
    IN_PYTHON.iter().fold(text.to_string(), |text, (name, python)| text.replace(name, python))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_to_python_is_python() {
        assert_eq!(in_python("`__syncthreads()` or `atomicAdd`"), "`cuda.syncthreads()` or `cuda.atomic.add`");
    }
}
