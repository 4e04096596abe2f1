//! Headers of functions and prototypes (PTX ISA, "Kernel and function directives",
//! "Performance-tuning directives").

use super::parser::{Parsed, Parser};
use crate::ast::{Function, Linkage, Param};
use crate::lexer::{Token, TokenKind};

/// A parameter with its name's place.
pub(super) type Parameter<'a> = (Token<'a>, Param);

impl<'a> Parser<'a> {
    /// `.entry name (params) directives { body }`, `.func (returns) name (params) ... ;`
    pub(super) fn function(&mut self, linkage: Linkage) -> Parsed<()> {
        let keyword = self.advance();
        let is_kernel = keyword.text == ".entry";
        let mut registers = 0;
        let mut directives = Vec::new();
        if self.at(".attribute") {
            self.attributes()?;
        }
        let returns = if !is_kernel && self.at("(") { self.parameters(&mut registers)? } else { Vec::new() };
        let name = self.expect_kind(TokenKind::Word, "the name of a function")?;
        let (params, not_understood) = match self.after_name(&mut registers, &mut directives) {
            Ok(params) => (params, None),
            // As a directive without a body it is passed over.
            Err(error) if self.skip_header() => (Vec::new(), Some(error)),
            Err(error) => return Err(error),
        };

        let has_body = self.at("{");
        self.declare_global(name, super::parser::Global { is_function: true, defined: has_body })?;
        let body = match not_understood {
            Some(error) => Some(self.skip_body(self.mark(), error)?),
            None if has_body => Some(super::body::body(self, &returns, &params)?),
            None if self.take(";") => None,
            None => return Err(self.unexpected("`{`, `;` or a performance directive")),
        };
        self.module.functions.push(Function {
            name: name.text.into(),
            is_kernel,
            linkage,
            returns: strip(returns),
            params: strip(params),
            directives,
            body,
            line: keyword.line,
        });
        Ok(())
    }

    /// `directives (params) directives`, up to the body or the `;`.
    fn after_name(
        &mut self,
        registers: &mut u32,
        directives: &mut Vec<(String, Vec<u32>)>,
    ) -> Parsed<Vec<Parameter<'a>>> {
        self.tuning(directives)?;
        let params = if self.at("(") { self.parameters(registers)? } else { Vec::new() };
        self.tuning(directives)?;
        match self.token.text {
            "{" | ";" => Ok(params),
            _ => Err(self.unexpected("`{`, `;` or a performance directive")),
        }
    }

    /// `.maxntid 128, 1, 1 .noreturn ...`
    pub(super) fn tuning(&mut self, directives: &mut Vec<(String, Vec<u32>)>) -> Parsed<()> {
        while self.token.kind == TokenKind::Dot {
            match self.token.text {
                ".pragma" => self.pragma()?,
                ".attribute" => self.attributes().map(drop)?,
                ".noreturn" | ".explicitcluster" | ".blocksareclusters" | ".unified" => {
                    let word = self.advance();
                    directives.push((word.text[1..].into(), Vec::new()));
                }
                ".maxntid" | ".reqntid" | ".reqnctapercluster" => {
                    let word = self.advance();
                    let mut sizes = vec![self.small()?];
                    while sizes.len() < 3 && self.take(",") {
                        sizes.push(self.small()?);
                    }
                    directives.push((word.text[1..].into(), sizes));
                }
                ".maxnreg"
                | ".minnctapersm"
                | ".maxnctapersm"
                | ".maxclusterrank"
                | ".local_maxnreg"
                | ".abi_preserve"
                | ".abi_preserve_control" => {
                    let word = self.advance();
                    directives.push((word.text[1..].into(), vec![self.small()?]));
                }
                _ => return Err(self.unexpected("`{`, `;` or a performance directive")),
            }
        }
        Ok(())
    }

    /// `(returns) _ (params) .noreturn;`
    pub(super) fn prototype(&mut self) -> Parsed<(Vec<Param>, Vec<Param>)> {
        let mut registers = 0;
        let returns = if self.at("(") { self.parameters(&mut registers)? } else { Vec::new() };
        self.expect_kind(TokenKind::Word, "`_`")?;
        let params = if self.at("(") { self.parameters(&mut registers)? } else { Vec::new() };
        self.tuning(&mut Vec::new())?;
        self.expect(";")?;
        Ok((strip(returns), strip(params)))
    }
}

fn strip(parameters: Vec<Parameter<'_>>) -> Vec<Param> {
    parameters.into_iter().map(|(_, param)| param).collect()
}
