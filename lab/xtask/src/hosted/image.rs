//! The container file of `gpu-check`. Nothing here builds it, so it is checked that it copies what `cargo xtask wheel`
//! writes, and installs that with the commands by which CI installs it.

/// Its environment for Python, which in CI is `$wheel`.
const ENVIRONMENT: &str = "/opt/gpu-check";

/// Returns the problems of a container file. `ci` is the script in which the wheel is installed.
pub fn problems(text: &str, ci: &str) -> Vec<String> {
    // A line that ends with a backslash goes on.
    let text = text.replace("\\\n", " ");
    let instructions = text.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(' '));
    let mut problems = Vec::new();
    let mut last = None;
    for (instruction, words) in instructions {
        match instruction {
            "COPY" if !words.starts_with(&format!("{}*.whl ", crate::wheel::START)) => {
                problems.push(format!("`COPY {words}` copies what `cargo xtask wheel` does not write"));
            }
            "RUN" => problems.extend(unknown(words, ci)),
            _ => {}
        }
        last = Some((instruction, words));
    }
    if last != Some(("ENTRYPOINT", r#"["gpu-check"]"#)) {
        problems.push("its entry point is not `gpu-check`".to_string());
    }
    problems
}

/// Returns a problem for each command of Python that CI has not run, up to its first path.
fn unknown(commands: &str, ci: &str) -> Vec<String> {
    let ci = ci.replace('"', "");
    let begin = |command: &str| -> String {
        let command = command.replace(ENVIRONMENT, "$wheel");
        let words = command.split_whitespace().take_while(|word| !word.ends_with(".whl"));
        words.collect::<Vec<_>>().join(" ")
    };
    let of_python = commands.split("&&").filter(|command| command.contains("venv /") || command.contains("/pip "));
    let missing = of_python.map(begin).filter(|command| !ci.lines().any(|line| line.trim().starts_with(command)));
    missing.map(|command| format!("CI does not run `{command}`")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = include_str!("../../../container/Containerfile");
    const CI: &str = include_str!("../../../../.ci/run");

    #[test]
    fn it_copies_the_wheel_and_installs_it_as_ci_does() {
        assert_eq!(problems(FILE, CI), [""; 0]);
        for (from, to, problem) in [
            ("gpu_check-*", "gpu-check-*", "does not write"),
            ("-m venv", "-m virtualenv --venv /", "CI does not run `python3 -m virtualenv"),
            ("install --quiet", "install --user", "CI does not run `$wheel/bin/pip install --user`"),
            ("[\"gpu-check\"]", "[\"sh\"]", "entry point"),
        ] {
            let found = problems(&FILE.replace(from, to), CI);
            assert!(found.len() == 1 && found[0].contains(problem), "{from}: {found:?}");
        }
    }
}
