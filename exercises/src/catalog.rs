//! The exercises on disk: `catalog/02_sync/missing_barrier/`, and what lies in such a folder.

use crate::Language;
use crate::pack::Pack;
use crate::spanish::{Spanish, SpanishTopic};
use crate::spec::{ExerciseKind, Spec, Topic};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Everything there is, in order.
#[derive(Debug)]
pub struct Catalog {
    pub folder: PathBuf,
    pub topics: Vec<(String, Topic)>,
    /// Titles in Spanish, by the topics' names.
    spanish: BTreeMap<String, SpanishTopic>,
    pub exercises: Vec<Exercise>,
    /// The pack of the exercises, if they are no part of the course.
    pub pack: Option<Pack>,
}

#[derive(Clone, Debug)]
pub struct Exercise {
    /// `02_sync/missing_barrier`
    pub name: String,
    pub folder: PathBuf,
    pub spec: Spec,
    /// Its texts in Spanish, where somebody has written them.
    pub spanish: Option<Spanish>,
}

impl Catalog {
    pub fn read(folder: &Path) -> Result<Catalog> {
        let pack = Pack::read(folder)?;
        let mut catalog = Catalog { folder: folder.to_path_buf(), ..Catalog::empty(pack) };
        for name in folders(folder)? {
            let below = folder.join(&name);
            // Whatever else lies beside topics, such as a class's submissions.
            if !below.join("topic.toml").is_file() {
                continue;
            }
            let topic: Topic = read_toml(&below.join("topic.toml"))?;
            for exercise in &topic.order {
                let folder = below.join(exercise);
                if !folder.is_dir() {
                    bail!(say!("topic-order-names", name = &name, exercise));
                }
                let spec: Spec = read_toml(&folder.join("exercise.toml"))?;
                let spanish = read_if_there(&folder.join(SPANISH))?;
                catalog.exercises.push(Exercise { name: format!("{name}/{exercise}"), folder, spec, spanish });
            }
            if let Some(spanish) = read_if_there(&below.join(SPANISH_TOPIC))? {
                catalog.spanish.insert(name.clone(), spanish);
            }
            catalog.topics.push((name, topic));
        }
        if catalog.exercises.is_empty() {
            // Some may be there, and belong to no topic.
            let wrong = catalog.disagreements()?;
            if !wrong.is_empty() {
                bail!(wrong.join("; "));
            }
            bail!(say!("no-exercises-in", folder = folder.display().to_string()));
        }
        Ok(catalog)
    }

    /// By its whole name, or by the part after the topic where that is clear.
    pub fn find(&self, name: &str) -> Result<&Exercise> {
        let name = name.trim_end_matches(".cu").trim_end_matches(".rs");
        let is_it = |exercise: &&Exercise| exercise.name == name || exercise.short() == name;
        let found: Vec<&Exercise> = self.exercises.iter().filter(is_it).collect();
        match found[..] {
            [one] => Ok(one),
            [] => match self.exercises.iter().find(|exercise| exercise.name.contains(name)) {
                Some(near) => bail!(say!("exercise-unknown-near", name, near = &near.name)),
                None => bail!(say!("exercise-unknown", name)),
            },
            _ => bail!(say!("exercise-ambiguous", name, names = names(&found))),
        }
    }

    /// A topic by its name, as in `02_sync`, or by one half of that: `2`, `sync`.
    pub fn topic(&self, name: &str) -> Option<&str> {
        let name = name.trim_end_matches('/');
        let is_half = |topic: &str| {
            let Some((number, word)) = topic.split_once('_') else { return false };
            word == name || number.parse::<u32>().is_ok_and(|number| name.parse() == Ok(number))
        };
        let mut names = self.topics.iter().map(|(topic, _)| topic.as_str());
        names.clone().find(|topic| *topic == name).or_else(|| names.find(|topic| is_half(topic)))
    }

    fn empty(pack: Option<Pack>) -> Catalog {
        let (folder, topics, spanish, exercises) = (PathBuf::new(), Vec::new(), BTreeMap::new(), Vec::new());
        Catalog { folder, topics, spanish, exercises, pack }
    }

    /// A topic's title in this process's language.
    pub fn title<'a>(&'a self, name: &str, topic: &'a Topic) -> &'a str {
        self.title_in(name, topic, Language::current())
    }

    pub fn title_in<'a>(&'a self, name: &str, topic: &'a Topic, language: Language) -> &'a str {
        match language {
            Language::English => &topic.title,
            Language::Spanish => self.spanish.get(name).map_or(&topic.title, |spanish| &spanish.title),
        }
    }

    /// All whose name begins with a topic or holds `part`.
    pub fn matching(&self, part: &str) -> Vec<&Exercise> {
        self.exercises.iter().filter(|exercise| exercise.name.contains(part)).collect()
    }

    /// Returns the disagreements of the folders and the lists of topics.
    pub fn disagreements(&self) -> Result<Vec<String>> {
        let mut wrong = Vec::new();
        for name in folders(&self.folder)? {
            let below = self.folder.join(&name);
            let has_exercises = folders(&below)?.iter().any(|one| below.join(one).join("exercise.toml").is_file());
            if has_exercises && !self.topics.iter().any(|(known, _)| *known == name) {
                wrong.push(say!("topic-without-file", name));
            }
        }
        for (name, topic) in &self.topics {
            for found in folders(&self.folder.join(name))? {
                if !topic.order.contains(&found) {
                    wrong.push(say!("topic-order-lacks", name, found));
                }
            }
            if !self.folder.join(name).join("README.md").is_file() {
                wrong.push(say!("topic-without-readme", name));
            }
        }
        Ok(wrong)
    }
}

fn names(exercises: &[&Exercise]) -> String {
    exercises.iter().map(|exercise| exercise.name.as_str()).collect::<Vec<_>>().join(", ")
}

impl Exercise {
    /// Texts in this process's language; English where there are no others.
    pub fn title(&self) -> &str {
        self.translated().map_or(&self.spec.title, |spanish| &spanish.title)
    }

    pub fn idea(&self) -> &str {
        self.translated().map_or(&self.spec.idea, |spanish| &spanish.idea)
    }

    pub fn hints(&self) -> &[String] {
        self.translated().map_or(&self.spec.hints, |spanish| &spanish.hints)
    }

    /// The question of this number, from 0.
    pub fn question(&self, number: usize) -> &str {
        let spanish = self.translated().and_then(|spanish| spanish.questions.get(number));
        spanish.or(self.spec.questions.get(number).map(|question| &question.text)).map_or("", String::as_str)
    }

    /// Returns the meaning of a number from `accept`, from 0.
    pub fn meaning(&self, number: usize) -> Option<&str> {
        let spanish = self.translated().and_then(|spanish| spanish.verdicts.get(number));
        let english = || self.spec.reference.as_ref().and_then(|reference| reference.verdicts.get(number));
        spanish.or_else(english).map(String::as_str)
    }

    fn translated(&self) -> Option<&Spanish> {
        self.spanish.as_ref().filter(|_| Language::current() == Language::Spanish)
    }

    /// The file as it is handed out, in this process's language.
    pub fn handed_out(&self) -> Result<String> {
        let english = self.english()?;
        Ok(self.translated().map_or_else(|| english.clone(), |spanish| spanish.file(&english)))
    }

    /// The file as it is handed out, in every language that there is.
    pub fn handed_out_in_any(&self) -> Result<Vec<String>> {
        let english = self.english()?;
        let spanish = self.spanish.as_ref().map(|spanish| spanish.file(&english));
        Ok([english].into_iter().chain(spanish).collect())
    }

    fn english(&self) -> Result<String> {
        let path = self.shipped();
        let bytes = fs::read(&path).with_context(|| say!("cannot-read", path = path.display().to_string()))?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// `missing_barrier`
    pub fn short(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or(&self.name)
    }

    /// True if it can be done without a CUDA compiler: its kernels run from stored PTX.
    pub fn needs_no_compiler(&self) -> bool {
        self.spec.kind.is_puzzle() || self.spec.kind == ExerciseKind::Host
    }

    pub fn topic(&self) -> &str {
        self.name.split('/').next().unwrap_or(&self.name)
    }

    /// `missing_barrier.cu`
    pub fn file_name(&self) -> String {
        format!("{}.{}", self.short(), if self.spec.kind == ExerciseKind::Host { "rs" } else { "cu" })
    }

    /// `02_sync/missing_barrier.cu`: what its file is called where nobody needs to know the folder.
    pub fn path(&self) -> String {
        format!("{}/{}", self.topic(), self.file_name())
    }

    /// The file as it is handed out.
    pub fn shipped(&self) -> PathBuf {
        self.folder.join(self.file_name())
    }

    pub fn solution(&self) -> PathBuf {
        self.shipped().with_file_name(self.file_name().replace(self.short(), "solution"))
    }

    pub fn check_file(&self) -> PathBuf {
        self.folder.join("check.cu")
    }

    /// Files whose names begin so, by name: `right_`, `wrong_`.
    pub fn files(&self, beginning: &str) -> Result<Vec<PathBuf>> {
        let mut found = Vec::new();
        for entry in
            fs::read_dir(&self.folder).with_context(|| say!("cannot-list", path = self.folder.display().to_string()))?
        {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.starts_with(beginning) && (name.ends_with(".cu") || name.ends_with(".rs")) {
                found.push(path);
            }
        }
        found.sort();
        Ok(found)
    }
}

/// The texts in Spanish, of an exercise and of a topic.
pub const SPANISH: &str = "exercise.es.toml";
pub const SPANISH_TOPIC: &str = "topic.es.toml";

/// Names of the folders in `folder`, sorted; without hidden ones, such as `.git`, and without links, which may lead
/// anywhere.
pub fn folders(folder: &Path) -> Result<Vec<String>> {
    Ok(folder_names(folder)?.iter().map(|name| name.to_string_lossy().into_owned()).collect())
}

/// As [`folders`], and also names that are no text.
pub fn folder_names(folder: &Path) -> Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| say!("cannot-list", path = folder.display().to_string()))? {
        let entry = entry?;
        let name = entry.file_name();
        if entry.file_type()?.is_dir() && !name.to_string_lossy().starts_with('.') {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

fn read_if_there<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    if path.is_file() { read_toml(path).map(Some) } else { Ok(None) }
}

pub fn read_toml<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T> {
    let text = fs::read_to_string(path).with_context(|| say!("cannot-read", path = path.display().to_string()))?;
    toml::from_str(&text).with_context(|| say!("toml-not-as-described", path = path.display().to_string()))
}
