//! The messages of a Project Fluent file: what each says, and a form of it that only changes when the message does.

use anyhow::{Result, bail};
use fluent_syntax::ast::{Attribute, Entry, Expression, InlineExpression, Pattern, PatternElement, Resource};
use fluent_syntax::{parser, serializer};

/// In a text, what stands for a value that is only known when the message is printed.
pub const VALUE: &str = "`value`";

pub struct Message {
    /// A term's begins with `-`.
    pub id: String,
    /// As the file would be written, without comments.
    pub source: String,
    /// Its value and attributes as a reader sees them. Of several variants, the longest.
    pub texts: Vec<String>,
}

pub fn messages(file: &str) -> Result<Vec<Message>> {
    let resource = match parser::parse(file) {
        Ok(resource) => resource,
        Err((_, errors)) => bail!("is no Fluent file: {}", errors[0]),
    };
    let mut messages = Vec::new();
    for entry in resource.body {
        let (id, value, attributes, entry) = match entry {
            Entry::Message(mut message) => {
                message.comment = None;
                (
                    message.id.name.to_string(),
                    message.value.clone(),
                    message.attributes.clone(),
                    Entry::Message(message),
                )
            }
            Entry::Term(mut term) => {
                term.comment = None;
                (format!("-{}", term.id.name), Some(term.value.clone()), term.attributes.clone(), Entry::Term(term))
            }
            Entry::Junk { content } => bail!("cannot read {content:?}"),
            Entry::Comment(_) | Entry::GroupComment(_) | Entry::ResourceComment(_) => continue,
        };
        let attributes = attributes.iter().map(|Attribute { value, .. }| text(value));
        let texts = value.iter().map(text).chain(attributes).collect();
        messages.push(Message { id, source: serializer::serialize(&Resource { body: vec![entry] }), texts });
    }
    Ok(messages)
}

fn text(pattern: &Pattern<&str>) -> String {
    let piece = |element: &PatternElement<&str>| match element {
        PatternElement::TextElement { value } => value.to_string(),
        PatternElement::Placeable { expression } => text_of(expression),
    };
    pattern.elements.iter().map(piece).collect()
}

fn text_of(expression: &Expression<&str>) -> String {
    match expression {
        Expression::Select { variants, .. } => {
            let texts = variants.iter().map(|variant| text(&variant.value));
            texts.max_by_key(|text| text.split_whitespace().count()).unwrap_or_default()
        }
        Expression::Inline(InlineExpression::StringLiteral { value }) => value.to_string(),
        Expression::Inline(InlineExpression::Placeable { expression }) => text_of(expression),
        Expression::Inline(_) => VALUE.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# For whom this is\nfound = found in { $count ->\n    [one] one run\n   *[other] { $count } \
        of { $all } runs\n}\n    .short = { \"once\" }\n-brand = Name\n";

    #[test]
    fn a_message_is_its_longest_text() {
        let messages = messages(FILE).unwrap();
        assert_eq!(messages[0].id, "found");
        assert_eq!(messages[0].texts, [format!("found in {VALUE} of {VALUE} runs"), "once".to_string()]);
        assert_eq!((messages[1].id.as_str(), messages[1].texts[0].as_str()), ("-brand", "Name"));
        assert_eq!(messages.len(), 2);
    }

    #[test]
    fn comments_and_blank_lines_are_no_part_of_a_message() {
        let sources =
            |file: &str| messages(file).unwrap().into_iter().map(|message| message.source).collect::<Vec<_>>();
        assert_eq!(sources(FILE), sources(&FILE.replace("For whom", "To whom").replace("-brand", "\n\n-brand")));
        assert_ne!(sources(FILE), sources(&FILE.replace("one run", "a run")));
        assert!(messages("found = { $count\n").is_err());
    }
}
