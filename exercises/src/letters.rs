//! Names with letters of other languages, `tamaño`, for a compiler that takes ASCII only: NVRTC, where nvcc takes both.
//!
//! Each is compiled under a name of ASCII, as long in bytes, so that lines and columns stay. Comments and strings stay
//! as they are. It leaves out raw strings, and names that the preprocessor puts together.

/// Letters, and what stands for them. Any other letter is a `u`.
const LETTERS: [(&str, char); 16] = [
    ("áàâäãå", 'a'),
    ("éèêë", 'e'),
    ("íìîï", 'i'),
    ("óòôöõø", 'o'),
    ("úùûü", 'u'),
    ("ñ", 'n'),
    ("ç", 'c'),
    ("ýÿ", 'y'),
    ("ÁÀÂÄÃÅ", 'A'),
    ("ÉÈÊË", 'E'),
    ("ÍÌÎÏ", 'I'),
    ("ÓÒÔÖÕØ", 'O'),
    ("ÚÙÛÜ", 'U'),
    ("Ñ", 'N'),
    ("Ç", 'C'),
    ("Ý", 'Y'),
];

/// The characters that a letter's other bytes become, until the name is one that the text has not.
const FILLING: &str = "_0123456789";

/// A text in which names are of ASCII, with these names and the author's own.
#[derive(Debug, PartialEq, Eq)]
pub struct Plain {
    pub text: String,
    names: Vec<(String, String)>,
}

impl Plain {
    pub fn of(text: &str) -> Plain {
        let mut plain = Plain { text: String::with_capacity(text.len()), names: Vec::new() };
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let length = skipped(rest).unwrap_or_else(|| word(rest).unwrap_or(first.len_utf8()));
            let (own, after) = rest.split_at(length);
            let is_name = (is_letter(first) || first == '_') && !own.is_ascii();
            let name = if is_name { plain.name(own, text) } else { own.to_string() };
            plain.text.push_str(&name);
            rest = after;
        }
        plain
    }

    /// The author's own names again, in what the compiler says.
    pub fn told(&self, log: String) -> String {
        let mut names: Vec<&(String, String)> = self.names.iter().collect();
        // One may be the beginning of another.
        names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        names.into_iter().fold(log, |log, (name, own)| log.replace(name, own))
    }

    fn name(&mut self, own: &str, text: &str) -> String {
        if let Some((name, _)) = self.names.iter().find(|(_, known)| known == own) {
            return name.clone();
        }
        let with = |filling: char| own.chars().map(|letter| ascii(letter, filling)).collect::<String>();
        let is_new = |name: &String| !text.contains(name) && self.names.iter().all(|(known, _)| known != name);
        // If all are taken, the compiler refuses the name, and says so.
        let Some(name) = FILLING.chars().map(with).find(is_new) else { return own.to_string() };
        self.names.push((name.clone(), own.to_string()));
        name
    }
}

/// Bytes of a comment, or of text in quotes, at the beginning.
fn skipped(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if let Some(comment) = text.strip_prefix("/*") {
        return Some(comment.find("*/").map_or(text.len(), |at| at + 4));
    }
    let quote = text.chars().next().filter(|first| ['"', '\''].contains(first))?;
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, letter)| {
        let is_end = !escaped && (*letter == quote || *letter == '\n');
        escaped = !escaped && *letter == '\\';
        is_end
    });
    Some(end.map_or(text.len(), |(at, letter)| at + letter.len_utf8()))
}

/// Bytes of a name or a number at the beginning. A number has quotes between its digits.
fn word(text: &str) -> Option<usize> {
    let is_number = text.starts_with(|first: char| first.is_ascii_digit());
    let is_within = |letter: char| is_letter(letter) || letter == '_' || (is_number && letter == '\'');
    let length = text.find(|letter| !is_within(letter)).unwrap_or(text.len());
    (length > 0).then_some(length)
}

/// Marks that stand over the letter before them are letters, too.
fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || ('\u{300}'..='\u{36f}').contains(&letter)
}

/// Returns a text of ASCII letters with as many bytes as this letter.
fn ascii(letter: char, filling: char) -> String {
    if letter.is_ascii() {
        return letter.to_string();
    }
    let first = LETTERS.iter().find(|(all, _)| all.contains(letter)).map_or('u', |(_, first)| *first);
    let others = std::iter::repeat_n(filling, letter.len_utf8() - 1);
    std::iter::once(first).chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_ascii_of_the_same_length_and_are_told_as_they_were() {
        let text = "int tamaño = número + 1'000; // año\nprintf(\"ñ \\\" ñ\", tamaño); /* é */ s = 'ñ';";
        let plain = Plain::of(text);
        let wanted = "int taman_o = nu_mero + 1'000; // año\nprintf(\"ñ \\\" ñ\", taman_o); /* é */ s = 'ñ';";
        assert_eq!(plain.text, wanted);
        assert_eq!(plain.text.len(), text.len());
        assert_eq!(plain.told("\"taman_o\" is undefined".into()), "\"tamaño\" is undefined");
        assert_eq!(Plain::of("ñ = ñandú;").told("n_andu_ n_".into()), "ñandú ñ");
    }

    #[test]
    fn two_names_never_become_one() {
        for (text, wanted) in [
            ("á = à;", "a_ = a0;"),
            ("año = an_o;", "an0o = an_o;"),
            ("x\u{301} = 数;", "xu_ = u__;"),
            ("a 10 b_2 \"", "a 10 b_2 \""),
        ] {
            assert_eq!(Plain::of(text).text, wanted);
        }
    }
}
