//! A text in every language, for a reader who may choose another one.

use serde::Serialize;
use std::convert::Infallible;
use words::Language;

/// A text in each language.
#[derive(Clone, Debug, Serialize)]
pub struct Bilingual {
    pub en: String,
    es: String,
}

impl Bilingual {
    /// `text` is called once for each language, while this thread speaks it.
    pub fn of(mut text: impl FnMut(Language) -> String) -> Bilingual {
        let Ok(said) = Bilingual::try_of(|language| Ok::<_, Infallible>(text(language)));
        said
    }

    /// As [`Bilingual::of`], for a text that may be missing.
    pub fn try_of<E>(mut text: impl FnMut(Language) -> Result<String, E>) -> Result<Bilingual, E> {
        let mut in_language = |language: Language| language.during(|| text(language));
        let (en, es) = (in_language(Language::English), in_language(Language::Spanish));
        Ok(Bilingual { en: en?, es: es? })
    }
}
