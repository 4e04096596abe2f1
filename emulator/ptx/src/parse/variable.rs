//! Declarations of variables and parameters (PTX ISA, "Variable declarations", "Kernel
//! function parameter attributes", "Variable and function attribute directive").

use super::parser::{Parsed, Parser, shown};
use crate::ast::{Linkage, Param, RegId, Space, Type, Variable};
use crate::lexer::{Token, TokenKind};

/// The state space that a directive names, `.reg` aside.
pub(super) fn space(directive: &str) -> Option<Space> {
    Some(match directive {
        ".global" => Space::Global,
        ".const" => Space::Const,
        ".shared" => Space::Shared,
        ".local" => Space::Local,
        ".param" => Space::Param,
        _ => return None,
    })
}

/// The words between the state space and the name.
pub(super) struct VariableType {
    pub ty: Type,
    pub vector: u32,
    align: Option<u32>,
    managed: bool,
}

impl<'a> Parser<'a> {
    /// `.align 8 .v2 .f32`, in any order.
    pub(super) fn shape(&mut self) -> Parsed<VariableType> {
        let mut ty = None;
        let mut shape = VariableType { ty: Type::B32, vector: 1, align: None, managed: false };
        while self.token.kind == TokenKind::Dot {
            let word = self.token;
            match word.text {
                ".align" => shape.align = Some(self.align()?),
                ".attribute" => shape.managed |= self.attributes()?,
                ".ptr" => {
                    self.pointer()?;
                    continue;
                }
                ".v2" | ".v4" => {
                    self.advance();
                    shape.vector = if word.text == ".v2" { 2 } else { 4 };
                }
                // Opaque handles: eight bytes that only texture instructions understand.
                ".texref" | ".samplerref" | ".surfref" => {
                    self.advance();
                    ty = Some(Type::B64);
                }
                text => {
                    let found = Type::parse(&text[1..]).filter(|_| ty.is_none());
                    ty = Some(found.ok_or_else(|| self.unexpected(if ty.is_none() { "a type" } else { "a name" }))?);
                    self.advance();
                }
            }
        }
        shape.ty = ty.ok_or_else(|| self.unexpected("a type"))?;
        Ok(shape)
    }

    fn align(&mut self) -> Parsed<u32> {
        self.advance();
        let start = self.token;
        let align = self.small()?;
        if !align.is_power_of_two() {
            return Err(self.error(start, format!("alignment {align} is no power of two")));
        }
        Ok(align)
    }

    /// `.ptr .global .align 16`: what a pointer parameter points at. A promise to the compiler.
    fn pointer(&mut self) -> Parsed<()> {
        self.advance();
        if space(self.token.text).is_some() {
            self.advance();
        }
        if self.at(".align") {
            self.align()?;
        }
        Ok(())
    }

    /// `.attribute(.managed, .unified(1, 2))`; true where it says `.managed`.
    pub(super) fn attributes(&mut self) -> Parsed<bool> {
        self.advance();
        self.expect("(")?;
        let mut managed = false;
        self.list(")", |p| match p.token.text {
            ".managed" => {
                managed = true;
                p.advance();
                Ok(())
            }
            ".unified" => {
                p.advance();
                p.expect("(")?;
                p.list(")", |p| p.integer().map(drop))
            }
            _ => Err(p.unexpected("`.managed` or `.unified`")),
        })?;
        Ok(managed)
    }

    /// `.global .align 4 .b8 a[16] = {...}, b;` with each name's token.
    pub(super) fn variables(&mut self, linkage: Linkage) -> Parsed<Vec<(Token<'a>, Variable)>> {
        let keyword = self.advance();
        let space = space(keyword.text).ok_or_else(|| self.error(keyword, "expected a state space".into()))?;
        let opaque = [".texref", ".samplerref", ".surfref"].contains(&self.token.text);
        let shape = self.shape()?;
        let mut variables = Vec::new();
        loop {
            let (name, mut variable) = self.declarator(space, linkage, &shape)?;
            let equals = self.token;
            if self.take("=") {
                if opaque {
                    self.sampler_state()?;
                } else if matches!(space, Space::Global | Space::Const) {
                    super::initializer::initializer(self, &mut variable)?;
                } else {
                    return Err(self.error(equals, format!("a variable in `{}` has no initial value", keyword.text)));
                }
            }
            if variable.bytes().is_none() {
                return Err(self.error(name, format!("`{}` is larger than 64 bits can count", shown(name.text))));
            }
            variables.push((name, variable));
            if self.take(";") {
                return Ok(variables);
            }
            if !self.take(",") {
                return Err(self.unexpected("`=`, `,` or `;`"));
            }
        }
    }

    /// `{ addr_mode_0 = wrap, filter_mode = nearest }`, which only texture instructions heed.
    fn sampler_state(&mut self) -> Parsed<()> {
        self.expect("{")?;
        self.list("}", |p| {
            p.expect_kind(TokenKind::Word, "a field")?;
            p.expect("=")?;
            if p.at_constant() { p.expression().map(drop) } else { p.expect_kind(TokenKind::Word, "a value").map(drop) }
        })
    }

    /// `name[4][2]`
    fn declarator(&mut self, space: Space, linkage: Linkage, shape: &VariableType) -> Parsed<(Token<'a>, Variable)> {
        let name = self.expect_kind(TokenKind::Word, "a name")?;
        if self.at("<") {
            return Err(self.error(self.token, "only registers are declared by the range".into()));
        }
        if shape.ty == Type::Pred {
            return Err(self.error(name, "a predicate has no place in memory, expected `.reg`".into()));
        }
        let mut dims = Vec::new();
        while self.take("[") {
            let start = self.token;
            let open = dims.is_empty() && self.at("]");
            let size = if open { 0 } else { self.integer()? };
            dims.push(u64::try_from(size).map_err(|_| self.error(start, format!("{size} is no size of an array")))?);
            self.expect("]")?;
        }
        let variable = Variable {
            name: name.text.into(),
            space,
            linkage,
            managed: shape.managed,
            ty: shape.ty,
            vector: shape.vector,
            align: shape.align.unwrap_or(shape.ty.bytes() * shape.vector),
            dims,
            init: Vec::new(),
            line: name.line,
        };
        Ok((name, variable))
    }

    /// `(.param .b32 a, .reg .f32 %b)`; `registers` counts the `.reg` ones.
    pub(super) fn parameters(&mut self, registers: &mut u32) -> Parsed<Vec<(Token<'a>, Param)>> {
        let mut parameters = Vec::new();
        self.expect("(")?;
        self.list(")", |p| {
            let keyword = p.token;
            if !matches!(keyword.text, ".param" | ".reg") {
                return Err(p.unexpected("`.param` or `.reg`"));
            }
            p.advance();
            let shape = p.shape()?;
            if keyword.text == ".param" {
                let (name, variable) = p.declarator(Space::Param, Linkage::Internal, &shape)?;
                parameters.push((name, Param::Memory(variable)));
            } else {
                let name = p.expect_kind(TokenKind::Word, "a name")?;
                let reg = RegId(*registers);
                *registers += 1;
                parameters
                    .push((name, Param::Register { name: name.text.into(), ty: shape.ty, vector: shape.vector, reg }));
            }
            Ok(())
        })?;
        Ok(parameters)
    }
}
