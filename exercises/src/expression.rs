//! Arithmetic in the exercises' descriptions: `ceil_div(n, 256) + 1` over the sizes of a run.
//!
//! Whole numbers of 64 bits; `/` and `%` are Rust's. What overflows or divides by zero is an error and no panic.
//!
//! The emulator's conformance files have an evaluator too, and the two stay apart. That one takes C's operators on
//! 128-bit integers that wrap and on doubles, since it says what an instruction gives. This one reads what students
//! type and what authors write: a larger language would let mistakes pass, and its errors are words for them.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::str::Chars;

/// Names and their values.
pub type Sizes = BTreeMap<String, i64>;

/// The value of `text`.
pub fn evaluate(text: &str, sizes: &Sizes) -> Result<i64, String> {
    let mut parser = Parser { rest: text.chars().peekable(), sizes };
    let value = parser.sum().and_then(|value| match parser.peek() {
        None => Ok(value),
        Some(other) => Err(say!("expression-unexpected", what = other.to_string())),
    });
    value.map_err(|why| format!("`{text}`: {why}"))
}

struct Parser<'a> {
    rest: Peekable<Chars<'a>>,
    sizes: &'a Sizes,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<char> {
        while self.rest.next_if(|c| c.is_whitespace()).is_some() {}
        self.rest.peek().copied()
    }

    fn take(&mut self, wanted: char) -> bool {
        self.peek() == Some(wanted) && self.rest.next().is_some()
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        if self.take(wanted) { Ok(()) } else { Err(say!("expression-missing", what = wanted.to_string())) }
    }

    fn sum(&mut self) -> Result<i64, String> {
        let mut value = self.product()?;
        loop {
            let next = if self.take('+') {
                let right = self.product()?;
                value.checked_add(right)
            } else if self.take('-') {
                let right = self.product()?;
                value.checked_sub(right)
            } else {
                return Ok(value);
            };
            value = next.ok_or_else(|| say!("expression-too-large"))?;
        }
    }

    fn product(&mut self) -> Result<i64, String> {
        let mut value = self.atom()?;
        loop {
            let next = if self.take('*') {
                let right = self.atom()?;
                value.checked_mul(right)
            } else if self.take('/') {
                let right = self.atom()?;
                value.checked_div(right)
            } else if self.take('%') {
                let right = self.atom()?;
                value.checked_rem(right)
            } else {
                return Ok(value);
            };
            value = next.ok_or_else(|| say!("expression-by-zero"))?;
        }
    }

    fn atom(&mut self) -> Result<i64, String> {
        match self.peek() {
            Some('(') => {
                self.expect('(')?;
                let value = self.sum()?;
                self.expect(')')?;
                Ok(value)
            }
            Some('-') => {
                self.expect('-')?;
                self.atom()?.checked_neg().ok_or_else(|| say!("expression-too-large"))
            }
            Some(c) if c.is_ascii_digit() => {
                let digits = self.word();
                digits.parse().map_err(|_| say!("expression-no-number", digits))
            }
            Some(c) if c.is_alphabetic() || c == '_' => {
                let name = self.word();
                if self.take('(') { self.call(&name) } else { self.size(&name) }
            }
            Some(other) => Err(say!("expression-unexpected", what = other.to_string())),
            None => Err(say!("expression-ends")),
        }
    }

    fn word(&mut self) -> String {
        let mut word = String::new();
        while let Some(c) = self.rest.next_if(|c| c.is_alphanumeric() || *c == '_') {
            word.push(c);
        }
        word
    }

    fn size(&self, name: &str) -> Result<i64, String> {
        self.sizes.get(name).copied().ok_or_else(|| say!("size-unknown", name))
    }

    fn call(&mut self, name: &str) -> Result<i64, String> {
        let left = self.sum()?;
        self.expect(',')?;
        let right = self.sum()?;
        self.expect(')')?;
        match name {
            "min" => Ok(left.min(right)),
            "max" => Ok(left.max(right)),
            "ceil_div" if right > 0 => {
                left.checked_add(right - 1).map(|sum| sum.div_euclid(right)).ok_or_else(|| say!("expression-too-large"))
            }
            "ceil_div" => Err(say!("expression-ceil-div")),
            _ => Err(say!("expression-no-function", name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes() -> Sizes {
        [("n".to_string(), 257), ("tile_w".to_string(), 16)].into()
    }

    #[test]
    fn values_are_those_of_arithmetic() {
        for (text, want) in [
            ("n", 257),
            ("2 + 3 * 4", 14),
            ("(2 + 3) * 4", 20),
            ("10 - 2 - 3", 5),
            ("n / 256 + n % 256", 2),
            ("ceil_div(n, 256)", 2),
            ("ceil_div(0, 256)", 0),
            ("max(1, min(n, tile_w * 2))", 32),
            ("-n + 300", 43),
        ] {
            assert_eq!(evaluate(text, &sizes()), Ok(want), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, part) in [
            ("m", "no size `m`"),
            ("n / (n - n)", "division by zero"),
            ("n +", "missing at the end"),
            ("n n", "`n` is not expected"),
            ("sqrt(n, 2)", "no function `sqrt`"),
            ("min(n 2)", "`,` is missing"),
            ("9223372036854775807 + 1", "too large"),
            ("99999999999999999999", "no number"),
        ] {
            let why = evaluate(text, &sizes()).unwrap_err();
            assert!(why.contains(part), "{text}: {why}");
        }
    }
}
