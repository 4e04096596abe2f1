//! The languages that there are words in.

use std::cell::Cell;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use unic_langid::LanguageIdentifier;

/// An index of [`Language::ALL`]; none until somebody has said which.
static CURRENT: AtomicUsize = AtomicUsize::new(usize::MAX);

thread_local! {
    /// The language that this thread speaks instead, for a while.
    static OWN: Cell<Option<Language>> = const { Cell::new(None) };
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    #[default]
    English,
    Spanish,
}

impl Language {
    pub const ALL: [Language; 2] = [Language::English, Language::Spanish];

    /// As `--lang` takes it (ISO 639-1).
    pub const fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Spanish => "es",
        }
    }

    /// The language of a POSIX locale such as `es_MX.UTF-8`, as `LC_ALL`, `LC_MESSAGES` and `LANG` hold one.
    pub fn of_locale(locale: &str) -> Option<Language> {
        let code = locale.split(['_', '.', '@', '-']).next()?;
        code.to_ascii_lowercase().parse().ok()
    }

    /// By the environment, which `variable` looks up: `LESSON_LANG`, then the locale as POSIX finds it. The first that
    /// is set decides.
    pub fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Language {
        let first = ["LESSON_LANG", "LC_ALL", "LC_MESSAGES", "LANG"]
            .into_iter()
            .find_map(|name| variable(name).filter(|value| !value.is_empty()));
        first.and_then(|locale| Language::of_locale(&locale)).unwrap_or_default()
    }

    /// The language of this thread, or else of this process: English until [`Language::speak`] is called.
    pub fn current() -> Language {
        Language::spoken().unwrap_or_default()
    }

    /// As [`Language::current`], but only where [`Language::speak`] has set it.
    pub fn spoken() -> Option<Language> {
        OWN.get().or_else(|| Language::ALL.get(CURRENT.load(Ordering::Relaxed)).copied())
    }

    /// The language that was set, or else the environment's: for code that runs inside a program which sets none.
    pub fn of_process() -> Language {
        Language::spoken().unwrap_or_else(|| Language::of_environment(|name| std::env::var(name).ok()))
    }

    /// Makes it the language of this process.
    pub fn speak(self) {
        CURRENT.store(self as usize, Ordering::Relaxed);
    }

    /// Returns the result of `text`, which this thread runs in this language. Other threads speak on as they did.
    pub fn during<T>(self, text: impl FnOnce() -> T) -> T {
        let before = OWN.replace(Some(self));
        let said = text();
        OWN.set(before);
        said
    }

    pub(crate) fn identifier(self) -> LanguageIdentifier {
        self.code().parse().expect("a code of two letters")
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Language {
    type Err = String;

    fn from_str(code: &str) -> Result<Language, String> {
        let all = Language::ALL.into_iter().find(|language| language.code() == code);
        all.ok_or_else(|| format!("no language `{code}`: en, es"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_speaks_for_itself_for_a_while() {
        let before = Language::current();
        Language::Spanish.during(|| {
            assert_eq!(Language::current(), Language::Spanish);
            assert_eq!(Language::English.during(Language::current), Language::English);
            assert_eq!(Language::current(), Language::Spanish);
            std::thread::scope(|scope| assert_eq!(scope.spawn(Language::current).join().ok(), Some(before)));
        });
        assert_eq!(Language::current(), before);
    }

    #[test]
    fn a_locale_names_its_language() {
        for (locale, language) in [
            ("es", Some(Language::Spanish)),
            ("es_MX.UTF-8", Some(Language::Spanish)),
            ("ES_es@euro", Some(Language::Spanish)),
            ("en_GB.UTF-8", Some(Language::English)),
            ("C.UTF-8", None),
            ("de_DE", None),
            ("", None),
        ] {
            assert_eq!(Language::of_locale(locale), language, "{locale:?}");
        }
    }

    #[test]
    fn the_first_variable_that_is_set_decides() {
        let of = |set: &[(&str, &str)]| {
            Language::of_environment(|name| {
                set.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string())
            })
        };
        assert_eq!(of(&[]), Language::English);
        assert_eq!(of(&[("LANG", "es_ES.UTF-8")]), Language::Spanish);
        assert_eq!(of(&[("LANG", "es_ES.UTF-8"), ("LC_ALL", "C")]), Language::English);
        assert_eq!(of(&[("LANG", "es_ES.UTF-8"), ("LC_ALL", "")]), Language::Spanish);
        assert_eq!(of(&[("LESSON_LANG", "es"), ("LC_ALL", "en_US.UTF-8")]), Language::Spanish);
    }
}
