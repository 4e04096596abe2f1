//! Where instructions come from: `.loc` walked to the line that the user wrote.

use crate::machine::code::Location;
use crate::ptx::ast;
use crate::report::SourceLocation;
use std::collections::HashMap;

/// Source places, each once, walked out of headers to the line that the user wrote.
#[derive(Default)]
pub struct Locations {
    pub list: Vec<Location>,
    known: HashMap<(usize, u32), u32>,
}

impl Locations {
    pub fn add(&mut self, module_index: usize, module: &ast::Module, loc: u32) -> u32 {
        if let Some(&known) = self.known.get(&(module_index, loc)) {
            return known;
        }
        let place = user_place(module, loc as usize);
        let at = self.list.iter().position(|known| *known == place).unwrap_or(self.list.len());
        if at == self.list.len() {
            self.list.push(place);
        }
        self.known.insert((module_index, loc), at as u32);
        at as u32
    }
}

/// Follows `inlined_at` until a file that is not the toolkit's, which kernel builds write as
/// `<cuda>/...` and other PTX by its absolute path. Line 0 is the compiler's way to say "none".
fn user_place(module: &ast::Module, loc: usize) -> Location {
    let path = |file: u32| module.files.iter().find(|(index, _)| *index == file).map_or("", |(_, path)| path.as_str());
    let is_header = |file: u32| {
        let path = path(file);
        path.starts_with("<cuda>") || path.starts_with("cuda/include") || path.contains("/include/")
    };
    let source = |file: u32, line, column| SourceLocation { file: path(file).into(), line, column };
    let mut user = Vec::new();
    let mut last = source(module.locs[loc].file, module.locs[loc].line, module.locs[loc].column);
    let mut at = loc;
    // The chain is as long as the inlining is deep; each step goes to an earlier entry.
    loop {
        let place = &module.locs[at];
        if place.line != 0 {
            last = source(place.file, place.line, place.column);
            if !is_header(place.file) {
                user.push(last.clone());
            }
        }
        let Some((file, line, column)) = place.inlined_at else {
            // No line of its own: the nearest one before it.
            if place.line != 0 || at == 0 || !user.is_empty() {
                break;
            }
            at -= 1;
            continue;
        };
        let same = |loc: &ast::Loc| (loc.file, loc.line, loc.column) == (file, line, column);
        match module.locs[..at].iter().rposition(same) {
            Some(outer) => at = outer,
            None => {
                last = source(file, line, column);
                if !is_header(file) {
                    user.push(last.clone());
                }
                break;
            }
        }
    }
    let mut user = user.into_iter();
    match user.next() {
        Some(place) => Location { place, is_header: false, inlined_into: user.collect() },
        None => Location { place: last, is_header: true, inlined_into: Vec::new() },
    }
}
