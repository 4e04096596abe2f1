//! From `// run:` comments to launches with their expectations.

use super::value::{Tolerance, Type};

/// One launch and what must come of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// Line in the file, from 1.
    pub line: usize,
    /// The only device it is for.
    pub only: Option<String>,
    /// None: the file's only kernel.
    pub kernel: Option<String>,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub shared: u32,
    pub cooperative: bool,
    pub(crate) parameters: Vec<Declared>,
    pub(crate) expected: Vec<Expected>,
}

/// `name:type=value`, `name:type=<fields>`, `name:type[count]=[values]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Declared {
    pub name: String,
    pub ty: Type,
    pub content: Content,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Content {
    /// One number, or the fields of a struct.
    Scalar(Vec<String>),
    /// No values: the buffer is poison.
    Buffer { count: Option<String>, values: Vec<String> },
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expected {
    Values {
        name: String,
        /// First element and the one past the last; none: the whole buffer.
        range: Option<(String, String)>,
        tolerance: Tolerance,
        values: Vec<String>,
        /// In any order.
        multiset: bool,
    },
    Fault(String),
    Finding(String),
    Printed(String),
    /// The refusal holds this text.
    Refused(String),
}

/// Every `// run:` of a file, in order.
pub fn parse(text: &str) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let Some(rest) = line.strip_prefix("// run") else { continue };
        let (only, rest) = match rest.strip_prefix('(') {
            Some(rest) => {
                let (name, rest) = rest.split_once(')').ok_or(format!("line {}: `)` expected", at + 1))?;
                (Some(name.to_string()), rest)
            }
            None => (None, rest),
        };
        let Some(first) = rest.strip_prefix(':') else { continue };
        // Lines that begin with three blanks or more go on with the run.
        let more = lines[at + 1..].iter().map_while(|line| line.strip_prefix("//   "));
        let whole = std::iter::once(first).chain(more).collect::<Vec<_>>().join(" ");
        let case = run(&whole, at + 1, only).map_err(|error| format!("line {}: {error}", at + 1))?;
        cases.push(case);
    }
    if cases.is_empty() {
        return Err("there is no `// run:` line".into());
    }
    Ok(cases)
}

fn run(text: &str, line: usize, only: Option<String>) -> Result<Case, String> {
    let mut case = Case {
        line,
        only,
        kernel: None,
        grid: [1; 3],
        block: [1; 3],
        shared: 0,
        cooperative: false,
        parameters: Vec::new(),
        expected: Vec::new(),
    };
    let mut expecting = false;
    for word in words(text)? {
        if word == "=>" {
            expecting = true;
        } else if expecting {
            case.expected.push(expectation(word)?);
        } else if let Some((name, ty)) = word.split_once(':').filter(|(name, _)| is_name(name)) {
            case.parameters.push(declared(name, ty)?);
        } else {
            let (key, value) = word.split_once('=').ok_or(format!("`{word}` is not understood"))?;
            match key {
                "kernel" => case.kernel = Some(value.into()),
                "grid" => case.grid = shape(value)?,
                "block" => case.block = shape(value)?,
                "shared" => case.shared = value.parse().map_err(|_| format!("`{value}` is no size"))?,
                "launch" if value == "cooperative" => case.cooperative = true,
                _ => return Err(format!("`{key}` is not understood")),
            }
        }
    }
    if case.expected.is_empty() {
        return Err("the run expects nothing; a run that cannot fail is no test".into());
    }
    Ok(case)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// `8`, `8,4`, `8,4,2`.
fn shape(text: &str) -> Result<[u32; 3], String> {
    let mut shape = [1; 3];
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > 3 {
        return Err(format!("`{text}` has more than three axes"));
    }
    for (axis, part) in shape.iter_mut().zip(parts) {
        *axis = part.parse().map_err(|_| format!("`{text}` is no shape"))?;
    }
    Ok(shape)
}

fn declared(name: &str, rest: &str) -> Result<Declared, String> {
    let (left, value) = match rest.split_once('=') {
        Some((left, value)) => (left, Some(value)),
        None => (rest, None),
    };
    let (ty, count) = match left.split_once('[') {
        Some((ty, count)) => {
            (ty, Some(count.strip_suffix(']').ok_or(format!("`]` expected in `{left}`"))?.to_string()))
        }
        None => (left, None),
    };
    let ty = Type::parse(ty).ok_or(format!("`{ty}` is no type"))?;
    let content = match value {
        None => Content::Buffer { count, values: Vec::new() },
        Some(value) => match inside(value, '[', ']') {
            Some(list) => Content::Buffer { count, values: list_of(list)? },
            None if count.is_none() => Content::Scalar(match inside(value, '<', '>') {
                Some(fields) => list_of(fields)?,
                None => vec![value.into()],
            }),
            None => return Err(format!("a buffer's values stand in brackets, not `{value}`")),
        },
    };
    Ok(Declared { name: name.into(), ty, content })
}

fn expectation(word: &str) -> Result<Expected, String> {
    let at = equals_sign(word).ok_or(format!("`{word}` expects nothing"))?;
    let (left, value) = (&word[..at], &word[at + 1..]);
    let quoted = || {
        let text = inside(value, '"', '"').ok_or(format!("`{value}` must stand in quotes"))?;
        Ok::<_, String>(text.replace("\\n", "\n"))
    };
    match left {
        "fault" => return Ok(Expected::Fault(value.into())),
        "finding" => return Ok(Expected::Finding(value.into())),
        "printed" => return Ok(Expected::Printed(quoted()?)),
        "refused" => return Ok(Expected::Refused(quoted()?)),
        _ => {}
    }
    let (left, tolerance) = match left.split_once('~') {
        None => (left, Tolerance::Exact),
        Some((left, text)) => {
            let bad = |_| format!("`{text}` is no tolerance");
            let tolerance = match text.strip_suffix("ulp") {
                Some(steps) => Tolerance::Ulps(steps.parse().map_err(|_| format!("`{text}` is no tolerance"))?),
                None => Tolerance::Absolute(text.parse().map_err(bad)?),
            };
            (left, tolerance)
        }
    };
    let (name, range, single) = match left.split_once('[') {
        None => (left, None, false),
        Some((name, index)) => {
            let index = index.strip_suffix(']').ok_or(format!("`]` expected in `{left}`"))?;
            match index.split_once("..") {
                Some((from, to)) => (name, Some((from.into(), to.into())), false),
                None => (name, Some((index.into(), format!("({index})+1"))), true),
            }
        }
    };
    let (values, multiset) = match (inside(value, '[', ']'), inside(value, '{', '}')) {
        _ if single => (vec![value.to_string()], false),
        (Some(list), _) => (list_of(list)?, false),
        (_, Some(list)) => (list_of(list)?, true),
        _ => return Err(format!("`{value}` must stand in brackets")),
    };
    Ok(Expected::Values { name: name.into(), range, tolerance, values, multiset })
}

/// The `=` that is not inside brackets.
fn equals_sign(word: &str) -> Option<usize> {
    let mut depth = 0;
    word.char_indices().find_map(|(at, c)| {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            '=' if depth == 0 => return Some(at),
            _ => {}
        }
        None
    })
}

fn inside(text: &str, open: char, close: char) -> Option<&str> {
    text.strip_prefix(open)?.strip_suffix(close)
}

/// Splits at commas outside brackets.
fn list_of(text: &str) -> Result<Vec<String>, String> {
    let (mut items, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                items.push(text[start..at].trim().to_string());
                start = at + 1;
            }
            _ => {}
        }
    }
    items.push(text[start..].trim().to_string());
    if items.iter().any(String::is_empty) { Err(format!("a value is missing in `{text}`")) } else { Ok(items) }
}

/// Splits at blanks outside brackets and quotes.
fn words(text: &str) -> Result<Vec<&str>, String> {
    let (mut words, mut depth, mut quoted, mut start) = (Vec::new(), 0i32, false, None);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '[' | '(' | '{' if !quoted => depth += 1,
            ']' | ')' | '}' if !quoted => depth -= 1,
            _ => {}
        }
        if c.is_whitespace() && depth == 0 && !quoted {
            if let Some(start) = start.take() {
                words.push(&text[start..at]);
            }
        } else if start.is_none() {
            start = Some(at);
        }
    }
    words.extend(start.map(|start| &text[start..]));
    if depth != 0 || quoted { Err("a bracket or a quote is not closed".into()) } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_read_over_several_lines() {
        let text = "// about\n// run(gpu): block=32 n:u32=5 a:f32=[1.5, max(2, 3)]\n\
            //      out:u32[4] => out[0..2]~2ulp=[i] out[3]=7\nret;";
        let case = &parse(text).unwrap()[0];
        assert_eq!((case.line, case.only.as_deref(), case.block), (2, Some("gpu"), [32, 1, 1]));
        assert_eq!(case.parameters.len(), 3);
        let values = |content: &Content| match content {
            Content::Buffer { values, .. } => values.len(),
            Content::Scalar(_) => 99,
        };
        assert_eq!(case.parameters.iter().map(|p| values(&p.content)).collect::<Vec<_>>(), [99, 2, 0]);
        assert_eq!(case.expected.len(), 2);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, want) in [
            ("ret;", "no `// run:`"),
            ("// run: block=32 out:u32[4]", "expects nothing"),
            ("// run: blok=32 => out=[1]", "`blok`"),
            ("// run: out:u31 => out=[1]", "`u31`"),
            ("// run: => out=[1", "not closed"),
            ("// run: => out=[1,,2]", "missing"),
            ("// run: => out=1", "brackets"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(want), "{text}: {error}");
        }
    }
}
