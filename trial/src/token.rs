//! A replay token: all that it takes to make one run happen again.
//!
//! `counter/broken/random/7/4096` is the kernel's stem, its variant, the schedule, its seed and the size. After `@`
//! stand the choices to keep where that is not all: `random/7@3,17,2:5` keeps the choices 3 and 17 of the run's first
//! launch and 5 of its second, and leaves the rest to `in-order`. A game on a page (`steps`) has its choices there:
//! [`Kept`].

use crate::kept::Kept;
use crate::run_id::RunId;
use crate::schedule::Schedule;
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayToken {
    /// The kernel's name without `_broken` or `_correct`.
    pub kernel: String,
    /// `broken`, `correct` or `ladder`.
    pub variant: String,
    pub run: RunId,
}

impl ReplayToken {
    /// Returns the token of a run of the kernel with this full name.
    pub fn new(kernel: &str, variant: &str, run: RunId) -> ReplayToken {
        ReplayToken { kernel: stem(kernel, variant).to_string(), variant: variant.to_string(), run }
    }

    /// True if this token means the kernel of that full name.
    pub fn names(&self, kernel: &str, variant: &str) -> bool {
        self.variant == variant && self.kernel == stem(kernel, variant)
    }
}

/// The arguments that make a run again: its token, and the file that it read, if any.
pub fn arguments(token: impl fmt::Display, input: Option<&str>) -> String {
    match input {
        None => format!("--replay {token}"),
        Some(input) => format!("--replay {token} --input {}", shell_word(input)),
    }
}

/// As a POSIX shell reads it back: bare where that is safe, else in single quotes.
fn shell_word(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./+,:@%=".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("'{}'", text.replace('\'', r"'\''")))
}

/// `counter_broken` as a broken kernel is `counter`; a name that does not say its variant stays whole.
fn stem<'a>(kernel: &'a str, variant: &str) -> &'a str {
    kernel.strip_suffix(variant).and_then(|name| name.strip_suffix('_')).unwrap_or(kernel)
}

impl fmt::Display for ReplayToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RunId { schedule, seed, size, keep } = &self.run;
        write!(f, "{}/{}/{schedule}/{seed}", self.kernel, self.variant)?;
        if let Some(keep) = keep {
            write!(f, "@{keep}")?;
        }
        write!(f, "/{size}")
    }
}

impl FromStr for ReplayToken {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<&str> = text.split('/').collect();
        let [kernel, variant, schedule, seed, size] = parts[..] else {
            return Err(say!("token-parts", count = parts.len()));
        };
        if kernel.is_empty() {
            return Err(say!("token-no-kernel"));
        }
        if !["broken", "correct", "ladder"].contains(&variant) {
            return Err(say!("token-variant", variant));
        }
        let (seed, keep) = match seed.split_once('@') {
            Some((seed, keep)) => (seed, Some(keep)),
            None => (seed, None),
        };
        let of_game = Schedule::OF_GAMES.into_iter().find(|one| one.as_str() == schedule);
        let schedule = of_game.map_or_else(|| schedule.parse(), Ok)?;
        Ok(ReplayToken {
            kernel: kernel.to_string(),
            variant: variant.to_string(),
            run: RunId {
                schedule,
                seed: seed.parse().map_err(|_| say!("token-seed", seed))?,
                keep: keep.map(|text| Kept::read(text, schedule)).transpose()?,
                size: size.parse().map_err(|_| say!("token-size", size))?,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use emulator::choice;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn printed_tokens_parse_to_themselves(
            kernel in "[a-z_0-9]{1,20}",
            variant in prop::sample::select(vec!["broken", "correct", "ladder"]),
            schedule in prop::sample::select(Schedule::ALL.to_vec()),
            seed: u64,
            size: usize,
            keep: Option<Vec<(u32, u32)>>,
        ) {
            let keep = keep.map(|list| list.into_iter().map(|(launch, number)| choice(launch, number)).collect());
            let keep = keep.map(Kept::Numbers);
            let token = ReplayToken { kernel, variant: variant.to_string(), run: RunId { schedule, seed, size, keep } };
            prop_assert_eq!(token.to_string().parse::<ReplayToken>(), Ok(token));
        }

        #[test]
        fn any_text_parses_or_says_why_not(text in ".{0,40}") {
            if let Err(why) = text.parse::<ReplayToken>() {
                prop_assert!(!why.is_empty());
            }
        }
    }

    #[test]
    fn the_variant_is_not_said_twice() {
        let run = RunId { schedule: Schedule::Random, seed: 7, size: 4096, keep: None };
        let token = ReplayToken::new("counter_broken", "broken", run.clone());
        assert_eq!(token.to_string(), "counter/broken/random/7/4096");
        let keep = Some(Kept::Numbers(vec![choice(1, 3), choice(2, 5)]));
        let part = ReplayToken { run: RunId { keep, ..run }, ..token.clone() };
        assert_eq!(part.to_string(), "counter/broken/random/7@3,2:5/4096");
        assert!(token.names("counter_broken", "broken"));
        assert!(!token.names("counter_correct", "correct"));
        let rung = ReplayToken::new("filter_warp", "ladder", RunId::in_order(33));
        assert_eq!(rung.to_string(), "filter_warp/ladder/in-order/0/33");
        assert!(rung.names("filter_warp", "ladder"));
    }

    #[test]
    fn a_file_is_part_of_the_replay_and_the_shell_reads_its_name_back() {
        assert_eq!(arguments("filter/broken/random/7/64", None), "--replay filter/broken/random/7/64");
        for name in ["data/photo.png", "my photo.png", "it's $HOME", "*", "a;b\\c", ""] {
            let text = arguments("filter/broken/random/7/64", Some(name));
            let script = format!("printf '<%s>' {text}");
            let output = std::process::Command::new("sh").args(["-c", &script]).output().expect("there is a shell");
            let read = String::from_utf8(output.stdout).unwrap();
            assert_eq!(read, format!("<--replay><filter/broken/random/7/64><--input><{name}>"));
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, part) in [
            ("counter", "five parts"),
            ("/broken/random/7/1", "name is missing"),
            ("counter/brken/random/7/1", "`brken`"),
            ("counter/broken/chaos/7/1", "`chaos`"),
            ("counter/broken/random/-7/1", "seed `-7`"),
            ("counter/broken/random/7@x/1", "`x` is not a choice"),
            ("counter/broken/steps/0@w2/1", "`w2` is not a choice"),
            ("counter/broken/random/7/many", "size `many`"),
        ] {
            let why = text.parse::<ReplayToken>().unwrap_err();
            assert!(why.contains(part), "{text}: {why}");
        }
    }
}
