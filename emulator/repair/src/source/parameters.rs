//! The parameters of a kernel.

use super::SourceFile;
use super::statements::Function;
use std::ops::Range;

/// A parameter of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    /// In one line, as in `const int*`.
    pub ty: String,
}

impl SourceFile {
    /// Returns the parameters of `kernel`; `None` if it is not here exactly once.
    pub fn parameters(&self, kernel: &str) -> Option<Vec<Parameter>> {
        Some(self.parameters_of(self.kernel(kernel)?))
    }

    pub(super) fn parameters_of(&self, function: &Function) -> Vec<Parameter> {
        let mut parts: Vec<Range<usize>> = Vec::new();
        for part in self.split(function.parameters.clone(), ",") {
            // `pair<int, int> x` is one parameter, and `>>` closes two brackets.
            let angles = |part: &Range<usize>, sign: char| -> usize {
                part.clone().map(|at| self.token(at)).filter(|text| text.starts_with(sign)).map(str::len).sum()
            };
            match parts.last_mut() {
                Some(last) if angles(last, '<') > angles(last, '>') => last.end = part.end,
                _ => parts.push(part),
            }
        }
        let parameters = parts.into_iter().map(|mut part| {
            if let Some(default) = self.outside_brackets(part.clone()).find(|at| self.token(*at) == "=") {
                part.end = default;
            }
            // In `int v[4]` the name is before the bracket.
            let name = self.outside_brackets(part.clone()).rfind(|at| self.is_word(*at));
            let ty: Vec<&str> = part.clone().filter(|at| Some(*at) != name).map(|at| self.token(at)).collect();
            let ty = ty
                .join(" ")
                .replace(" *", "*")
                .replace(" &", "&")
                .replace(" :: ", "::")
                .replace("< ", "<")
                .replace(" <", "<")
                .replace(" >", ">");
            Parameter { name: name.map(|at| self.token(at).to_string()).unwrap_or_default(), ty }
        });
        parameters.collect()
    }
}
