//! Words of PTX text (PTX ISA, "Syntax": source format, comments, identifiers, constants).
//!
//! The lexer never fails: text that is no word becomes a [`TokenKind::Bad`] token, and the
//! parser, which expects none, reports it where it stands. It is `Copy`, so looking
//! ahead is keeping the old one.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// An identifier, `_` included: `mov`, `%r1`, `$L__BB0_1`.
    Word,
    /// A word after a dot, `::` kept inside: `.b32`, `.L2::128B`.
    Dot,
    /// A literal, read by `parse::number`: `12`, `0xFFU`, `0f3F800000`, `1.5e-3`.
    Number,
    /// Quotes included.
    String,
    /// An operator or a separator.
    Mark,
    /// Not PTX, and why.
    Bad(&'static str),
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub kind: TokenKind,
    pub text: &'a str,
    /// Byte offset in the source.
    pub start: usize,
    /// From 1.
    pub line: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: u32,
}

/// Identifiers go on with these ("followsym").
fn follows(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Self {
        Lexer { text, at: 0, line: 1 }
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.as_bytes().get(at).copied().unwrap_or(0)
    }

    pub fn next(&mut self) -> Token<'a> {
        if let Some(bad) = self.skip_blanks() {
            return bad;
        }
        let start = self.at;
        let first = self.byte(start);
        let kind = match first {
            0 if start >= self.text.len() => TokenKind::End,
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => self.word(),
            b'%' if follows(self.byte(start + 1)) => self.word(),
            b'.' if follows(self.byte(start + 1)) => self.dot(),
            b'0'..=b'9' => self.number(),
            b'"' => self.string(),
            _ => self.mark(first),
        };
        Token { kind, text: &self.text[start..self.at], start, line: self.line }
    }

    /// Passes over blanks and comments; an endless comment is the one thing that can go wrong.
    fn skip_blanks(&mut self) -> Option<Token<'a>> {
        let bytes = self.text.as_bytes();
        loop {
            match self.byte(self.at) {
                b'\n' => {
                    self.line += 1;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'/' if self.byte(self.at + 1) == b'/' => self.skip_line(),
                b'/' if self.byte(self.at + 1) == b'*' => {
                    let start = self.at;
                    let Some(length) = self.text[start + 2..].find("*/") else {
                        self.at = bytes.len();
                        let kind = TokenKind::Bad("a comment that does not end");
                        return Some(Token { kind, text: "/*", start, line: self.line });
                    };
                    self.at = start + 2 + length + 2;
                    self.line += bytes[start..self.at].iter().filter(|&&b| b == b'\n').count() as u32;
                }
                // The old way to write debug sections; it says nothing that we need.
                b'@' if self.text[self.at..].starts_with("@@DWARF") => self.skip_line(),
                _ => return None,
            }
        }
    }

    fn skip_line(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
    }

    fn skip_word(&mut self) {
        while follows(self.byte(self.at)) {
            self.at += 1;
        }
    }

    fn word(&mut self) -> TokenKind {
        self.at += 1;
        self.skip_word();
        TokenKind::Word
    }

    fn dot(&mut self) -> TokenKind {
        self.at += 1;
        self.skip_word();
        while self.byte(self.at) == b':' && self.byte(self.at + 1) == b':' && follows(self.byte(self.at + 2)) {
            self.at += 2;
            self.skip_word();
        }
        TokenKind::Dot
    }

    /// Takes what looks like a number; `parse::number` says whether it is one.
    fn number(&mut self) -> TokenKind {
        let start = self.at;
        while self.byte(self.at).is_ascii_digit() {
            self.at += 1;
        }
        let fraction = self.byte(self.at) == b'.' && !self.byte(self.at + 1).is_ascii_alphabetic();
        if fraction {
            self.at += 1;
            while self.byte(self.at).is_ascii_digit() {
                self.at += 1;
            }
        }
        let exponent = matches!(self.byte(self.at), b'e' | b'E');
        if exponent && matches!(self.byte(self.at + 1), b'+' | b'-') && self.byte(self.at + 2).is_ascii_digit() {
            self.at += 2;
        }
        debug_assert!(self.at > start);
        self.skip_word();
        TokenKind::Number
    }

    fn string(&mut self) -> TokenKind {
        self.at += 1;
        loop {
            match self.byte(self.at) {
                b'"' => {
                    self.at += 1;
                    return TokenKind::String;
                }
                b'\n' => return TokenKind::Bad("a string that does not end on its line"),
                0 if self.at >= self.text.len() => return TokenKind::Bad("a string that does not end"),
                b'\\' if self.byte(self.at + 1) == b'"' => self.at += 2,
                _ => self.at += 1,
            }
        }
    }

    fn mark(&mut self, first: u8) -> TokenKind {
        let second = self.byte(self.at + 1);
        self.at += match (first, second) {
            (b'<', b'<') | (b'>', b'>') | (b'&', b'&') | (b'|', b'|') => 2,
            (b'=' | b'!' | b'<' | b'>', b'=') => 2,
            _ if first.is_ascii() => 1,
            _ => self.text[self.at..].chars().next().map_or(1, char::len_utf8),
        };
        if b"+-*/%<>&|^~!=?:;,.@(){}[]".contains(&first) {
            TokenKind::Mark
        } else {
            TokenKind::Bad("a character that PTX does not use")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<(TokenKind, &str)> {
        let mut lexer = Lexer::new(text);
        std::iter::from_fn(|| Some(lexer.next()).filter(|t| t.kind != TokenKind::End).map(|t| (t.kind, t.text)))
            .collect()
    }

    #[test]
    fn splits_text_into_words() {
        use TokenKind::*;
        for (text, want) in [
            ("%r1, $L_2 _", vec![(Word, "%r1"), (Mark, ","), (Word, "$L_2"), (Word, "_")]),
            ("ld.L2::128B.v4", vec![(Word, "ld"), (Dot, ".L2::128B"), (Dot, ".v4")]),
            (".a::b::c::", vec![(Dot, ".a::b::c"), (Mark, ":"), (Mark, ":")]),
            ("%tid.x%5", vec![(Word, "%tid"), (Dot, ".x"), (Word, "%5")]),
            ("7 % 3", vec![(Number, "7"), (Mark, "%"), (Number, "3")]),
            ("1.5e-3+0x1e-3", vec![(Number, "1.5e-3"), (Mark, "+"), (Number, "0x1e"), (Mark, "-"), (Number, "3")]),
            ("1. 2.x", vec![(Number, "1."), (Number, "2"), (Dot, ".x")]),
            ("a<<1>=2||!b", {
                let marks = [(Word, "a"), (Mark, "<<"), (Number, "1"), (Mark, ">="), (Number, "2"), (Mark, "||")];
                [&marks[..], &[(Mark, "!"), (Word, "b")]].concat()
            }),
            ("a // b\nc /* d\n */ e", vec![(Word, "a"), (Word, "c"), (Word, "e")]),
            ("@@DWARF .byte 1\n@p", vec![(Mark, "@"), (Word, "p")]),
            (r#""a\"b""#, vec![(String, r#""a\"b""#)]),
        ] {
            assert_eq!(words(text), want, "{text}");
        }
    }

    #[test]
    fn text_that_is_not_ptx_is_one_bad_word() {
        for text in ["é", "#", "\"abc", "\"abc\n", "/* abc", "\0"] {
            assert!(matches!(words(text)[..], [(TokenKind::Bad(_), _)]), "{text}");
        }
    }

    #[test]
    fn lines_count_through_comments() {
        let mut lexer = Lexer::new("a /* 1\n2 */ b\n// c\nd");
        let lines: Vec<u32> = (0..3).map(|_| lexer.next().line).collect();
        assert_eq!(lines, [1, 2, 4]);
    }
}
