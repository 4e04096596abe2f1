//! Small changes of a program's text: of one to three places in the bodies of its functions, by a seed.
//!
//! A statement is a line, as nvcc and this repository write them. What a change makes need not be PTX: then it is
//! refused.

use emulator::split_mix;
use std::collections::HashMap;

/// Numbers by a seed.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, end: usize) -> usize {
        (split_mix(&mut self.0) % end as u64) as usize
    }

    pub fn of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        if all.is_empty() { None } else { all.get(self.below(all.len())) }
    }
}

const EDGES: [&str; 22] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "4",
    "7",
    "8",
    "31",
    "32",
    "33",
    "63",
    "64",
    "255",
    "256",
    "1024",
    "65535",
    "0x7fffffff",
    "0x80000000",
    "0xffffffff",
    "0x7fffffffffffffff",
    "0x8000000000000000",
];

/// Parts of an instruction's name that may stand for one another.
const KIN: [&[&str]; 14] = [
    &[
        "b8", "u8", "s8", "b16", "u16", "s16", "f16", "f16x2", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64",
        "b128", "pred",
    ],
    &["cta", "cluster", "gpu", "sys"],
    &["global", "shared", "local", "const", "param"],
    &["weak", "relaxed", "acquire", "release", "acq_rel", "sc", "volatile"],
    &["add", "sub", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas", "mul", "shl", "shr", "div", "rem"],
    &["eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"],
    &["up", "down", "bfly", "idx"],
    &["all", "any", "uni", "ballot"],
    &["wide", "hi", "lo"],
    &["v2", "v4"],
    &["ld", "st", "atom", "red"],
    &["sync", "arrive", "red", "warp"],
    &["rn", "rz", "rm", "rp"],
    &["0", "4", "8", "12", "16"],
];

/// The text with some of its lines changed.
pub fn mutant(text: &str, dice: &mut Dice) -> String {
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let types = types(&lines);
    let mut left = 1 + dice.below(3);
    // A change that does not fit a line is tried on another.
    for _ in 0..200 {
        left -= usize::from(change(&mut lines, &types, dice).is_some());
        if left == 0 {
            break;
        }
    }
    lines.join("\n") + "\n"
}

/// Makes one change at random, if it fits the line that was drawn.
fn change(lines: &mut Vec<String>, types: &HashMap<String, String>, dice: &mut Dice) -> Option<()> {
    let bodies = bodies(lines);
    let body = dice.of(&bodies)?;
    let (at, other) = (*dice.of(body)?, *dice.of(body)?);
    let line = lines[at].clone();
    match dice.below(10) {
        0 => lines[at].clear(),
        1 => lines.insert(other, line),
        2 => lines.swap(at, other),
        3 => {
            let words = operands(&line);
            let (one, two) = (dice.of(&words)?, dice.of(&words)?);
            let (one, two) = (one.min(two), one.max(two));
            let (head, tail) = (&line[..one.0], &line[two.1..]);
            let between = line.get(one.1..two.0)?;
            lines[at] = format!("{head}{}{between}{}{tail}", &line[two.0..two.1], &line[one.0..one.1]);
        }
        4 => {
            let numbers: Vec<_> = operands(&line).into_iter().filter(|word| is_number(&line[word.0..word.1])).collect();
            lines[at] = replaced(&line, *dice.of(&numbers)?, dice.of(&EDGES)?);
        }
        5 | 6 => {
            let parts: Vec<_> = opcode(&line).into_iter().filter(|it| kin(&line[it.0..it.1]).is_some()).collect();
            let part = *dice.of(&parts)?;
            lines[at] = replaced(&line, part, dice.of(kin(&line[part.0..part.1])?)?);
        }
        7 => {
            let labels: Vec<String> = lines.iter().filter_map(|line| label(line).map(String::from)).collect();
            let branches: Vec<usize> = body.iter().copied().filter(|at| lines[*at].contains("bra")).collect();
            let at = *dice.of(&branches)?;
            let last = *operands(&lines[at]).last()?;
            lines[at] = replaced(&lines[at], last, dice.of(&labels)?);
        }
        8 => {
            let kind = |word: &str| match types.get(word) {
                Some(kind) => Some(kind.as_str()),
                None if word.starts_with('%') => Some("special"),
                None => None,
            };
            let words = words(&line);
            let registers: Vec<_> = words.iter().filter(|word| kind(&line[word.0..word.1]).is_some()).collect();
            let word = **dice.of(&registers)?;
            let wanted = kind(&line[word.0..word.1]);
            let all = body.iter().flat_map(|at| self::words(&lines[*at]).into_iter().map(move |word| (*at, word)));
            let alike: Vec<_> = all.map(|(at, it)| &lines[at][it.0..it.1]).filter(|it| kind(it) == wanted).collect();
            lines[at] = replaced(&line, word, dice.of(&alike)?);
        }
        _ => {
            let guard = line.trim_start().strip_prefix('@')?;
            let (guard, rest) = guard.split_once(char::is_whitespace)?;
            lines[at] = match (dice.below(2), guard.strip_prefix('!')) {
                (0, _) => rest.to_string(),
                (_, Some(guard)) => format!("@{guard} {rest}"),
                (_, None) => format!("@!{guard} {rest}"),
            };
        }
    }
    Some(())
}

/// A part of a line: from, to.
type Part = (usize, usize);

fn replaced(line: &str, part: Part, by: &str) -> String {
    format!("{}{by}{}", &line[..part.0], &line[part.1..])
}

/// The statements of each body that has any, by their lines.
fn bodies(lines: &[String]) -> Vec<Vec<usize>> {
    let mut bodies = vec![Vec::new()];
    let mut depth = 0;
    for (number, line) in lines.iter().enumerate() {
        let code = code(line);
        let is_statement = code.trim_start().starts_with(|c: char| c.is_ascii_lowercase() || c == '@');
        if depth > 0 && is_statement && code.trim_end().ends_with(';') {
            bodies.last_mut().expect("one is there").push(number);
        }
        depth += code.matches('{').count() as i32 - code.matches('}').count() as i32;
        if depth == 0 {
            bodies.push(Vec::new());
        }
    }
    bodies.retain(|body| !body.is_empty());
    bodies
}

fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or("")
}

fn label(line: &str) -> Option<&str> {
    let name = code(line).trim().strip_suffix(':')?;
    (!name.is_empty() && !name.contains(char::is_whitespace)).then_some(name)
}

fn kin(part: &str) -> Option<&'static [&'static str]> {
    KIN.into_iter().find(|kin| kin.contains(&part))
}

fn is_number(word: &str) -> bool {
    word.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit())
}

/// Names and numbers.
fn words(line: &str) -> Vec<Part> {
    let code = code(line);
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_$%.-".contains(c);
    let mut words = Vec::new();
    let mut from = None;
    for (at, c) in code.char_indices().chain([(code.len(), ' ')]) {
        match from {
            None if is_part(c) => from = Some(at),
            Some(start) if !is_part(c) => {
                words.push((start, at));
                from = None;
            }
            _ => {}
        }
    }
    words
}

/// Returns the index of the instruction's name among the words: behind its guard.
fn name(line: &str) -> usize {
    usize::from(line.trim_start().starts_with('@'))
}

fn operands(line: &str) -> Vec<Part> {
    words(line).split_off((name(line) + 1).min(words(line).len()))
}

/// The parts of the instruction's name between its dots.
fn opcode(line: &str) -> Vec<Part> {
    let Some(&(start, end)) = words(line).get(name(line)) else { return Vec::new() };
    let mut next = start;
    let part = |part: &str| {
        let from = next;
        next += part.len() + 1;
        (from, from + part.len())
    };
    line[start..end].split('.').map(part).collect()
}

/// The declared type of each register that is used. `.reg .b32 %r<17>` declares `%r0` to `%r16`.
fn types(lines: &[String]) -> HashMap<String, String> {
    let mut types = HashMap::new();
    for line in lines.iter().map(|line| code(line).trim()) {
        let Some((kind, names)) =
            line.strip_prefix(".reg").and_then(|rest| rest.trim().split_once(char::is_whitespace))
        else {
            continue;
        };
        for name in names.trim_end_matches(';').split(',').map(str::trim) {
            match name.split_once('<') {
                None => drop(types.insert(name.to_string(), kind.to_string())),
                Some((prefix, count)) => {
                    let count = count.trim_end_matches('>').parse().unwrap_or(0);
                    types.extend((0..count).map(|number| (format!("{prefix}{number}"), kind.to_string())));
                }
            }
        }
    }
    types
}
