//! Texts that people read, by key, in each language: messages in Project Fluent's format (projectfluent.org).
//!
//! Pure: the caller says the language and brings the files, by [`catalogue!`]. `check` is each crate's test that keys
//! and words fit.

pub mod check;
mod language;
mod stderr;

pub use language::Language;
pub use stderr::{complain, to_stderr};

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use std::sync::OnceLock;

/// The files of one crate, in every language.
pub struct Catalogue {
    /// Name and text, by [`Language`].
    files: [&'static [(&'static str, &'static str)]; Language::ALL.len()],
    bundles: [OnceLock<FluentBundle<FluentResource>>; Language::ALL.len()],
}

/// A crate's catalogue: `messages/en/NAME.ftl` and `messages/es/NAME.ftl` for each name. A name may have a `#[cfg]`.
#[macro_export]
macro_rules! catalogue {
    ($($(#[$when:meta])? $name:literal),+ $(,)?) => {
        $crate::Catalogue::new([
            &[$($(#[$when])? (
                concat!("en/", $name, ".ftl"),
                include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/messages/en/", $name, ".ftl")),
            )),+],
            &[$($(#[$when])? (
                concat!("es/", $name, ".ftl"),
                include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/messages/es/", $name, ".ftl")),
            )),+],
        ])
    };
}

/// `say!(CATALOGUE, language, "key", line = 17, name)`: the message with these values in its placeables. `key.fix` is
/// an attribute of `key`.
#[macro_export]
macro_rules! say {
    ($catalogue:expr, $language:expr, $key:expr $(, $name:ident $(= $value:expr)?)* $(,)?) => {{
        #[allow(unused_mut)]
        let mut values = $crate::MessageValues::new();
        $($crate::say!(@set values $name $($value)?);)*
        $catalogue.say($language, $key, &values)
    }};
    (@set $values:ident $name:ident $value:expr) => { $values.set(stringify!($name), $value) };
    (@set $values:ident $name:ident) => { $values.set(stringify!($name), $name) };
}

/// Values for placeables, by name.
#[derive(Debug, Default)]
pub struct MessageValues<'a>(FluentArgs<'a>);

impl<'a> MessageValues<'a> {
    pub fn new() -> MessageValues<'a> {
        MessageValues::default()
    }

    /// A number chooses among `[one]` and `*[other]`; `true` and `false` are the words themselves.
    pub fn set(&mut self, name: &'static str, value: impl Into<MessageValue<'a>>) {
        self.0.set(name, value.into().0);
    }
}

/// The value of a placeable.
pub struct MessageValue<'a>(FluentValue<'a>);

impl<'a> From<&'a str> for MessageValue<'a> {
    fn from(text: &'a str) -> MessageValue<'a> {
        MessageValue(text.into())
    }
}

impl<'a> From<&'a String> for MessageValue<'a> {
    fn from(text: &'a String) -> MessageValue<'a> {
        MessageValue(text.as_str().into())
    }
}

impl From<String> for MessageValue<'_> {
    fn from(text: String) -> Self {
        MessageValue(text.into())
    }
}

impl From<bool> for MessageValue<'_> {
    fn from(is: bool) -> Self {
        MessageValue(if is { "true" } else { "false" }.into())
    }
}

/// Exact up to 2^53, as all that is counted here is.
macro_rules! numbers {
    ($($Number:ty)+) => {$(
        impl From<$Number> for MessageValue<'_> {
            fn from(number: $Number) -> Self {
                MessageValue(number.into())
            }
        }
    )+};
}

numbers!(u8 u32 u64 usize i32 i64);

impl Catalogue {
    pub const fn new(files: [&'static [(&'static str, &'static str)]; Language::ALL.len()]) -> Catalogue {
        Catalogue { files, bundles: [const { OnceLock::new() }; Language::ALL.len()] }
    }

    /// The message, or `{key}` where there is none: a reader should not lose the rest of a report to it.
    pub fn say(&self, language: Language, key: &str, values: &MessageValues) -> String {
        let bundle = self.bundle(language);
        let (id, attribute) = split(key);
        let message = bundle.get_message(id);
        let pattern = message.and_then(|message| match attribute {
            None => message.value(),
            Some(attribute) => message.get_attribute(attribute).map(|attribute| attribute.value()),
        });
        match pattern {
            Some(pattern) => bundle.format_pattern(pattern, Some(&values.0), &mut Vec::new()).into_owned(),
            None => format!("{{{key}}}"),
        }
    }

    /// True if there are words for it.
    pub fn has(&self, language: Language, key: &str) -> bool {
        let (id, attribute) = split(key);
        self.bundle(language).get_message(id).is_some_and(|message| match attribute {
            None => message.value().is_some(),
            Some(attribute) => message.get_attribute(attribute).is_some(),
        })
    }

    fn bundle(&self, language: Language) -> &FluentBundle<FluentResource> {
        self.bundles[language as usize].get_or_init(|| {
            let mut bundle = FluentBundle::new_concurrent(vec![language.identifier()]);
            // The marks around placeables are for languages written from right to left.
            bundle.set_use_isolating(false);
            for (_, text) in self.files[language as usize] {
                // A file that does not parse is left out; `check` says where.
                let resource = FluentResource::try_new((*text).to_string()).unwrap_or_else(|(resource, _)| resource);
                bundle.add_resource_overriding(resource);
            }
            bundle
        })
    }
}

fn split(key: &str) -> (&str, Option<&str>) {
    match key.split_once('.') {
        Some((id, attribute)) => (id, Some(attribute)),
        None => (key, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static WORDS: Catalogue = Catalogue::new([
        &[(
            "en/a.ftl",
            "runs = { $count ->\n    [one] { $count } run\n   *[other] { $count } runs\n}\n    .why = at { $at }\n",
        )],
        &[(
            "es/a.ftl",
            "runs = { $count ->\n    [one] { $count } ejecución\n   *[other] { $count } ejecuciones\n\
             }\n    .why = en { $at }\n",
        )],
    ]);

    #[test]
    fn a_number_chooses_its_form_in_each_language() {
        let runs = |language, count: u64| say!(WORDS, language, "runs", count);
        assert_eq!(runs(Language::English, 1), "1 run");
        assert_eq!(runs(Language::English, 73_000), "73000 runs");
        assert_eq!(runs(Language::Spanish, 1), "1 ejecución");
        assert_eq!(say!(WORDS, Language::Spanish, "runs.why", at = "main.cu"), "en main.cu");
    }

    #[test]
    fn a_key_without_words_is_shown_itself() {
        assert_eq!(say!(WORDS, Language::English, "walks"), "{walks}");
        assert!(WORDS.has(Language::English, "runs.why") && !WORDS.has(Language::English, "runs.fix"));
    }
}
