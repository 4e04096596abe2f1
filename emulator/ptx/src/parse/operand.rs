//! Operands (PTX ISA, "Instruction operands", "Special registers").

use super::body::Scoped;
use super::names::Name;
use super::parser::{Parsed, shown};
use crate::ast::{Base, Operand, RegId, Variable};
use crate::lexer::{Token, TokenKind};

/// A name that an operand may begin with, found.
enum FoundName {
    Local(Name),
    /// A module-scope name or a table, as the tree knows it.
    Symbol(String),
    Special,
}

impl<'a> Scoped<'_, 'a> {
    /// One operand, or `d|p`.
    pub(super) fn operand(&mut self) -> Parsed<Operand> {
        let first = self.single()?;
        if !self.parser.take("|") {
            return Ok(first);
        }
        Ok(Operand::Pair(Box::new(first), Box::new(self.single()?)))
    }

    /// `(a, b)` of a call.
    pub(super) fn list(&mut self) -> Parsed<Operand> {
        self.parser.expect("(")?;
        Ok(Operand::List(self.operands(")")?))
    }

    pub(super) fn register(&mut self) -> Parsed<RegId> {
        let name = self.parser.expect_kind(TokenKind::Word, "a register")?;
        match self.find(name)? {
            FoundName::Local(Name::Register(id)) => Ok(id),
            _ => Err(self.parser.error(name, format!("found `{}`, expected a register", shown(name.text)))),
        }
    }

    fn operands(&mut self, end: &str) -> Parsed<Vec<Operand>> {
        let mut operands = Vec::new();
        if self.parser.take(end) {
            return Ok(operands);
        }
        loop {
            operands.push(self.operand()?);
            if self.parser.take(end) {
                return Ok(operands);
            }
            if !self.parser.take(",") {
                return Err(self.parser.unexpected(&format!("`,` or `{end}`")));
            }
        }
    }

    fn single(&mut self) -> Parsed<Operand> {
        let token = self.parser.token;
        let second_is_name = || {
            let second = self.parser.second();
            second.kind == TokenKind::Word && second.text != "WARP_SZ"
        };
        match (token.kind, token.text) {
            (TokenKind::Mark, "{") => {
                self.parser.advance();
                self.deeper(|s| s.operands("}")).map(Operand::Vector)
            }
            (TokenKind::Mark, "[") => self.deeper(Self::bracket),
            (TokenKind::Mark, "!") if second_is_name() => {
                self.parser.advance();
                self.register().map(Operand::NotRegister)
            }
            (TokenKind::Mark, "-") if second_is_name() => {
                self.parser.advance();
                let id = self.register()?;
                if self.parser.token.kind != TokenKind::Dot {
                    return Ok(Operand::NegatedRegister(id));
                }
                let part = self.parser.advance();
                match self.part(id, part)? {
                    Operand::Part(id, name) => Ok(Operand::NegatedPart(id, name)),
                    _ => Err(self.parser.error(part, format!("found `{}` after a negated register", shown(part.text)))),
                }
            }
            (TokenKind::Word, "_") => {
                self.parser.advance();
                Ok(Operand::Sink)
            }
            (TokenKind::Word, "WARP_SZ") if matches!(self.parser.second().text, "," | ";") => {
                Ok(Operand::Special(self.parser.advance().text.into()))
            }
            _ if self.parser.at_constant() => Ok(Operand::Immediate(self.parser.expression()?.immediate())),
            (TokenKind::Word, _) => self.named(),
            _ => Err(self.parser.unexpected("an operand")),
        }
    }

    /// [`super::parser::Parser::nested`] for operands, which need the scopes too.
    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.parser.depth == super::parser::DEEPEST {
            return Err(self
                .parser
                .error(self.parser.token, format!("more than {} levels of nesting", super::parser::DEEPEST)));
        }
        self.parser.depth += 1;
        let result = parse(self);
        self.parser.depth -= 1;
        result
    }

    /// A register, `%v.x`, `symbol + 4`, `%tid.x`.
    fn named(&mut self) -> Parsed<Operand> {
        let name = self.parser.advance();
        let found = self.find(name)?;
        let dotted = (self.parser.token.kind == TokenKind::Dot).then(|| self.parser.advance());
        match (found, dotted) {
            (FoundName::Special, None) => Ok(Operand::Special(name.text.into())),
            (FoundName::Special, Some(part)) => Ok(Operand::Special(format!("{}{}", name.text, part.text))),
            (FoundName::Local(Name::Register(id)), None) if self.parser.at("+") => {
                Ok(Operand::Sum(id, self.parser.offset()?))
            }
            (FoundName::Local(Name::Register(id)), None) => Ok(Operand::Register(id)),
            (FoundName::Local(Name::Register(id)), Some(part)) => self.part(id, part),
            (_, Some(part)) => {
                let message = format!("found `{}` after `{}`, which has no parts", shown(part.text), shown(name.text));
                Err(self.parser.error(part, message))
            }
            (FoundName::Local(Name::Variable(var)), None) => {
                let element = element_bytes(&self.body.variables[var.0 as usize]);
                Ok(Operand::Variable { var, offset: self.index_or_offset(name, element)? })
            }
            (FoundName::Local(Name::Parameter), None) => {
                Ok(Operand::Symbol { name: name.text.into(), offset: self.index_or_offset(name, None)? })
            }
            (FoundName::Symbol(symbol), None) => {
                let variable = || self.parser.module.variables.iter().rev().find(|known| known.name == symbol);
                let element = if self.parser.at("[") { variable().and_then(element_bytes) } else { None };
                Ok(Operand::Symbol { offset: self.index_or_offset(name, element)?, name: symbol })
            }
        }
    }

    /// `+ 4` in bytes; or `[4]`, which counts elements. Where an array has several dimensions ptxas counts its
    /// innermost elements too.
    fn index_or_offset(&mut self, name: Token<'a>, element: Option<u32>) -> Parsed<i64> {
        let bracket = self.parser.token;
        if !self.parser.take("[") {
            return self.parser.offset();
        }
        let Some(element) = element else {
            return Err(self.parser.error(bracket, format!("`{}` is no array", shown(name.text))));
        };
        let index = self.parser.integer()?;
        self.parser.expect("]")?;
        Ok(index.wrapping_mul(i64::from(element)))
    }

    /// An operand of `ld` or `st`, where `array[2]` is what lies there and not its address.
    pub(super) fn accessed(&mut self) -> Parsed<Operand> {
        let is_element = self.parser.token.kind == TokenKind::Word && self.parser.second().text == "[";
        Ok(match self.operand()? {
            Operand::Variable { var, offset } if is_element => Operand::Address { base: Base::Variable(var), offset },
            Operand::Symbol { name, offset } if is_element => Operand::Address { base: Base::Symbol(name), offset },
            other => other,
        })
    }

    /// `%v.x`, `%r.b0`
    fn part(&mut self, id: RegId, part: Token<'a>) -> Parsed<Operand> {
        let element = match part.text {
            ".x" | ".r" => 0,
            ".y" | ".g" => 1,
            ".z" | ".b" => 2,
            ".w" | ".a" => 3,
            text if text.len() > 2
                && (text.starts_with(".b") || text.starts_with(".h"))
                && text[2..].bytes().all(|b| b.is_ascii_digit()) =>
            {
                return Ok(Operand::Part(id, text[1..].into()));
            }
            text => {
                return Err(self.parser.error(part, format!("found `{}`, expected part of a register", shown(text))));
            }
        };
        let register = &self.body.registers[id.0 as usize];
        if register.vector == 1 || u32::from(element) >= register.vector {
            let message = format!("`{}` has no element `{}`", shown(&register.name), part.text);
            return Err(self.parser.error(part, message));
        }
        Ok(Operand::Element(id, element))
    }

    /// `[base + offset]`, `[image, {x, y}]`
    fn bracket(&mut self) -> Parsed<Operand> {
        self.parser.expect("[")?;
        let start = self.parser.token;
        let first = if start.kind == TokenKind::Word && !self.parser.at_constant() {
            self.parser.advance();
            let base = match self.find(start)? {
                FoundName::Local(Name::Register(id)) => Base::Register(id),
                FoundName::Local(Name::Variable(id)) => Base::Variable(id),
                FoundName::Local(Name::Parameter) => Base::Symbol(start.text.into()),
                FoundName::Symbol(name) => Base::Symbol(name),
                FoundName::Special => {
                    return Err(self
                        .parser
                        .error(start, format!("found `{}`, expected an address", shown(start.text))));
                }
            };
            Operand::Address { base, offset: self.parser.offset()? }
        } else if self.parser.at_constant() {
            Operand::Address { base: Base::Absolute, offset: self.parser.integer()? }
        } else {
            self.operand()?
        };
        if matches!(first, Operand::Address { .. }) && self.parser.take("]") {
            // `[a].unified`: a is the same on all devices that share it. There is one here.
            self.parser.take(".unified");
            return Ok(first);
        }
        self.parser.expect(",")?;
        let mut parts = vec![plain(first)];
        parts.append(&mut self.operands("]")?);
        Ok(Operand::Bracket(parts))
    }

    fn find(&mut self, name: Token<'a>) -> Parsed<FoundName> {
        if let Some(found) = self.names.find(name.text, &mut self.body.registers) {
            return Ok(FoundName::Local(found));
        }
        if let Some(table) = self.names.find_table(name.text) {
            return Ok(FoundName::Symbol(table.into()));
        }
        if self.parser.globals.contains_key(name.text) {
            return Ok(FoundName::Symbol(name.text.into()));
        }
        if is_special(name.text) {
            return Ok(FoundName::Special);
        }
        let what = if name.text.starts_with('%') { "register " } else { "" };
        Err(self.parser.undeclared(what, name))
    }
}

/// Bytes of an array's element.
fn element_bytes(variable: &Variable) -> Option<u32> {
    (!variable.dims.is_empty()).then(|| variable.ty.bytes() * variable.vector)
}

/// The first thing in a bracket of several: not an address to load from, but its parts.
fn plain(first: Operand) -> Operand {
    match first {
        Operand::Address { base: Base::Register(id), offset: 0 } => Operand::Register(id),
        Operand::Address { base: Base::Variable(var), offset } => Operand::Variable { var, offset },
        Operand::Address { base: Base::Symbol(name), offset } => Operand::Symbol { name, offset },
        other => other,
    }
}

/// Predefined registers, their `.x` and the like cut off.
fn is_special(name: &str) -> bool {
    let numbered = |prefix: &str, count: u32, suffix: &str| {
        let number = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(suffix));
        number.is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()) && n.parse().is_ok_and(|n: u32| n < count))
    };
    matches!(
        name,
        "%tid"
            | "%ntid"
            | "%laneid"
            | "%warpid"
            | "%nwarpid"
            | "%ctaid"
            | "%nctaid"
            | "%smid"
            | "%nsmid"
            | "%gridid"
            | "%is_explicit_cluster"
            | "%clusterid"
            | "%nclusterid"
            | "%cluster_ctaid"
            | "%cluster_nctaid"
            | "%cluster_ctarank"
            | "%cluster_nctarank"
            | "%lanemask_eq"
            | "%lanemask_le"
            | "%lanemask_lt"
            | "%lanemask_ge"
            | "%lanemask_gt"
            | "%clock"
            | "%clock_hi"
            | "%clock64"
            | "%globaltimer"
            | "%globaltimer_lo"
            | "%globaltimer_hi"
            | "%reserved_smem_offset_begin"
            | "%reserved_smem_offset_end"
            | "%reserved_smem_offset_cap"
            | "%total_smem_size"
            | "%aggr_smem_size"
            | "%dynamic_smem_size"
            | "%current_graph_exec"
    ) || numbered("%envreg", 32, "")
        || numbered("%pm", 8, "")
        || numbered("%pm", 8, "_64")
        || numbered("%reserved_smem_offset_", 2, "")
}
