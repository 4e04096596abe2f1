//! Two answers that no exercise may take, made from its own `check.cu`: a kernel that does nothing, and one in which a
//! single thread does everything as the reference does.

use crate::catalog::Exercise;
use std::fs;

/// Names and texts. None where nothing is programmed, or where several launches share the work.
pub fn all(exercise: &Exercise) -> Result<Vec<(&'static str, String)>, String> {
    let spec = &exercise.spec;
    let (Some(reference), [launch]) = (&spec.reference, &spec.launches[..]) else { return Ok(Vec::new()) };
    // A reference with arguments of its own is no stand-in for the kernel.
    let Some(kernel) = reference.kernel.as_deref().filter(|_| reference.args.is_none()) else { return Ok(Vec::new()) };
    if spec.kind.is_puzzle() {
        return Ok(Vec::new());
    }
    let path = exercise.check_file();
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let parameters = parameters(&text, kernel).ok_or(format!("check.cu has no `{kernel}(...)`"))?;
    let head = format!("extern \"C\" __global__ void {}({parameters})", launch.kernel);
    let own = text.replace("extern \"C\" __global__", "static __device__");
    let call = format!("{kernel}({})", names(&parameters).join(", "));
    let first = "blockIdx.x + blockIdx.y + blockIdx.z + threadIdx.x + threadIdx.y + threadIdx.z == 0";
    Ok(vec![
        ("(a kernel that does nothing)", format!("{head} {{}}\n")),
        ("(one thread, as the reference)", format!("{own}\n{head} {{\n    if ({first}) {call};\n}}\n")),
    ])
}

/// What stands between the parentheses behind the kernel's name.
fn parameters(text: &str, kernel: &str) -> Option<String> {
    let start = text.find(&format!("{kernel}("))? + kernel.len() + 1;
    let end = start + text[start..].find(')')?;
    Some(text[start..end].split_whitespace().collect::<Vec<_>>().join(" "))
}

/// `const int* in, int n` has `in` and `n`.
fn names(parameters: &str) -> Vec<&str> {
    parameters
        .split(',')
        .filter_map(|one| one.trim().rsplit(|c: char| !c.is_alphanumeric() && c != '_').next())
        .filter(|name| !name.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_found_and_named() {
        let text = "// expected\nextern \"C\" __global__ void expected(const float *in,\n    int* out, int n) {\n}\n";
        let found = parameters(text, "expected").unwrap();
        assert_eq!(found, "const float *in, int* out, int n");
        assert_eq!(names(&found), ["in", "out", "n"]);
        assert_eq!(names(""), [""; 0]);
        assert_eq!(parameters(text, "other"), None);
    }
}
