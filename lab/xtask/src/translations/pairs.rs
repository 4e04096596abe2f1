//! Which texts are written in both languages, and where each of them is.
//!
//! | English | Spanish |
//! |---|---|
//! | `README.md`, a lesson's, a page of `docs/explain/` | `NAME.es.md` |
//! | texts of `exercise.toml`, comments of the file that is handed out | `exercise.es.toml` |
//! | the title in `topic.toml` | `topic.es.toml` |
//! | a message in `messages/en/*.ftl` | the one of that name in `messages/es/*.ftl` |
//! | a kernel's `Expect` paragraph | the message of that name in `common/messages/es/wanted.ftl` |

use crate::fluent;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Pair {
    pub english: Option<String>,
    pub spanish: Option<String>,
}

/// By name: a path below the root, and for a message `CRATE/messages/ID`.
pub type Pairs = BTreeMap<String, Pair>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    English,
    Spanish,
}
use Language::{English, Spanish};

pub fn read(root: &Path) -> Result<Pairs> {
    let mut pairs = Pairs::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root.join(&folder)).with_context(|| format!("cannot list {}", folder.display()))? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = folder.join(&name);
            if !entry.file_type()?.is_dir() {
                read_file(root, &path, &mut pairs).with_context(|| path.display().to_string())?;
            } else if !name.starts_with('.') && name != "target" {
                folders.push(path);
            }
        }
    }
    for (name, pair) in pairs.iter_mut().filter(|(_, pair)| pair.english.is_none()) {
        if let Some(kernel) = name.strip_prefix("common/messages/") {
            pair.english = expected(root, kernel)?;
        }
    }
    Ok(pairs)
}

/// The `Expect` paragraph at the head of `cuda/LESSON/KERNEL.cu`.
fn expected(root: &Path, kernel: &str) -> Result<Option<String>> {
    let Ok(lessons) = fs::read_dir(root.join("cuda")) else { return Ok(None) };
    for lesson in lessons {
        let path = lesson?.path().join(format!("{kernel}.cu"));
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let head = text.lines().map_while(|line| line.strip_prefix("//"));
        let mut paragraph = head.skip_while(|line| !line.starts_with(" Expect"));
        let first = paragraph.next().map(str::to_string);
        let rest = paragraph.take_while(|line| line.starts_with("   "));
        return Ok(first.map(|first| rest.fold(first, |all, line| all + "\n" + line)));
    }
    Ok(None)
}

fn read_file(root: &Path, path: &Path, pairs: &mut Pairs) -> Result<()> {
    let name = path.to_string_lossy();
    let text = || fs::read_to_string(root.join(path)).context("cannot be read");
    let (language, english_name) = match name.replacen(".es.", ".", 1) {
        without if without != name => (Spanish, without),
        _ => (English, name.to_string()),
    };
    if is_page(&english_name) {
        put(pairs, english_name, language, text()?)?;
    } else if let Some(file) = in_catalog(&english_name) {
        let text = match (language, file) {
            (Spanish, _) => text()?,
            (English, "topic.toml") => title(&text()?)?,
            (English, _) => exercise(&text()?, &shipped(&root.join(path)))?,
        };
        put(pairs, english_name, language, text)?;
    } else if let Some((of_crate, rest)) = name.split_once("/messages/").filter(|_| name.ends_with(".ftl")) {
        let language = match rest.split('/').next() {
            Some("en") => English,
            Some("es") => Spanish,
            _ => return Ok(()),
        };
        for message in fluent::messages(&text()?)? {
            put(pairs, format!("{of_crate}/messages/{}", message.id), language, message.source)?;
        }
    }
    Ok(())
}

fn put(pairs: &mut Pairs, name: String, language: Language, text: String) -> Result<()> {
    let pair = pairs.entry(name.clone()).or_default();
    let place = if language == English { &mut pair.english } else { &mut pair.spanish };
    if place.replace(text).is_some() {
        bail!("{name} is there already");
    }
    Ok(())
}

/// A document that has a Spanish one.
fn is_page(path: &str) -> bool {
    match path.rsplit_once('/') {
        None => path == "README.md",
        Some((folder, "README.md")) => folder.starts_with("lesson") && !folder.contains('/'),
        Some((folder, name)) => folder == "docs/explain" && name.ends_with(".md"),
    }
}

/// The name of a file that describes an exercise or a topic of the course.
fn in_catalog(path: &str) -> Option<&str> {
    let below = path.strip_prefix("exercises/catalog/")?;
    match below.split('/').collect::<Vec<_>>()[..] {
        [_, "topic.toml"] => Some("topic.toml"),
        [_, _, "exercise.toml"] => Some("exercise.toml"),
        _ => None,
    }
}

fn title(topic: &str) -> Result<String> {
    let table: toml::Table = topic.parse().context("is no TOML")?;
    Ok(table.get("title").and_then(toml::Value::as_str).context("has no title")?.to_string())
}

/// Returns the text that a student reads: numbers, sizes and names of kernels may change without making a translation
/// stale.
fn exercise(description: &str, shipped: &str) -> Result<String> {
    let table: toml::Table = description.parse().context("is no TOML")?;
    let mut texts: Vec<&str> = Vec::new();
    let list = |key: &str| table.get(key).and_then(toml::Value::as_array).into_iter().flatten();
    texts.extend(["title", "idea"].iter().filter_map(|key| table.get(*key)?.as_str()));
    texts.extend(list("hints").filter_map(toml::Value::as_str));
    texts.extend(list("question").filter_map(|question| question.get("text")?.as_str()));
    texts.extend(shipped.lines().filter_map(comment));
    Ok(texts.join("\n"))
}

fn comment(line: &str) -> Option<&str> {
    let (_, comment) = line.split_once("//")?;
    Some(comment.trim())
}

/// `NAME.cu` or `NAME.rs` in the folder `NAME` of this description. A host exercise has both; the program is handed
/// out.
fn shipped(description: &Path) -> String {
    let folder = description.parent().unwrap_or(Path::new(""));
    let stem = folder.file_name().unwrap_or_default().to_string_lossy();
    let file = |ending| fs::read_to_string(folder.join(format!("{stem}.{ending}"))).ok();
    file("rs").or_else(|| file("cu")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_kernel_should_give_stands_in_its_file() {
        let kernel = "// a.cu: one\n//\n// Idea      none\n// Expect    broken: race. correct: the sum\n\
            //           of all\n// PTX       x\n";
        let files = [("cuda/lesson09/a.cu", kernel), ("common/messages/es/wanted.ftl", "a = la suma\nb = nada\n")];
        let pairs = read_files(&files).unwrap();
        let expected = " Expect    broken: race. correct: the sum\n           of all";
        assert_eq!(pairs["common/messages/a"].english.as_deref(), Some(expected));
        assert_eq!(pairs["common/messages/b"].english, None);
    }

    /// The pairs in a folder of these files.
    fn read_files(files: &[(&str, &str)]) -> Result<Pairs> {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        read(root.path())
    }

    fn pair(english: &str, spanish: &str) -> Pair {
        Pair { english: Some(english.to_string()), spanish: Some(spanish.to_string()) }
    }

    #[test]
    fn pages_have_a_spanish_file_beside_them() {
        let pairs = read_files(&[
            ("README.md", "r"),
            ("lesson02-sync/README.md", "two"),
            ("lesson02-sync/README.es.md", "dos"),
            ("docs/explain/deadlock.es.md", "d"),
            ("docs/modes.md", "not this"),
            ("exercises/README.md", "nor this"),
            ("target/README.md", "nor this"),
        ])
        .unwrap();
        assert_eq!(
            pairs.keys().collect::<Vec<_>>(),
            ["README.md", "docs/explain/deadlock.md", "lesson02-sync/README.md"]
        );
        assert_eq!(pairs["lesson02-sync/README.md"], pair("two", "dos"));
        assert_eq!((&pairs["README.md"].spanish, &pairs["docs/explain/deadlock.md"].english), (&None, &None));
    }

    #[test]
    fn an_exercise_is_what_a_student_reads() {
        let english = |description: &str, shipped: &str| {
            let file = |name: &str| format!("exercises/catalog/02_sync/one/{name}");
            let files =
                [(file("exercise.toml"), description), (file("exercise.es.toml"), "es"), (file("one.cu"), shipped)];
            let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
            read_files(&files).unwrap().remove("exercises/catalog/02_sync/one/exercise.toml").unwrap()
        };
        let description = "title = 't'\nhints = ['h']\nminutes = 8\n[[question]]\ntext = 'q'\n";
        assert_eq!(english(description, "// c\nint x; // TODO: d\n"), pair("t\nh\nq\nc\nTODO: d", "es"));
        assert_eq!(
            english(&description.replace('8', "9"), "// c\nint y; // TODO: d\n"),
            english(description, "// c\n// TODO: d\n")
        );
        let topics = [
            ("exercises/catalog/02_sync/topic.toml", "title = 't'\norder = ['a']"),
            ("exercises/catalog/02_sync/topic.es.toml", "es"),
        ];
        assert_eq!(read_files(&topics).unwrap()["exercises/catalog/02_sync/topic.toml"], pair("t", "es"));
    }

    #[test]
    fn messages_are_pairs_by_their_names() {
        let english = ("report/messages/en/a.ftl", "# c\nfound = one\nlost = two\n");
        let spanish = ("report/messages/es/b.ftl", "found = uno\n-own = x\n");
        let pairs = read_files(&[english, spanish]).unwrap();
        assert_eq!(pairs["report/messages/found"], pair("found = one\n", "found = uno\n"));
        assert_eq!(pairs["report/messages/lost"].spanish, None);
        assert_eq!(pairs["report/messages/-own"].english, None);
        assert!(read_files(&[english, ("report/messages/en/b.ftl", "found = again\n")]).is_err());
    }
}
