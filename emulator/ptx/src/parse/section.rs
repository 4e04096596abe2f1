//! `.section` (PTX ISA, "Debugging directives"): DWARF data, checked and passed over.
//!
//! Only `.debug_str` is kept. A `.loc` names the function it was inlined from by a label
//! in there, and often the label comes long after.

use super::parser::{Parsed, Parser, Strings, shown};
use crate::lexer::TokenKind;
use std::collections::HashMap;
use std::sync::Arc;

/// `.section name { label: .b8 1, 2 ... }`
pub(super) fn section(parser: &mut Parser<'_>) -> Parsed<()> {
    parser.advance();
    let keep = parser.at(".debug_str");
    if !matches!(parser.token.kind, TokenKind::Dot | TokenKind::Word) {
        return Err(parser.unexpected("the name of a section"));
    }
    parser.advance();
    parser.expect("{")?;
    while !parser.take("}") {
        match (parser.token.kind, parser.token.text) {
            (TokenKind::Dot, ".b8" | ".b16" | ".b32" | ".b64") => data(parser, keep)?,
            (TokenKind::Word, _) => {
                let label = parser.advance();
                parser.expect(":")?;
                if keep && parser.strings.labels.insert(label.text, parser.strings.bytes.len()).is_some() {
                    return Err(parser.error(label, super::names::clash(label.text)));
                }
            }
            _ => return Err(parser.unexpected("data, a label or `}`")),
        }
    }
    Ok(())
}

/// `.b8 1, 2` or `.b64 label`, `label + 4`, `label - label`, `.debug_info`.
fn data(parser: &mut Parser<'_>, keep: bool) -> Parsed<()> {
    let width = parser.advance();
    let is_bytes = width.text == ".b8";
    loop {
        let mut value = 0;
        match parser.token.kind {
            TokenKind::Word | TokenKind::Dot => {
                parser.advance();
                if parser.at("-") && parser.second().kind == TokenKind::Word {
                    parser.advance();
                    parser.advance();
                }
                parser.offset()?;
            }
            _ => value = parser.integer()?,
        }
        if keep && is_bytes {
            parser.strings.bytes.push(value as u8);
        }
        if !parser.take(",") {
            return Ok(());
        }
    }
}

/// Gives every `.loc` its function's name. Without a `.debug_str` there is none to give.
pub(super) fn name_inlined_functions(parser: &mut Parser<'_>) -> Parsed<()> {
    let mut known: HashMap<(&str, u64), Arc<str>> = HashMap::new();
    let Strings { bytes, labels, wanted, is_partial } = std::mem::take(&mut parser.strings);
    let mut room = bytes.len().saturating_mul(8);
    for (loc, label, offset) in wanted {
        let Some(&start) = labels.get(label.text) else {
            if bytes.is_empty() || is_partial {
                continue;
            }
            return Err(parser.error(label, format!("label `{}` is not in `.debug_str`", shown(label.text))));
        };
        if let Some(name) = known.get(&(label.text, offset)) {
            parser.module.locs[loc].function = Some(Arc::clone(name));
            continue;
        }
        let from = usize::try_from(offset).ok().and_then(|offset| start.checked_add(offset));
        let rest = from.and_then(|from| bytes.get(from..)).unwrap_or_default();
        let name = &rest[..rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len())];
        // Each name once is less than the section; overlapping ones could be its square.
        room =
            room.checked_sub(name.len()).ok_or_else(|| parser.error(label, "names in `.debug_str` overlap".into()))?;
        let name: Arc<str> = String::from_utf8_lossy(name).into();
        parser.module.locs[loc].function = Some(Arc::clone(&name));
        known.insert((label.text, offset), name);
    }
    Ok(())
}
