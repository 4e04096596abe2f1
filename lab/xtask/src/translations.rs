//! `cargo xtask translations`: each Spanish text beside its English one, and whether it still says the same.
//!
//! `docs/translations.lock` has a line per pair: its name and short hashes of both texts, as they were when somebody
//! last saw that they agree. An English text that changes alone makes its Spanish one stale.

mod pairs;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use pairs::{Pair, Pairs};

const LOCK: &str = "docs/translations.lock";

const HEAD: &str =
    "# Made by `cargo xtask translations`: what the English text and the Spanish one were when they last agreed.\n";

/// The hashes of a pair's texts.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Hashes {
    english: String,
    spanish: String,
}

type Lock = BTreeMap<String, Hashes>;

pub fn check(root: &Path) -> Result<String> {
    let pairs = pairs::read(root)?;
    let problems = problems(&pairs, &lock(root)?);
    if problems.is_empty() {
        return Ok(format!("{} Spanish texts are in step with the English ones", pairs.len()));
    }
    bail!("{} translations are not in step\n  {}", problems.len(), problems.join("\n  "))
}

/// `--still-right NAME` again and again, or `--still-right all`.
pub fn names(arguments: &[&str]) -> Option<Vec<String>> {
    let name = |option: &[&str]| match option {
        ["--still-right", name] if !name.starts_with('-') => Some(name.to_string()),
        _ => None,
    };
    arguments.chunks(2).map(name).collect()
}

pub fn remake(root: &Path, still_right: &[String]) -> Result<String> {
    let pairs = pairs::read(root)?;
    if let Some(name) = still_right.iter().find(|name| *name != "all" && !pairs.contains_key(*name)) {
        bail!("there is no text `{name}`; the names are in {LOCK}");
    }
    let (lock, refused) = renewed(&pairs, &lock(root)?, still_right);
    let line = |(name, Hashes { english, spanish }): (&String, &Hashes)| format!("{name} {english} {spanish}\n");
    let text: String = HEAD.to_string() + &lock.iter().map(line).collect::<String>();
    fs::write(root.join(LOCK), text).with_context(|| format!("cannot write {LOCK}"))?;
    if refused.is_empty() {
        return Ok(format!("{LOCK} has {} pairs of texts", lock.len()));
    }
    bail!(
        "only the English text has changed; bring the Spanish one up to date, or say `--still-right NAME` where it \
         still says \
         the same\n  {}",
        refused.join("\n  ")
    )
}

fn lock(root: &Path) -> Result<Lock> {
    let path = root.join(LOCK);
    let text = if path.exists() {
        fs::read_to_string(&path).with_context(|| format!("cannot read {LOCK}"))?
    } else {
        String::new()
    };
    parsed(&text)
}

fn parsed(text: &str) -> Result<Lock> {
    let mut lock = Lock::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let [name, english, spanish] = line.split(' ').collect::<Vec<_>>()[..] else {
            bail!("{LOCK}: `{line}` is not a name and two hashes");
        };
        lock.insert(name.to_string(), Hashes { english: english.to_string(), spanish: spanish.to_string() });
    }
    Ok(lock)
}

fn problems(pairs: &Pairs, lock: &Lock) -> Vec<String> {
    let mut problems = Vec::new();
    for (name, pair) in pairs {
        let problem = match (pair.hashes(), lock.get(name)) {
            (None, _) if pair.english.is_some() => "has no Spanish text",
            (None, _) => "has a Spanish text and no English one",
            (Some(_), None) => "is not in the lock; run `cargo xtask translations`",
            (Some(now), Some(then)) => match (now.english == then.english, now.spanish == then.spanish) {
                (true, true) => continue,
                (false, true) => "is stale: the English text has changed and the Spanish one has not",
                _ => "has changed; if both texts say the same, run `cargo xtask translations`",
            },
        };
        problems.push(format!("{name} {problem}"));
    }
    let gone = lock.keys().filter(|name| !pairs.contains_key(*name));
    problems.extend(gone.map(|name| format!("{name} is in the lock and nowhere else; run `cargo xtask translations`")));
    problems
}

/// The lock as it should be now, and the pairs whose line stays as it was: only their English text has changed.
fn renewed(pairs: &Pairs, lock: &Lock, still_right: &[String]) -> (Lock, Vec<String>) {
    let mut renewed = Lock::new();
    let mut refused = Vec::new();
    for (name, pair) in pairs {
        let Some(now) = pair.hashes() else { continue };
        let confirmed = still_right.iter().any(|one| one == "all" || one == name);
        match lock.get(name) {
            Some(then) if then.english != now.english && then.spanish == now.spanish && !confirmed => {
                refused.push(name.clone());
                renewed.insert(name.clone(), then.clone());
            }
            _ => {
                renewed.insert(name.clone(), now);
            }
        }
    }
    (renewed, refused)
}

impl Pair {
    fn hashes(&self) -> Option<Hashes> {
        Some(Hashes { english: short_hash(self.english.as_ref()?), spanish: short_hash(self.spanish.as_ref()?) })
    }
}

/// Twelve hexadecimal digits: enough to see a change.
fn short_hash(text: &str) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(text).iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(texts: &[(&str, &str, &str)]) -> Pairs {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_string());
        let pair = |(name, english, spanish): &(&str, &str, &str)| {
            (name.to_string(), Pair { english: text(english), spanish: text(spanish) })
        };
        texts.iter().map(pair).collect()
    }

    fn locked(texts: &[(&str, &str, &str)]) -> Lock {
        renewed(&pairs(texts), &Lock::new(), &[]).0
    }

    #[test]
    fn each_way_to_be_out_of_step_is_told() {
        let lock = locked(&[("a", "one", "uno"), ("b", "two", "dos")]);
        let told = |texts: &[(&str, &str, &str)]| problems(&pairs(texts), &lock);
        assert!(told(&[("a", "one", "uno"), ("b", "two", "dos")]).is_empty());
        let stale = told(&[("a", "first", "uno"), ("b", "two", "dos")]);
        assert_eq!(stale, ["a is stale: the English text has changed and the Spanish one has not"]);
        assert_eq!(told(&[("a", "one", ""), ("b", "two", "dos")]), ["a has no Spanish text"]);
        assert_eq!(told(&[("a", "", "uno"), ("b", "two", "dos")]), ["a has a Spanish text and no English one"]);
        assert_eq!(told(&[("a", "one", "un"), ("b", "second", "segundo")]).len(), 2);
        assert_eq!(told(&[("a", "one", "uno"), ("b", "two", "dos"), ("c", "three", "tres")]).len(), 1);
        assert_eq!(told(&[("a", "one", "uno")]), ["b is in the lock and nowhere else; run `cargo xtask translations`"]);
    }

    #[test]
    fn a_line_is_renewed_when_the_spanish_text_has_changed_too() {
        let lock = locked(&[("a", "one", "uno"), ("b", "two", "dos"), ("c", "three", "tres")]);
        let now =
            pairs(&[("a", "first", "uno"), ("b", "second", "segundo"), ("d", "four", "cuatro"), ("e", "five", "")]);
        let (kept, refused) = renewed(&now, &lock, &[]);
        assert_eq!(refused, ["a"]);
        assert_eq!(kept["a"], lock["a"]);
        assert_ne!(kept["b"], lock["b"]);
        assert_eq!(kept.keys().collect::<Vec<_>>(), ["a", "b", "d"]);
        for name in ["a", "all"] {
            let (kept, refused) = renewed(&now, &lock, &[name.to_string()]);
            assert!(refused.is_empty());
            assert_ne!(kept["a"], lock["a"]);
        }
    }

    #[test]
    fn a_lock_is_read_back() {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("docs")).unwrap();
        fs::write(root.path().join("README.md"), "one").unwrap();
        fs::write(root.path().join("README.es.md"), "uno").unwrap();
        assert!(check(root.path()).unwrap_err().to_string().contains("README.md is not in the lock"));
        remake(root.path(), &[]).unwrap();
        assert!(check(root.path()).is_ok());
        fs::write(root.path().join("README.md"), "first").unwrap();
        assert!(remake(root.path(), &[]).unwrap_err().to_string().ends_with("\n  README.md"));
        assert!(check(root.path()).unwrap_err().to_string().contains("README.md is stale"));
        assert!(remake(root.path(), &["LICENSE".to_string()]).is_err());
        remake(root.path(), &["README.md".to_string()]).unwrap();
        assert!(check(root.path()).is_ok());
        assert!(parsed("README.md 12\n").is_err());
    }

    #[test]
    fn options_are_names_of_texts() {
        assert_eq!(names(&[]), Some(vec![]));
        assert_eq!(names(&["--still-right", "a", "--still-right", "b"]), Some(vec!["a".to_string(), "b".to_string()]));
        assert_eq!(names(&["--still-right"]), None);
        assert_eq!(names(&["a"]), None);
    }
}
