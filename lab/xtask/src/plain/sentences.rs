//! Sentences of a paragraph, how long they are, and words not to be used in them.

/// Stands for a piece of code: one word, whatever is in it.
const CODE: char = '\u{e000}';

/// Forms of words and phrases that stand in the way of a reader who learns English too.
const AVOIDED: [&str; 34] = [
    "a file a job",
    "a warp a row",
    "as it were",
    "behind",
    "both so",
    "foretell",
    "foretelling",
    "foretells",
    "foretold",
    "has come of",
    "have come of",
    "is there behind",
    "likewise",
    "mend",
    "mended",
    "mending",
    "mends",
    "nobody's",
    "pass by",
    "passed by",
    "passes by",
    "passing by",
    "the own",
    "thereby",
    "turn it round",
    "turn round",
    "turn them round",
    "turned round",
    "turning round",
    "turns it round",
    "turns round",
    "turns them round",
    "whereby",
    "whereof",
];

/// A stop after these ends no sentence.
const SHORTENED: [&str; 7] = ["e.g.", "i.e.", "etc.", "vs.", "cf.", "p.", "ej."];

/// A stop, a question or an exclamation mark ends a sentence. A colon or a semicolon does where a capital, code or a
/// quotation follows.
pub fn sentences(paragraph: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut in_code = false;
    for (at, letter) in paragraph.char_indices() {
        if letter == '`' {
            in_code = !in_code;
        }
        if in_code || !".?!:;".contains(letter) {
            continue;
        }
        let rest = &paragraph[at + letter.len_utf8()..];
        let rest = rest.trim_start_matches(['"', '*', ')', '”', '»']);
        let next = rest.trim_start();
        let Some(first) = next.chars().next().filter(|_| next.len() < rest.len()) else { continue };
        let so_far = &paragraph[start..at + letter.len_utf8()];
        let ends = match letter {
            // An ellipsis stands for what is left out of a list.
            '.' => !so_far.ends_with("..") && !SHORTENED.contains(&so_far.rsplit([' ', '(']).next().unwrap_or("")),
            ':' | ';' => first.is_uppercase() || "¿¡`*(\"".contains(first),
            _ => true,
        };
        if ends {
            let end = paragraph.len() - rest.len();
            found.push(paragraph[start..end].trim());
            start = end;
        }
    }
    found.push(paragraph[start..].trim());
    found.retain(|sentence| !sentence.is_empty());
    found
}

fn without_code(sentence: &str) -> String {
    let mut plain = String::new();
    for (index, part) in sentence.split('`').enumerate() {
        if index % 2 == 1 {
            plain.push(CODE);
        } else {
            plain.push_str(part);
        }
    }
    plain
}

/// `n - 1` and `2 * n <= 64` are one word each, in code or not.
pub fn word_count(sentence: &str) -> usize {
    let is_word = |word: &&str| word.chars().any(|letter| letter.is_alphanumeric() || letter == CODE);
    let is_operator = |word: &&str| word.chars().all(|letter| "+-*/%<>=^&|".contains(letter));
    let plain = without_code(sentence);
    let words = plain.split_whitespace();
    let (words, operators) = (words.clone().filter(is_word).count(), words.filter(is_operator).count());
    words.saturating_sub(operators)
}

/// Which of the words not to be used an English sentence has.
pub fn avoided(sentence: &str) -> Vec<&'static str> {
    let plain = without_code(sentence).replace('’', "'").to_lowercase();
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '\'' || letter == CODE;
    let words: Vec<&str> = plain.split(|letter| !is_letter(letter)).filter(|word| !word.is_empty()).collect();
    let has = |phrase: &str| {
        let phrase: Vec<&str> = phrase.split(' ').collect();
        words.windows(phrase.len()).any(|window| window == phrase)
    };
    AVOIDED.into_iter().filter(|phrase| has(phrase)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_a_reader_stops() {
        let cut = |paragraph: &'static str| sentences(paragraph);
        assert_eq!(cut("One. Two? Three! four"), ["One.", "Two?", "Three!", "four"]);
        assert_eq!(cut("It is `a. B` here: (1) and: two"), ["It is `a. B` here:", "(1) and: two"]);
        assert_eq!(
            cut("Threads 0, 1, ... 31 read (e.g. `x`). Done."),
            ["Threads 0, 1, ... 31 read (e.g. `x`).", "Done."]
        );
        assert_eq!(cut("\"Later.\" Then 0.5 of `x.y`."), ["\"Later.\"", "Then 0.5 of `x.y`."]);
        assert_eq!(cut("¿Qué lee? Lee 0; ¿por qué?"), ["¿Qué lee?", "Lee 0;", "¿por qué?"]);
    }

    #[test]
    fn code_is_one_word_and_signs_are_none() {
        assert_eq!(word_count("the read of `s[n - t - 1]` is here"), 6);
        assert_eq!(word_count("if **2 * n** <= 64: or, not"), 4);
        assert_eq!(word_count("`a b`, `c`."), 2);
    }

    #[test]
    fn words_are_found_as_words_and_not_in_code() {
        assert_eq!(avoided("Behind it, nobody's own: mend them."), ["behind", "mend", "nobody's"]);
        assert_eq!(avoided("Turned\u{20}round, as `mend` says; amended, the `x` own"), ["turned round"]);
        assert_eq!(avoided("Fix it after the barrier, for its own block."), [] as [&str; 0]);
    }
}
