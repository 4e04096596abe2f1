//! Constant expressions (PTX ISA, "Constant expressions").
//!
//! Integers are 64 bits wide. An operation on one unsigned operand is unsigned; shifts
//! take their sign from the left. Floats are computed as f64; a lone `0f…` literal
//! keeps its 32 bits.

use super::number;
use super::parser::{Parsed, Parser};
use crate::ast::Immediate;
use crate::lexer::TokenKind;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ConstantValue {
    Integer { bits: u64, unsigned: bool },
    F32(u32),
    F64(u64),
}

impl ConstantValue {
    fn int(value: i64) -> ConstantValue {
        ConstantValue::Integer { bits: value as u64, unsigned: false }
    }

    /// As a float, where it is one.
    fn float(self) -> Option<f64> {
        match self {
            ConstantValue::Integer { .. } => None,
            ConstantValue::F32(bits) => Some(f64::from(f32::from_bits(bits))),
            ConstantValue::F64(bits) => Some(f64::from_bits(bits)),
        }
    }

    /// As a float, converted.
    pub fn to_float(self) -> f64 {
        match self {
            ConstantValue::Integer { bits, unsigned: true } => bits as f64,
            ConstantValue::Integer { bits, unsigned: false } => bits as i64 as f64,
            _ => self.float().unwrap_or(0.0),
        }
    }

    fn is_true(self) -> bool {
        match self {
            ConstantValue::Integer { bits, .. } => bits != 0,
            _ => self.to_float() != 0.0,
        }
    }

    pub fn immediate(self) -> Immediate {
        match self {
            ConstantValue::Integer { bits, .. } => Immediate::Int(bits as i64),
            ConstantValue::F32(bits) => Immediate::F32(bits),
            ConstantValue::F64(bits) => Immediate::F64(bits),
        }
    }
}

/// Binary operators, from the loosest.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// Level of `+` and `-`; above it stands what may follow a sign in `[reg - 4 + 8]`.
const SUM: usize = 8;

impl Parser<'_> {
    /// True where the token can only begin a constant.
    pub(super) fn at_constant(&self) -> bool {
        match self.token.kind {
            TokenKind::Number => true,
            TokenKind::Word => self.token.text == "WARP_SZ",
            TokenKind::Dot => self.token.text.as_bytes()[1].is_ascii_digit(),
            _ => matches!(self.token.text, "-" | "+" | "~" | "!" | "("),
        }
    }

    pub(super) fn expression(&mut self) -> Parsed<ConstantValue> {
        self.nested(|p| {
            let condition = p.binary(0)?;
            if !p.take("?") {
                return Ok(condition);
            }
            let yes = p.expression()?;
            p.expect(":")?;
            let no = p.expression()?;
            Ok(if condition.is_true() { yes } else { no })
        })
    }

    /// An expression that must be an integer.
    pub(super) fn integer(&mut self) -> Parsed<i64> {
        let start = self.token;
        match self.expression()? {
            ConstantValue::Integer { bits, .. } => Ok(bits as i64),
            _ => Err(self.error(start, "found a float, expected an integer".into())),
        }
    }

    /// `+ 4 - 8 …` after an address, or nothing.
    pub(super) fn offset(&mut self) -> Parsed<i64> {
        let mut sum = 0i64;
        loop {
            let minus = match self.token.text {
                "+" => false,
                "-" => true,
                _ => return Ok(sum),
            };
            self.advance();
            let start = self.token;
            let ConstantValue::Integer { bits, .. } = self.nested(|p| p.binary(SUM + 1))? else {
                return Err(self.error(start, "found a float, expected an integer".into()));
            };
            sum = if minus { sum.wrapping_sub(bits as i64) } else { sum.wrapping_add(bits as i64) };
        }
    }

    /// Precedence climbing: the recursion is as deep as the operators left pending, ten at most.
    fn binary(&mut self, level: usize) -> Parsed<ConstantValue> {
        let mut left = self.unary()?;
        loop {
            let operator = self.token;
            let found =
                LEVELS.iter().position(|marks| operator.kind == TokenKind::Mark && marks.contains(&operator.text));
            let Some(found) = found.filter(|&found| found >= level) else { return Ok(left) };
            self.advance();
            let right = self.binary(found + 1)?;
            left = apply(operator.text, left, right).map_err(|why| self.error(operator, why.into()))?;
        }
    }

    fn unary(&mut self) -> Parsed<ConstantValue> {
        let start = self.token;
        match (start.kind, start.text) {
            (TokenKind::Number, text) => {
                self.advance();
                number::parse(text)
                    .ok_or_else(|| self.error(start, format!("`{}` is no number", super::parser::shown(text))))
            }
            // `.5`: the lexer cannot tell it from a modifier such as `.1d`.
            (TokenKind::Dot, text) if text[1..].bytes().all(|b| b.is_ascii_digit()) => {
                self.advance();
                text.parse::<f64>()
                    .map(|value| ConstantValue::F64(value.to_bits()))
                    .map_err(|_| self.error(start, format!("`{}` is no number", super::parser::shown(text))))
            }
            (TokenKind::Word, "WARP_SZ") => {
                self.advance();
                Ok(ConstantValue::int(32))
            }
            (TokenKind::Mark, "-" | "+" | "~" | "!") => {
                self.advance();
                let value = self.nested(|p| p.unary())?;
                prefix(start.text, value).map_err(|why| self.error(start, why.into()))
            }
            (TokenKind::Mark, "(") => {
                self.advance();
                let unsigned = match self.token.text {
                    ".s64" => false,
                    ".u64" => true,
                    _ => {
                        let value = self.expression()?;
                        self.expect(")")?;
                        return Ok(value);
                    }
                };
                self.advance();
                self.expect(")")?;
                Ok(cast(self.nested(|p| p.unary())?, unsigned))
            }
            _ => Err(self.unexpected("a constant")),
        }
    }
}

fn cast(value: ConstantValue, unsigned: bool) -> ConstantValue {
    let bits = match (value, unsigned) {
        (ConstantValue::Integer { bits, .. }, _) => bits,
        (_, true) => value.to_float() as u64,
        (_, false) => value.to_float() as i64 as u64,
    };
    ConstantValue::Integer { bits, unsigned }
}

fn prefix(operator: &str, value: ConstantValue) -> Result<ConstantValue, &'static str> {
    Ok(match (operator, value) {
        ("+", value) => value,
        ("!", value) => ConstantValue::int(i64::from(!value.is_true())),
        ("-", ConstantValue::Integer { bits, unsigned }) => {
            ConstantValue::Integer { bits: bits.wrapping_neg(), unsigned }
        }
        ("-", ConstantValue::F32(bits)) => ConstantValue::F32(bits ^ 1 << 31),
        ("-", ConstantValue::F64(bits)) => ConstantValue::F64(bits ^ 1 << 63),
        (_, ConstantValue::Integer { bits, unsigned }) => ConstantValue::Integer { bits: !bits, unsigned },
        _ => return Err("`~` needs an integer, found a float"),
    })
}

fn apply(operator: &str, a: ConstantValue, b: ConstantValue) -> Result<ConstantValue, &'static str> {
    match (operator, a, b) {
        ("&&", ..) => Ok(ConstantValue::int(i64::from(a.is_true() && b.is_true()))),
        ("||", ..) => Ok(ConstantValue::int(i64::from(a.is_true() || b.is_true()))),
        (_, ConstantValue::Integer { bits: x, unsigned: p }, ConstantValue::Integer { bits: y, unsigned: q }) => {
            integers(operator, x, y, p, p || q)
        }
        _ => floats(operator, a.to_float(), b.to_float()),
    }
}

fn integers(
    operator: &str,
    x: u64,
    y: u64,
    left_unsigned: bool,
    unsigned: bool,
) -> Result<ConstantValue, &'static str> {
    let (i, j) = (x as i64, y as i64);
    let truth = |value: bool| Ok(ConstantValue::int(i64::from(value)));
    let order = if unsigned { x.cmp(&y) } else { i.cmp(&j) };
    let bits = match operator {
        "+" => x.wrapping_add(y),
        "-" => x.wrapping_sub(y),
        "*" => x.wrapping_mul(y),
        "/" | "%" if y == 0 => return Err("a constant is divided by zero"),
        "/" if unsigned => x / y,
        "/" => i.wrapping_div(j) as u64,
        "%" if unsigned => x % y,
        "%" => i.wrapping_rem(j) as u64,
        // Shifts of 64 and more push every bit out.
        "<<" => u32::try_from(y).ok().and_then(|by| x.checked_shl(by)).unwrap_or(0),
        ">>" if left_unsigned => u32::try_from(y).ok().and_then(|by| x.checked_shr(by)).unwrap_or(0),
        ">>" => (i >> y.min(63)) as u64,
        "&" => x & y,
        "|" => x | y,
        "^" => x ^ y,
        "==" => return truth(order.is_eq()),
        "!=" => return truth(order.is_ne()),
        "<" => return truth(order.is_lt()),
        "<=" => return truth(order.is_le()),
        ">" => return truth(order.is_gt()),
        _ => return truth(order.is_ge()),
    };
    let unsigned = if matches!(operator, "<<" | ">>") { left_unsigned } else { unsigned };
    Ok(ConstantValue::Integer { bits, unsigned })
}

fn floats(operator: &str, x: f64, y: f64) -> Result<ConstantValue, &'static str> {
    let truth = |value: bool| Ok(ConstantValue::int(i64::from(value)));
    let value = match operator {
        "+" => x + y,
        "-" => x - y,
        "*" => x * y,
        "/" => x / y,
        "==" => return truth(x == y),
        "!=" => return truth(x != y),
        "<" => return truth(x < y),
        "<=" => return truth(x <= y),
        ">" => return truth(x > y),
        ">=" => return truth(x >= y),
        _ => return Err("this operator needs integers, found a float"),
    };
    Ok(ConstantValue::F64(value.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Parsed<ConstantValue> {
        let mut parser = Parser::new(text);
        let value = parser.expression()?;
        parser.expect_end()?;
        Ok(value)
    }

    #[test]
    fn computes_as_c_does() {
        let signed = |value: i64| ConstantValue::int(value);
        let unsigned = |bits: u64| ConstantValue::Integer { bits, unsigned: true };
        let float = |value: f64| ConstantValue::F64(value.to_bits());
        for (text, want) in [
            ("1 + 2 * 3", signed(7)),
            ("(1 + 2) * 3", signed(9)),
            ("10 - 4 - 3", signed(3)),
            ("-7 / 2", signed(-3)),
            ("-7 % 3", signed(-1)),
            ("-1 >> 60", signed(-1)),
            ("(.u64) -1 >> 60", unsigned(15)),
            ("1 << 64", signed(0)),
            ("-1 < 1", signed(1)),
            ("-1 < 1U", signed(0)),
            ("1 << 2 + 1", signed(8)),
            ("6 & 3 == 3", signed(0)),
            ("1 | 6 ^ 2 & 3", signed(5)),
            ("1 && 0 || 1", signed(1)),
            ("0 ? 1 : 2 ? 3 : 4", signed(3)),
            ("~0", signed(-1)),
            ("!5 + !0", signed(1)),
            ("- - 4", signed(4)),
            ("WARP_SZ / 2", signed(16)),
            ("-9223372036854775808 / -1", unsigned(0)),
            ("1.5 + 1", float(2.5)),
            ("-0f3F800000", ConstantValue::F32(0xbf80_0000)),
            (".5", float(0.5)),
            ("(.s64) 2.5", signed(2)),
            ("1.0 < 2", signed(1)),
        ] {
            assert_eq!(value(text), Ok(want), "{text}");
        }
    }

    #[test]
    fn refuses_what_has_no_value() {
        let deep = "(".repeat(10_000);
        let signs = "-".repeat(10_000);
        let choices = "1?".repeat(10_000);
        for text in ["1 / 0", "1 % 0", "~1.0", "1.0 % 2.0", "1 +", "(1", "1 ? 2", "x", "", &deep, &signs, &choices] {
            assert!(value(text).is_err(), "{}", &text[..text.len().min(20)]);
        }
    }
}
