//! The exercises on disk: `catalog/02_sync/missing_barrier/`, and what lies in such a folder.

use crate::pack::Pack;
use crate::spec::{Kind, Spec, Topic};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// Everything there is, in order.
#[derive(Debug)]
pub struct Catalog {
    pub folder: PathBuf,
    pub topics: Vec<(String, Topic)>,
    pub exercises: Vec<Exercise>,
    /// Where they are no part of the course.
    pub pack: Option<Pack>,
}

#[derive(Clone, Debug)]
pub struct Exercise {
    /// `02_sync/missing_barrier`
    pub name: String,
    pub folder: PathBuf,
    pub spec: Spec,
}

impl Catalog {
    pub fn read(folder: &Path) -> Result<Catalog> {
        let pack = Pack::read(folder)?;
        let mut catalog = Catalog { folder: folder.to_path_buf(), topics: Vec::new(), exercises: Vec::new(), pack };
        for name in folders(folder)? {
            let below = folder.join(&name);
            // Whatever else lies beside topics, such as a class's submissions.
            if !below.join("topic.toml").is_file() {
                continue;
            }
            let topic: Topic = read_toml(&below.join("topic.toml"))?;
            for exercise in &topic.order {
                let folder = below.join(exercise);
                let spec: Spec = read_toml(&folder.join("exercise.toml"))?;
                catalog.exercises.push(Exercise { name: format!("{name}/{exercise}"), folder, spec });
            }
            catalog.topics.push((name, topic));
        }
        if catalog.exercises.is_empty() {
            bail!("there are no exercises in {}; `cargo learn new` makes one", folder.display());
        }
        Ok(catalog)
    }

    /// By its whole name, or by the part behind the topic where that is clear.
    pub fn find(&self, name: &str) -> Result<&Exercise> {
        let name = name.trim_end_matches(".cu").trim_end_matches(".rs");
        let is_it = |exercise: &&Exercise| exercise.name == name || exercise.short() == name;
        let found: Vec<&Exercise> = self.exercises.iter().filter(is_it).collect();
        match found[..] {
            [one] => Ok(one),
            [] => match self.exercises.iter().find(|exercise| exercise.name.contains(name)) {
                Some(near) => bail!("no exercise is called `{name}`; did you mean `{}`?", near.name),
                None => bail!("no exercise is called `{name}`; `cargo learn list` names all"),
            },
            _ => bail!("several exercises are called `{name}`: {}", names(&found)),
        }
    }

    /// All whose name begins with a topic or holds `part`.
    pub fn matching(&self, part: &str) -> Vec<&Exercise> {
        self.exercises.iter().filter(|exercise| exercise.name.contains(part)).collect()
    }

    /// Where the folders and the lists of topics disagree.
    pub fn disagreements(&self) -> Result<Vec<String>> {
        let mut wrong = Vec::new();
        for name in folders(&self.folder)? {
            let below = self.folder.join(&name);
            let has_exercises = folders(&below)?.iter().any(|one| below.join(one).join("exercise.toml").is_file());
            if has_exercises && !self.topics.iter().any(|(known, _)| *known == name) {
                wrong.push(format!("{name} has no topic.toml"));
            }
        }
        for (name, topic) in &self.topics {
            for found in folders(&self.folder.join(name))? {
                if !topic.order.contains(&found) {
                    wrong.push(format!("{name}/{found} is not in the topic's order"));
                }
            }
            if !self.folder.join(name).join("README.md").is_file() {
                wrong.push(format!("{name} has no README.md"));
            }
        }
        Ok(wrong)
    }
}

fn names(exercises: &[&Exercise]) -> String {
    exercises.iter().map(|exercise| exercise.name.as_str()).collect::<Vec<_>>().join(", ")
}

impl Exercise {
    /// `missing_barrier`
    pub fn short(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or(&self.name)
    }

    /// Whether it can be done without a CUDA compiler: its kernels run from stored PTX.
    pub fn needs_no_compiler(&self) -> bool {
        self.spec.kind.is_puzzle() || self.spec.kind == Kind::Host
    }

    pub fn topic(&self) -> &str {
        self.name.split('/').next().unwrap_or(&self.name)
    }

    /// `missing_barrier.cu`
    pub fn file_name(&self) -> String {
        format!("{}.{}", self.short(), if self.spec.kind == Kind::Host { "rs" } else { "cu" })
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
        for entry in fs::read_dir(&self.folder).with_context(|| format!("cannot list {}", self.folder.display()))? {
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

/// Names of the folders in `folder`, sorted; without hidden ones, such as `.git`, and without links, which may lead anywhere.
pub fn folders(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() && !name.starts_with('.') {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

pub fn read_toml<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    toml::from_str(&text).with_context(|| format!("{} is not as exercises/AUTHORS.md describes it", path.display()))
}
