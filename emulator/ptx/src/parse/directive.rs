//! The module: everything outside functions (PTX ISA, "PTX module directives",
//! "Debugging directives", "Linking directives"). `.loc` and `.pragma` stand inside too.

use super::parser::{Global, Parsed, Parser, shown};
use super::{names::clash, section};
use crate::ast::{Linkage, Loc, Space};
use crate::lexer::{Token, TokenKind};
use std::collections::hash_map::Entry;

impl<'a> Parser<'a> {
    pub(super) fn directives(&mut self) -> Parsed<()> {
        self.expect(".version")?;
        let number = self.expect_kind(TokenKind::Number, "a version such as `9.0`")?;
        // Not a float: 7.10 is no 7.1.
        let version =
            number.text.split_once('.').and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?)));
        self.module.version =
            version.ok_or_else(|| self.error(number, format!("`{}` is no version", shown(number.text))))?;
        // Until `.address_size` says otherwise. The PTX ISA's default is 32, but ptxas 13 knows addresses of 64 bits
        // only.
        self.module.address_size = 64;
        if !self.at(".target") {
            return Err(self.unexpected("`.target`"));
        }
        while self.token.kind != TokenKind::End {
            self.directive()?;
        }
        Ok(())
    }

    /// One directive; passed over if it is not understood.
    fn directive(&mut self) -> Parsed<()> {
        let start = self.mark();
        // Nothing can be read right without these.
        let is_needed = start.token.kind != TokenKind::Dot || matches!(start.token.text, ".target" | ".address_size");
        match self.known_directive() {
            Err(error) if !is_needed && !error.is_malformed => self.skip_directive(start, error),
            other => other,
        }
    }

    fn known_directive(&mut self) -> Parsed<()> {
        if self.token.kind != TokenKind::Dot {
            return Err(self.unexpected("a directive"));
        }
        match self.token.text {
            ".target" => self.target(),
            ".address_size" => {
                self.advance();
                let start = self.token;
                self.module.address_size = self.small()?;
                match self.module.address_size {
                    32 | 64 => Ok(()),
                    size => Err(self.error(start, format!("found address size {size}, expected 32 or 64"))),
                }
            }
            ".file" => self.file(),
            ".section" => section::section(self),
            ".loc" => self.loc(),
            ".pragma" => self.pragma(),
            ".alias" => self.alias(),
            _ => self.declaration(),
        }
    }

    fn target(&mut self) -> Parsed<()> {
        self.advance();
        loop {
            let name = self.expect_kind(TokenKind::Word, "a target such as `sm_90`")?;
            self.module.target.push(name.text.into());
            if !self.take(",") {
                return Ok(());
            }
        }
    }

    /// `.file index "path" [, timestamp, size]`
    fn file(&mut self) -> Parsed<()> {
        self.advance();
        let index = self.small()?;
        let path = self.string()?;
        if self.take(",") {
            self.integer()?;
            self.expect(",")?;
            self.integer()?;
        }
        self.module.files.push((index, unescaped(path)));
        Ok(())
    }

    /// `.loc file line column [, function_name label [+ n]] [, inlined_at file line column]`
    pub(super) fn loc(&mut self) -> Parsed<()> {
        self.advance();
        let mut loc =
            Loc { file: self.small()?, line: self.small()?, column: self.small()?, inlined_at: None, function: None };
        while self.take(",") {
            match self.token.text {
                "function_name" => {
                    self.advance();
                    let label = self.expect_kind(TokenKind::Word, "a label in `.debug_str`")?;
                    let start = self.token;
                    let offset = u64::try_from(self.offset()?)
                        .map_err(|_| self.error(start, "a name before its section".into()))?;
                    self.strings.want_name(self.module.locs.len(), label, offset);
                }
                "inlined_at" => {
                    self.advance();
                    loc.inlined_at = Some((self.small()?, self.small()?, self.small()?));
                }
                _ => return Err(self.unexpected("`function_name` or `inlined_at`")),
            }
        }
        self.module.locs.push(loc);
        Ok(())
    }

    /// The text between quotes.
    pub(super) fn string(&mut self) -> Parsed<&'a str> {
        let token = self.expect_kind(TokenKind::String, "a string")?;
        Ok(&token.text[1..token.text.len() - 1])
    }

    /// `.pragma "nounroll";`: advice to ptxas, of no consequence here.
    pub(super) fn pragma(&mut self) -> Parsed<()> {
        self.advance();
        self.string()?;
        while self.take(",") {
            self.string()?;
        }
        self.expect(";").map(drop)
    }

    /// `.alias alias, aliasee;`
    fn alias(&mut self) -> Parsed<()> {
        self.advance();
        let alias = self.known_function()?.text;
        self.expect(",")?;
        let aliasee = self.known_function()?.text;
        self.expect(";")?;
        self.module.aliases.push((alias.into(), aliasee.into()));
        Ok(())
    }

    /// The name of a function that is declared by now.
    pub(super) fn known_function(&mut self) -> Parsed<Token<'a>> {
        let name = self.expect_kind(TokenKind::Word, "the name of a function")?;
        if self.globals.get(name.text).is_some_and(|global| global.is_function) {
            return Ok(name);
        }
        Err(self.undeclared("function ", name))
    }

    /// A function or variables, with their linkage.
    fn declaration(&mut self) -> Parsed<()> {
        let start = self.token;
        let linkage = match start.text {
            ".extern" => Linkage::Extern,
            ".visible" => Linkage::Visible,
            ".weak" => Linkage::Weak,
            ".common" => Linkage::Common,
            _ => Linkage::Internal,
        };
        if linkage != Linkage::Internal {
            self.advance();
        }
        match self.token.text {
            ".entry" | ".func" => self.function(linkage),
            text => match super::variable::space(text) {
                Some(Space::Param) => Err(self.error(self.token, "`.param` outside a function".into())),
                Some(_) => self.globals(linkage),
                None if linkage != Linkage::Internal => Err(self.unexpected("`.entry`, `.func` or a state space")),
                None => Err(self.error(start, format!("unknown directive `{}`", shown(start.text)))),
            },
        }
    }

    fn globals(&mut self, linkage: Linkage) -> Parsed<()> {
        for (token, variable) in self.variables(linkage)? {
            self.declare_global(token, Global { is_function: false, defined: linkage != Linkage::Extern })?;
            self.module.variables.push(variable);
        }
        Ok(())
    }

    /// Any number of announcements, at most one definition.
    pub(super) fn declare_global(&mut self, name: Token<'a>, global: Global) -> Parsed<()> {
        match self.globals.entry(name.text) {
            Entry::Vacant(entry) => {
                entry.insert(global);
            }
            Entry::Occupied(mut entry) => {
                let known = entry.get_mut();
                if known.is_function != global.is_function || (known.defined && global.defined) {
                    return Err(self.malformed(name, clash(name.text)));
                }
                known.defined |= global.defined;
            }
        }
        Ok(())
    }
}

/// A path as the file system has it: nvcc writes each byte of a letter beyond ASCII as `\303`.
fn unescaped(path: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), path.as_bytes());
    while let [first, after @ ..] = rest {
        let digits = after.get(..3).filter(|digits| digits.iter().all(|digit| matches!(digit, b'0'..=b'7')));
        let escaped = digits.filter(|_| *first == b'\\');
        bytes.push(escaped.map_or(*first, |digits| digits.iter().fold(0, |sum, digit| sum << 3 | (digit - b'0'))));
        rest = if escaped.is_some() { &after[3..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
