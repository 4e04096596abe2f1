//! The composite action for other people's workflows. GitHub's machines run it; here its form is checked, and a test
//! runs its script with a stand-in for the command.

use super::unpinned;
use std::collections::BTreeSet;

/// Returns the problems of an action: its form, and inputs that are declared and not used, or the other way about.
pub fn problems(text: &str) -> Vec<String> {
    let mut problems = unpinned(text);
    let top: Vec<&str> = text.lines().filter(|line| line.starts_with(char::is_alphabetic)).collect();
    let keys: Vec<&str> = top.iter().filter_map(|line| line.split(':').next()).collect();
    if keys != ["name", "description", "inputs", "runs"] {
        problems.push(format!("name, description, inputs and runs are expected, not {}", keys.join(", ")));
    }
    if !text.contains("\nruns:\n  using: composite\n  steps:\n") {
        problems.push("it is no composite action".to_string());
    }
    let count = |what: &str| text.lines().filter(|line| line.trim().starts_with(what)).count();
    if count("run:") != count("shell:") {
        problems.push("each `run` needs a `shell`".to_string());
    }
    let (declared, used) = (declared(text), used(text));
    problems.extend(declared.difference(&used).map(|name| format!("the input `{name}` is not used")));
    problems.extend(used.difference(&declared).map(|name| format!("there is no input `{name}`")));
    let scripts = scripts(text);
    if scripts.iter().any(|script| script.contains("${{")) {
        problems.push("a script takes inputs from its environment: else a user's text would be code".to_string());
    }
    problems
}

/// The names below `inputs:`, which are indented by two.
fn declared(text: &str) -> BTreeSet<&str> {
    let inputs = text.lines().skip_while(|line| *line != "inputs:").skip(1);
    let inputs = inputs.take_while(|line| line.is_empty() || line.starts_with(' '));
    inputs.filter(|line| !line.starts_with("   ")).filter_map(|line| line.trim().strip_suffix(':')).collect()
}

fn used(text: &str) -> BTreeSet<&str> {
    let is_name = |one: char| one.is_alphanumeric() || one == '-' || one == '_';
    let after = text.split("inputs.").skip(1);
    after.map(|rest| rest.split(|one| !is_name(one)).next().unwrap_or_default()).collect()
}

/// The blocks below `run: |`, as the shell gets them.
fn scripts(text: &str) -> Vec<String> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut scripts = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.trim() == "run: |") {
        let below = lines[at + 1..].iter().take_while(|one| one.is_empty() || indent(one) > indent(line));
        scripts.push(below.map(|one| one.get(indent(line) + 2..).unwrap_or_default().to_string() + "\n").collect());
    }
    scripts
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::process::Command;

    const ACTION: &str = include_str!("../../../../.github/actions/gpu-check/action.yml");

    #[test]
    fn mistakes_in_an_action_are_named() {
        assert_eq!(problems(ACTION), [""; 0]);
        for (from, to, problem) in [
            ("using: composite", "using: docker", "composite"),
            ("inputs.schedules", "inputs.schedule", "no input `schedule`"),
            ("inputs.wheel", "inputs.sarif", "`wheel` is not used"),
            ("      shell: bash\n", "", "`shell`"),
            ("upload-sarif@4dd16135b69a43b6c8efb853346f8437d92d3c93", "upload-sarif@v3", "by its commit"),
            ("\"$WHEEL\" ]", "\"${{ inputs.wheel }}\" ]", "code"),
            ("\nruns:", "\nrun:", "name, description"),
        ] {
            let found = problems(&ACTION.replacen(from, to, 1));
            assert!(found.iter().any(|one| one.contains(problem)), "{from}: {found:?}");
        }
    }

    #[test]
    fn its_script_calls_the_command_as_the_inputs_say() {
        let scripts = scripts(ACTION);
        let place = tempfile::tempdir().unwrap();
        let program = place.path().join("gpu-check");
        fs::write(&program, "#!/bin/sh\nprintf '<%s>' \"$@\"\necho\n[ \"$2\" != status ]\n").unwrap();
        fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
        let path = format!("{}:{}", place.path().display(), std::env::var("PATH").unwrap());
        for (command, schedules, args, sarif, called) in [
            ("ctest -j2", "", "", "", "<--><ctest><-j2>\n"),
            ("a", "reverse", "--fast", "x", "<--fast><--schedules><reverse><--format><sarif><--log-file><x><--><a>\n"),
            ("my.cu", "", "", "", "<toolkit><status>\n<toolkit><install>\n<--><my.cu>\n"),
        ] {
            // As GitHub starts `shell: bash`.
            let mut bash = Command::new("bash");
            bash.args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", &scripts[1]]);
            bash.env("PATH", &path).env("COMMAND", command).env("SCHEDULES", schedules);
            let output = bash.env("ARGS", args).env("SARIF", sarif).output().unwrap();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), called, "{command}");
        }
        let status = Command::new("bash").args(["-n", "-c", &scripts[0]]).status().unwrap();
        assert!(status.success() && scripts.len() == 2);
    }
}
