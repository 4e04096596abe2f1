//! `--web FILE.html`: the page that a lesson writes, and what is refused before the work.

use common::testing::Table;
use lesson02_sync::{KERNELS, ROWS};
use serde_json::Value;
use std::path::{Path, PathBuf};

const TABLE: Table = Table { program: env!("CARGO_BIN_EXE_lesson02-sync"), files: KERNELS, rows: ROWS };

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The data of the page of one run.
fn page(name: &str, arguments: &[&str]) -> Value {
    let path = file(name);
    let output = TABLE.run(&[arguments, &["--web", path.to_str().expect("a plain name")]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(&path).expect("a page");
    let (_, data) = page.split_once(r#"id="run">"#).expect("a place for the run");
    let (data, _) = data.split_once("</script>").expect("an end");
    assert!(!data.contains('<'));
    serde_json::from_str(data).expect("JSON")
}

#[test]
fn a_page_has_the_run_its_source_and_its_words_in_both_languages() {
    let page = page("race.html", &["--only", "reverse"]);
    let (trace, finding) = (&page["trace"], &page["findings"][0]);
    assert_eq!((&page["language"], &page["kernel"]), (&"en".into(), &"reverse_broken".into()));
    assert_eq!(page["command"], "cargo run -p lesson02-sync -- --replay reverse/broken/in-order/0/64");
    assert_eq!(page["arrays"], serde_json::json!(["d", "s"]));
    assert_eq!(trace["findings"].as_array().map(Vec::len), page["findings"].as_array().map(Vec::len));
    assert_eq!(finding["message"]["en"], "data race on `s[32]`: no barrier between a write and a read");
    assert_eq!(finding["deeds"][1]["en"], "thread 32 (warp 1) writes 32");
    for (language, words) in
        [("en", ["fix (tried", "73 of 73 runs", "expected 63"]), ("es", ["corrección (probada", "73 de 73", "63"])]
    {
        let report = finding["report"][language].as_str().expect("a report");
        assert!(report.contains(words[0]) && report.contains(words[1]), "{report}");
        assert!(!report.contains('\x1b') && report.contains("reverse/broken/in-order/0/64"), "{report}");
        let answer = page["answer"]["said"][language].as_str().expect("a text");
        assert!(answer.contains(words[2]), "{answer}");
    }
    assert_eq!(page["answer"]["is_right"], false);
    assert_ne!(page["answer"]["said"]["en"], page["answer"]["said"]["es"]);
    let source = &page["sources"][0];
    assert_eq!(page["sources"].as_array().map(Vec::len), Some(1));
    assert_eq!(source["text"], include_str!("../../cuda/lesson02/reverse.cu"));
    let lines: Vec<u64> = serde_json::from_value(source["kernels"][0].clone()).expect("two lines");
    let named = trace["sites"].as_array().expect("a list").iter().map(|site| &site["location"]);
    for place in named {
        assert_eq!(place["file"], source["path"]);
        assert!((lines[0]..=lines[1]).contains(&place["line"].as_u64().expect("a line")), "{place}");
    }
}

#[test]
fn a_page_of_a_correct_run_says_so_in_the_language_of_its_reader() {
    let page = page("correct.html", &["--replay", "reverse/correct/random/7/64", "--lang", "es"]);
    assert_eq!((&page["language"], &page["findings"]), (&"es".into(), &Value::Array(vec![])));
    assert_eq!(page["answer"]["is_right"], true);
    assert_eq!(page["answer"]["said"]["en"], "the answer of this run was correct");
}

#[test]
fn a_page_has_what_its_game_needs() {
    for (name, arguments) in [
        ("broken_game.html", ["--only", "reverse"]),
        ("correct_game.html", ["--replay", "reverse/correct/in-order/0/64"]),
    ] {
        let path = file(name);
        let game = &page(name, &arguments)["game"];
        assert_eq!(
            game["sources"],
            serde_json::json!({ "cuda/lesson02/reverse.cu": include_str!("../../cuda/lesson02/reverse.cu") })
        );
        // The host reads 63, 62 and so on to 0 from the correct kernel.
        let expected = game["expected"][0].as_str().expect("the host reads once");
        assert!(
            expected.starts_with("PwAAAD4AAAA9AAAAPAAA") && expected.ends_with("AwAAAAIAAAABAAAAAAAAAA=="),
            "{expected}"
        );
        let commands = game["recording"]["commands"].as_array().expect("a list");
        let done: Vec<_> = commands.iter().filter_map(|command| command["do"].as_str()).collect();
        assert_eq!(done, ["allocate", "write", "module", "launch", "read", "free"]);
        assert!(game["recording"]["programs"][0][0].as_str().expect("PTX").contains("reverse_correct"));
        // The emulator that plays it is in the page, packed.
        let page = std::fs::read_to_string(&path).expect("a page");
        let (_, packed) = page.split_once(r#"id="emulator">"#).expect("a place for the emulator");
        let (packed, _) = packed.split_once('<').expect("an end");
        let bytes = include_bytes!("../../web/dist/emulator.wasm.gz").len();
        assert!(packed.starts_with("H4sI") && packed.len() == bytes.div_ceil(3) * 4, "{}", packed.len());
    }
}

#[test]
fn a_game_of_a_page_is_a_run_that_the_lesson_makes_again() {
    let token = "reverse/broken/steps/0@w2.0x3,w2.1x2/64";
    let page = page("game.html", &["--replay", token]);
    assert_eq!(page["command"], format!("cargo run -p lesson02-sync -- --replay {token}"));
    assert_eq!(page["any_command"], "cargo run -p lesson02-sync -- --replay reverse/broken/{run}/64");
    assert_eq!(page["game"]["choices"].as_array().map(Vec::len), Some(5));
    // Warp 0 reads all its elements before warp 1 writes them.
    assert_eq!(page["findings"][0]["deeds"][0]["en"], "thread 31 (warp 0) reads 0 (never written)");
    assert_eq!(page["answer"]["is_right"], false);
}

#[test]
fn a_game_of_another_kernel_is_refused_with_the_choice_that_does_not_fit() {
    for (choices, number, says) in [("w2.0,w3.1", 2, "asks for one of `w2`"), ("w2.0x400", 6, "the run ends before it")]
    {
        let output = TABLE.run(&["--replay", &format!("reverse/broken/steps/0@{choices}/64")]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains(says) && error.contains(&format!("choice {number} ")), "{error}");
    }
}

#[test]
fn what_cannot_be_written_is_refused_before_the_work() {
    let nowhere = file("no_such_folder/run.html");
    for (path, says) in [(nowhere.to_str().expect("a plain name"), "--web cannot write"), ("run.txt", ".html")] {
        let output = TABLE.run(&["--only", "reverse", "--web", path]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(output.stdout.is_empty() && error.contains(says), "{error}");
    }
}
