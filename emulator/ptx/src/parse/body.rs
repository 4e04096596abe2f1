//! Statements (PTX ISA, "Statements", "Kernel and function directives").

use super::function::Parameter;
use super::names::{Name, NameScopes};
use super::parser::{DEEPEST, Parsed, Parser, shown};
use crate::ast::{Body, Linkage, Operand, Param, Prototype, RegId, Register, VarId};
use crate::lexer::{Token, TokenKind};

/// A function's body under construction.
pub(super) struct Scoped<'p, 'a> {
    pub parser: &'p mut Parser<'a>,
    pub names: NameScopes<'a>,
    pub body: Body,
    /// The `.loc` in force.
    pub loc: Option<u32>,
}

/// `{ ... }`; passed over if it is not understood.
pub(super) fn body<'a>(parser: &mut Parser<'a>, returns: &[Parameter<'a>], params: &[Parameter<'a>]) -> Parsed<Body> {
    let (start, first_loc) = (parser.mark(), parser.module.locs.len());
    known_body(parser, returns, params).or_else(|error| {
        parser.forget_locs(first_loc);
        parser.skip_body(start, error)
    })
}

fn known_body<'a>(parser: &mut Parser<'a>, returns: &[Parameter<'a>], params: &[Parameter<'a>]) -> Parsed<Body> {
    let first_loc = parser.module.locs.len();
    let mut scoped = Scoped { parser, names: NameScopes::new(), body: Body::default(), loc: None };
    for (name, param) in returns.iter().chain(params) {
        scoped.parameter(*name, param)?;
    }
    scoped.parser.expect("{")?;
    scoped.statements()?;
    scoped.body.locs = first_loc..scoped.parser.module.locs.len();
    scoped.finish()
}

impl<'a> Scoped<'_, 'a> {
    fn parameter(&mut self, name: Token<'a>, param: &Param) -> Parsed<()> {
        let what = match param {
            Param::Memory(_) => Name::Parameter,
            Param::Register { name, ty, vector, reg } => {
                self.body.registers.push(Register { name: name.clone(), ty: *ty, vector: *vector });
                Name::Register(*reg)
            }
        };
        self.declare(name, what)
    }

    fn declare(&mut self, name: Token<'a>, what: Name) -> Parsed<()> {
        self.names.declare(name.text, what).map_err(|message| self.parser.error(name, message))
    }

    /// Up to the brace that closes the body. Blocks within are a count, not a recursion.
    fn statements(&mut self) -> Parsed<()> {
        loop {
            let token = self.parser.token;
            match (token.kind, token.text) {
                (TokenKind::Mark, "}") => {
                    self.parser.advance();
                    if self.names.depth() == 1 {
                        return Ok(());
                    }
                    self.names.close();
                }
                (TokenKind::Mark, "{") => {
                    if self.names.depth() > DEEPEST as usize {
                        return Err(self.parser.error(token, format!("more than {DEEPEST} levels of nesting")));
                    }
                    self.parser.advance();
                    self.names.open();
                }
                (TokenKind::Word, _) if self.parser.second().text == ":" => self.label()?,
                (TokenKind::Word, _) | (TokenKind::Mark, "@") => self.instruction()?,
                (TokenKind::Dot, ".reg") => self.registers()?,
                (TokenKind::Dot, ".pragma") => self.parser.pragma()?,
                (TokenKind::Dot, ".loc") => {
                    self.loc = Some(self.parser.module.locs.len() as u32);
                    self.parser.loc()?;
                }
                (TokenKind::Dot, ".extern") => {
                    self.parser.advance();
                    self.variables(Linkage::Extern)?;
                }
                (TokenKind::Dot, text) if super::variable::space(text).is_some() => {
                    self.variables(Linkage::Internal)?
                }
                (TokenKind::Dot, text) => {
                    return Err(self.parser.error(token, format!("unknown directive `{}`", shown(text))));
                }
                _ => return Err(self.parser.unexpected("a statement or `}`")),
            }
        }
    }

    /// `.reg .b32 %r<5>, %x;`
    fn registers(&mut self) -> Parsed<()> {
        self.parser.advance();
        let shape = self.parser.shape()?;
        loop {
            let name = self.parser.expect_kind(TokenKind::Word, "the name of a register")?;
            if self.parser.take("<") {
                let count = self.parser.expect_kind(TokenKind::Number, "a number of registers")?;
                let number = count.text.parse();
                let number = number.map_err(|_| self.parser.error(count, "no number of registers".into()))?;
                self.parser.expect(">")?;
                self.names
                    .declare_range(name.text, number, shape.ty, shape.vector)
                    .map_err(|message| self.parser.error(name, message))?;
            } else {
                let id = RegId(self.body.registers.len() as u32);
                self.body.registers.push(Register { name: name.text.into(), ty: shape.ty, vector: shape.vector });
                self.declare(name, Name::Register(id))?;
            }
            if self.parser.take(";") {
                return Ok(());
            }
            if !self.parser.take(",") {
                return Err(self.parser.unexpected("`,` or `;`"));
            }
        }
    }

    fn variables(&mut self, linkage: Linkage) -> Parsed<()> {
        for (name, variable) in self.parser.variables(linkage)? {
            let id = VarId(self.body.variables.len() as u32);
            self.declare(name, Name::Variable(id))?;
            self.body.variables.push(variable);
        }
        Ok(())
    }

    /// `name:`, and a table where one follows.
    fn label(&mut self) -> Parsed<()> {
        let name = self.parser.advance();
        self.parser.expect(":")?;
        let kind = self.parser.token.text;
        if !matches!(kind, ".branchtargets" | ".calltargets" | ".callprototype") {
            let target = self.body.instructions.len() as u32;
            return self.names.define_label(name, target).map_err(|message| self.parser.error(name, message));
        }
        self.parser.advance();
        let unique = self.names.declare_table(name.text).map_err(|message| self.parser.error(name, message))?;
        let mut prototype = Prototype { name: unique, returns: Vec::new(), params: Vec::new(), targets: Vec::new() };
        match kind {
            ".branchtargets" => {
                let mut targets = Vec::new();
                let names = &mut self.names;
                self.parser.list(";", |p| {
                    targets.push(names.use_label(p.expect_kind(TokenKind::Word, "a label")?));
                    Ok(())
                })?;
                self.body.branch_targets.push((prototype.name, targets));
                return Ok(());
            }
            ".calltargets" => self.parser.list(";", |p| {
                prototype.targets.push(p.known_function()?.text.into());
                Ok(())
            })?,
            _ => (prototype.returns, prototype.params) = self.parser.prototype()?,
        }
        self.body.prototypes.push(prototype);
        Ok(())
    }

    /// Gives labels their final numbers.
    fn finish(self) -> Parsed<Body> {
        let Scoped { parser, names, mut body, .. } = self;
        let (labels, ids) = names.finish().map_err(|(token, message)| parser.error(token, message))?;
        body.labels = labels;
        for (_, targets) in &mut body.branch_targets {
            for target in targets {
                *target = ids[target.0 as usize];
            }
        }
        // Labels stand nowhere inside other operands.
        for operand in body.instructions.iter_mut().flat_map(|instruction| &mut instruction.operands) {
            if let Operand::Label(label) = operand {
                *label = ids[label.0 as usize];
            }
        }
        Ok(body)
    }
}
