//! Initial values of variables (PTX ISA, "Initializers").
//!
//! The tree has them flat: inner braces that say less than their row are padded with
//! zeros, as in C.

use super::expression::ConstantValue;
use super::parser::{MOST_PADDING, Parsed, Parser, shown};
use crate::ast::{Init, Type, Variable};
use crate::lexer::TokenKind;
use half::{bf16, f16};

/// Parses an initializer, after `=`. Gives `x[] = {...}` its length.
pub(super) fn initializer(parser: &mut Parser<'_>, variable: &mut Variable) -> Parsed<()> {
    let mut levels = variable.dims.clone();
    let open = levels.first() == Some(&0);
    if open {
        levels[0] = u64::MAX;
    }
    if variable.vector > 1 {
        levels.push(u64::from(variable.vector));
    }
    if levels.is_empty() {
        if !parser.at("{") {
            let value = element(parser, variable)?;
            variable.init.push(value);
            return Ok(());
        }
        levels.push(1);
    }
    let start = parser.token;
    braces(parser, variable, &levels, 0)?;
    if open {
        let row = levels[1..].iter().fold(1u64, |row, &n| row.saturating_mul(n));
        if row == 0 {
            return Err(parser.error(start, "found a row of no elements".into()));
        }
        variable.dims[0] = (variable.init.len() as u64).div_ceil(row);
    }
    Ok(())
}

/// `{...}` for the part of the variable that begins at element `start`.
fn braces(parser: &mut Parser<'_>, variable: &mut Variable, levels: &[u64], start: u64) -> Parsed<()> {
    let row = levels[1..].iter().fold(1u64, |row, &n| row.saturating_mul(n));
    let end = start.saturating_add(row.saturating_mul(levels[0]));
    let mut at = start;
    parser.expect("{")?;
    parser.list("}", |p| {
        let first = p.token;
        let inner = p.at("{");
        let next = at.saturating_add(if inner { row } else { 1 });
        if next > end {
            return Err(p.error(first, format!("`{}` has more initial values than elements", shown(&variable.name))));
        }
        let missing = at.saturating_sub(variable.init.len() as u64);
        p.padding = p
            .padding
            .checked_sub(missing)
            .ok_or_else(|| p.error(first, format!("more than {MOST_PADDING} zeros are left out of initial values")))?;
        variable.init.extend((0..missing).map(|_| Init::Bits(0)));
        if !inner {
            let value = element(p, variable)?;
            variable.init.push(value);
        } else if levels.len() == 1 {
            return Err(p.unexpected("a value"));
        } else if !(at - start).is_multiple_of(row.max(1)) {
            return Err(p.unexpected("a value: this row began without braces"));
        } else {
            p.nested(|p| braces(p, variable, &levels[1..], at))?;
        }
        at = next;
        Ok(())
    })
}

fn element(parser: &mut Parser<'_>, variable: &Variable) -> Parsed<Init> {
    let start = parser.token;
    if start.kind == TokenKind::Number && parser.second().text == "(" {
        let Some(ConstantValue::Integer { bits: mask, .. }) = super::number::parse(start.text) else {
            return Err(parser.error(start, format!("`{}` is no mask", shown(start.text))));
        };
        parser.advance();
        parser.expect("(")?;
        let (symbol, offset, generic) = address(parser, variable)?;
        parser.expect(")")?;
        return Ok(Init::Masked { mask, symbol, offset, generic });
    }
    if start.kind == TokenKind::Word && !parser.at_constant() {
        let (symbol, offset, generic) = address(parser, variable)?;
        return Ok(Init::Address { symbol, offset, generic });
    }
    let value = parser.expression()?;
    bits(variable.ty, value)
        .map(Init::Bits)
        .ok_or_else(|| parser.error(start, format!("found a float, expected a value of type .{}", variable.ty)))
}

/// `symbol + 4` or `generic(symbol) + 4`
fn address(parser: &mut Parser<'_>, variable: &Variable) -> Parsed<(String, i64, bool)> {
    let generic = parser.at("generic") && parser.second().text == "(";
    if generic {
        parser.advance();
        parser.advance();
    }
    let name = parser.expect_kind(TokenKind::Word, "a name")?;
    // A variable may point at itself.
    if !parser.globals.contains_key(name.text) && name.text != variable.name {
        return Err(parser.undeclared("", name));
    }
    let mut offset = parser.offset()?;
    if generic {
        parser.expect(")")?;
        offset = offset.wrapping_add(parser.offset()?);
    }
    Ok((name.text.into(), offset, generic))
}

/// A constant as an element of type `ty`: floats are rounded, integers lose their upper bits.
fn bits(ty: Type, value: ConstantValue) -> Option<u64> {
    let float = value.to_float();
    Some(match (ty, value) {
        (Type::F16, _) => u64::from(f16::from_f64(float).to_bits()),
        (Type::Bf16, _) => u64::from(bf16::from_f64(float).to_bits()),
        (Type::F32 | Type::B32, ConstantValue::F32(bits)) => u64::from(bits),
        (Type::F32, _) | (Type::B32, ConstantValue::F64(_)) => u64::from((float as f32).to_bits()),
        (Type::F64, _) | (Type::B64, ConstantValue::F32(_) | ConstantValue::F64(_)) => float.to_bits(),
        (_, ConstantValue::Integer { bits, .. }) => match ty.bytes() {
            1 => bits & 0xff,
            2 => bits & 0xffff,
            4 => bits & 0xffff_ffff,
            _ => bits,
        },
        _ => return None,
    })
}
