//! Small programs and the words that their reports must have.
//!
//! The first lines of a file in `tests/words/` say what is expected: `// says: WORDS` in English, `// dice: WORDS` in
//! Spanish, both as often as needed, and `// never: WORDS` for what neither may say. `// flags: ...` are for nvcc.

use kernel_build::Nvcc;
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn reports_have_their_words() {
    if skipped::unless(skipped::CUDA_COMPILER, &Nvcc::find()) {
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/words");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut wrong = Vec::new();
    for path in &paths {
        let text = fs::read_to_string(path).unwrap();
        let all = |what: &str| -> Vec<&str> {
            let plain = text.lines().filter_map(|line| line.strip_prefix("// "));
            plain.filter_map(|line| Some(line.strip_prefix(what)?.trim())).collect()
        };
        for (language, key) in [("en", "says:"), ("es", "dice:")] {
            let wanted = all(key);
            assert!(!wanted.is_empty(), "{} has words in both languages", path.display());
            let flags = format!("--nvcc-flags={}", all("flags:").join(" "));
            let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-check"));
            let output =
                command.args(["--lang", language, &flags]).arg(path).env_remove("LESSON_DEVICE").output().unwrap();
            let report = String::from_utf8_lossy(&output.stderr);
            let name = path.file_name().unwrap().to_string_lossy();
            for words in wanted.iter().filter(|words| !report.contains(**words)) {
                wrong.push(format!("{name} ({language}) does not say {words:?}: {report}"));
            }
            for words in all("never:").iter().filter(|words| report.contains(**words)) {
                wrong.push(format!("{name} ({language}) says {words:?}: {report}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
