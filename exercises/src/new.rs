//! `cargo learn new TOPIC/NAME`: a new exercise, which works as it comes. An author changes something that holds what
//! it promises, and `verify` says what no longer does.
//!
//! `templates/` has an example of each kind; in its files `NAME` stands for the exercise's name.

use crate::catalog::{Catalog, Exercise};
use crate::pack::{self, Pack};
use crate::spec::ExerciseKind;
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, Item, RawString, Value};

/// Names that the files of an exercise have already.
const TAKEN: [&str; 3] = ["check", "solution", "exercise"];

const LONGEST: usize = 40;

/// The folder and files that were made.
#[derive(Debug)]
pub struct NewExercise {
    /// The exercise's folder.
    pub folder: PathBuf,
    /// All that was written or changed besides: `pack.toml`, the topic's files.
    pub others: Vec<PathBuf>,
}

/// Makes the exercise `wanted`, such as `02_sync/who_wins`, in the catalogue at `folder`. `course` says that this is
/// the course's own, which needs no `pack.toml`.
pub fn create(folder: &Path, templates: &Path, wanted: &str, kind: ExerciseKind, course: bool) -> Result<NewExercise> {
    let Some((topic, name)) = wanted.split_once('/') else {
        bail!(say!("new-unreadable", name = wanted));
    };
    check_name(true, topic)?;
    check_name(false, name)?;
    let begins = ["right_", "wrong_"].iter().any(|beginning| name.starts_with(beginning));
    if begins || TAKEN.contains(&name) || name.starts_with(|c: char| c.is_ascii_digit()) {
        bail!(say!("new-name-taken", name));
    }
    let below = folder.join(topic);
    if below.join(name).exists() {
        bail!(say!("new-is-there", path = below.join(name).display().to_string()));
    }
    if let Ok(catalog) = Catalog::read(folder)
        && let Some(same) = catalog.exercises.iter().find(|exercise: &&Exercise| exercise.short() == name)
    {
        bail!(say!("new-same-name", name = &same.name));
    }
    let mut others = Vec::new();
    make(folder)?;
    if !course && Pack::read(folder)?.is_none() {
        let text = format!("name   = \"{}\"\ncourse = \"{}\"\n", pack::proposed_name(folder), pack::COURSE);
        others.push(write(folder.join(pack::FILE), &text)?);
    }
    make(&below)?;
    let order = below.join("topic.toml");
    if order.exists() {
        // Before anything is written: it may be no list that can be added to.
        let text =
            fs::read_to_string(&order).with_context(|| say!("cannot-read", path = order.display().to_string()))?;
        let longer =
            with_name(&text, name).with_context(|| say!("new-cannot-add", name, path = order.display().to_string()))?;
        write_exercise(templates, kind, &below, name)?;
        others.push(write(order, &longer)?);
    } else {
        write_exercise(templates, kind, &below, name)?;
        let text =
            format!("title  = \"{}\"\nlesson = \"lesson02-sync\"\norder  = [\n    \"{name}\",\n]\n", spoken(topic));
        others.push(write(order, &text)?);
    }
    let about = below.join("README.md");
    if !about.exists() {
        let text = format!(
            "# {topic}\n\nThe topic in one page: the idea, which exercise is about which part of it, and where to \
             read on.\n"
        );
        others.push(write(about, &text)?);
    }
    Ok(NewExercise { folder: below.join(name), others })
}

fn check_name(is_topic: bool, name: &str) -> Result<()> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if name.is_empty() || name.len() > LONGEST || !name.chars().all(is_plain) || name.starts_with('_') {
        bail!(say!("new-bad-name", name, is_topic, most = LONGEST));
    }
    Ok(())
}

/// `02_sync` is `Sync`.
fn spoken(topic: &str) -> String {
    let words = topic.trim_start_matches(|c: char| c.is_ascii_digit() || c == '_').replace('_', " ");
    let mut letters = words.chars();
    letters.next().map_or(topic.to_string(), |first| first.to_uppercase().chain(letters).collect())
}

/// The topic's file with one name more in `order`; everything else stays as it was written.
fn with_name(text: &str, name: &str) -> Result<String> {
    let mut topic: DocumentMut = text.parse()?;
    let order = topic.get_mut("order").and_then(Item::as_array_mut).context(say!("new-no-order"))?;
    let text_of = |raw: Option<&RawString>| raw.and_then(RawString::as_str).unwrap_or_default().to_string();
    // A comment after the last name stays there.
    let comment = text_of(Some(order.trailing())).trim_end().to_string();
    let is_single = order.len() == 1;
    let Some(last) = order.iter_mut().last() else {
        order.push(name);
        return Ok(topic.to_string());
    };
    let (before, behind) = (text_of(last.decor().prefix()), text_of(last.decor().suffix()));
    last.decor_mut().set_suffix("");
    let gap = if is_single && !before.contains('\n') { " " } else { &before };
    let end = if comment.is_empty() { text_of(Some(order.trailing())) } else { "\n".to_string() };
    order.push_formatted(Value::from(name).decorated(comment + gap, behind));
    order.set_trailing(end);
    Ok(topic.to_string())
}

/// The example of this kind under its new name, there whole or not at all.
fn write_exercise(templates: &Path, kind: ExerciseKind, below: &Path, name: &str) -> Result<()> {
    let from = templates.join(kind.as_str());
    let half = below.join(format!(".{name}.{}", std::process::id()));
    make(&half)?;
    let copied = copy(&from, &half, name).and_then(|()| {
        let path = below.join(name);
        fs::rename(&half, &path).with_context(|| say!("cannot-create", path = path.display().to_string()))
    });
    if copied.is_err() {
        // A half copy helps nobody.
        let _ = fs::remove_dir_all(&half);
    }
    copied
}

fn copy(from: &Path, to: &Path, name: &str) -> Result<()> {
    for entry in fs::read_dir(from).with_context(|| say!("cannot-list", path = from.display().to_string()))? {
        let path = entry?.path();
        let text = fs::read_to_string(&path).with_context(|| say!("cannot-read", path = path.display().to_string()))?;
        let file = path.file_name().unwrap_or_default().to_string_lossy().replace("NAME", name);
        write(to.join(file), &text.replace("NAME", name))?;
    }
    Ok(())
}

fn make(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| say!("cannot-create", path = folder.display().to_string()))
}

fn write(path: PathBuf, text: &str) -> Result<PathBuf> {
    fs::write(&path, text).with_context(|| say!("cannot-write", path = path.display().to_string(), why = "other"))?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_added_to_every_way_of_writing_a_list() {
        let head = "title = 't'\nlesson = 'l'\n";
        for (order, with) in [
            ("order = []\n", "order = [\"b\"]\n"),
            ("order = [\"a\"]\n", "order = [\"a\", \"b\"]\n"),
            ("order = [\"a\",]\n", "order = [\"a\", \"b\",]\n"),
            ("order  = [\n    \"a\",\n]\n", "order  = [\n    \"a\",\n    \"b\",\n]\n"),
            ("order = [\n    \"a\"\n]\n", "order = [\n    \"a\",\n    \"b\"\n]\n"),
            ("order = [\n    \"a\", # not [this]\n]\n", "order = [\n    \"a\", # not [this]\n    \"b\",\n]\n"),
        ] {
            assert_eq!(with_name(&format!("{head}{order}"), "b").unwrap(), format!("{head}{with}"));
        }
        assert!(with_name(head, "b").is_err());
    }

    #[test]
    fn a_topic_has_a_title_without_its_number() {
        assert_eq!(
            (spoken("02_sync").as_str(), spoken("my_exam").as_str(), spoken("07").as_str()),
            ("Sync", "My exam", "07")
        );
    }
}
