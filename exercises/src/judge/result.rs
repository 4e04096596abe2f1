//! Checks what a run leaves in its buffers.

use super::trial::{AnswerTrial, TrialScene};
use crate::spec::{BufferSpec, Check, FillSpec, Spec};
use crate::stage::{self, NoRun, RunResults};
use crate::values::{self, Difference, Unmatched};
use std::fmt::Write;

impl TrialScene {
    /// Returns what is wrong with the result, in words.
    pub(super) fn result(&self, trial: &AnswerTrial, outcome: &RunResults) -> Result<Option<String>, String> {
        let spec = &trial.exercise.spec;
        if let Some(expected) = &self.expected {
            for (number, buffer) in spec.buffers.iter().enumerate() {
                let (got, want) = (&outcome.buffers[number], &expected[number]);
                if let Some(check) = &buffer.check {
                    if let Some(difference) = values::compare(check, buffer.ty, got, want) {
                        return Ok(Some(self.differs(spec, number, got, want, &difference)));
                    }
                } else if is_input(buffer) && *want == self.inputs[number] && got != want {
                    return Ok(Some(say!("error-input-changed", buffer = &buffer.name) + "\n"));
                }
            }
        }
        let Some((reference, program)) = &trial.check else { return Ok(None) };
        let Some(accept) = &reference.accept else { return Ok(None) };
        let args = trial.reference_args(reference);
        let judged = stage::reference(program, spec, accept, args, &outcome.buffers, &self.case.sizes, true);
        let said = judged.map_err(NoRun::words)?.1;
        if said == 0 {
            return Ok(None);
        }
        let words = usize::try_from(said - 1).ok().and_then(|at| trial.exercise.meaning(at));
        let why = words.map_or_else(|| say!("not-accepted"), String::from);
        let mut text = say!("error-wrong-result", why) + "\n";
        for (buffer, bytes) in spec.buffers.iter().zip(&outcome.buffers).filter(|(buffer, _)| buffer.check.is_some()) {
            let _ = writeln!(text, "   = {}: {}", buffer.name, values::list(bytes, buffer.ty, 0));
        }
        Ok(Some(text))
    }

    fn differs(
        &self,
        spec: &Spec,
        number: usize,
        got: &[u8],
        want: &[u8],
        Difference { first, count }: &Difference,
    ) -> String {
        let buffer = &spec.buffers[number];
        let length = want.len() / buffer.ty.bytes();
        let name = &buffer.name;
        let why = match buffer.check {
            Some(Check::Sorted) => say!("wrong-elements-in-any-order", count = *count, length, name),
            _ => {
                let (got, want) = (values::element(got, buffer.ty, *first), values::element(want, buffer.ty, *first));
                match length {
                    1 => say!("wrong-element", name, first = *first, got, want),
                    _ => say!("wrong-elements", count = *count, length, name, first = *first, got, want),
                }
            }
        };
        let mut text = say!("error-wrong-result", why) + "\n";
        let inputs = spec.buffers.iter().zip(&self.inputs).filter(|(buffer, _)| is_input(buffer));
        for (input, bytes) in inputs {
            let around = if bytes.len() / input.ty.bytes() == length { *first } else { 0 };
            let _ = writeln!(text, "   = {}: {}", input.name, values::list(bytes, input.ty, around));
        }
        if let Some(Check::Sorted) = buffer.check {
            let Unmatched { missing, extra } = values::unmatched(buffer.ty, got, want);
            let list = |bytes: &[u8]| values::list(bytes, buffer.ty, 0);
            let _ = writeln!(text, "   = {}", say!("missing", list = list(&missing)));
            let _ = writeln!(text, "   = {}", say!("too-much", list = list(&extra)));
            return text;
        }
        let _ = writeln!(text, "   = {}", say!("expected", list = values::list(want, buffer.ty, *first)));
        let _ = writeln!(text, "   = {}", say!("got", list = values::list(got, buffer.ty, *first)));
        text
    }
}

/// Filled with what the kernel is to read; zeros and the like may be its scratch.
fn is_input(buffer: &BufferSpec) -> bool {
    matches!(buffer.fill, FillSpec::Ramp | FillSpec::Random(_) | FillSpec::OneOf(_) | FillSpec::Permutation(_))
}
