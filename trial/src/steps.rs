//! The text of an execution's steps.

use emulator::{ExecutionStep, ExecutionSteps, StepKind, WordValue};

/// Values farther from 0 are written in hexadecimal: most are bits of floating-point numbers.
const MOST_DECIMAL: u64 = 1 << 24;

/// Returns a line for each step, and a sentence where no order of the steps explains them.
pub fn execution_lines(execution: &ExecutionSteps) -> Vec<String> {
    let ExecutionSteps { sequential, endless, trapped, steps } = execution;
    let has_blocks = steps.iter().any(|step| step.block > 0);
    let places: Vec<String> = steps.iter().map(|step| place(step, has_blocks)).collect();
    let lines: Vec<String> = steps.iter().map(line).collect();
    let width = |all: &[String]| all.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    let (first, second) = (width(&places), width(&lines));
    let texts = steps.iter().zip(places.iter().zip(&lines));
    let texts = texts.map(|(step, (place, line))| format!("{place:<first$}  {line:<second$}  {}", text(&step.kind)));
    let end = match (endless, trapped) {
        (true, _) => Some(say!("execution-endless")),
        (_, true) => Some(say!("execution-trapped")),
        _ => None,
    };
    let weak = (!sequential).then(|| say!("execution-weak"));
    texts.chain(end).chain(weak).collect()
}

fn place(step: &ExecutionStep, has_blocks: bool) -> String {
    let ExecutionStep { block, thread, .. } = *step;
    if has_blocks { say!("execution-thread-of", block, thread) } else { say!("execution-thread", thread) }
}

/// `file.cu:12`
fn line(step: &ExecutionStep) -> String {
    let name = |file: &String| file.rsplit('/').next().unwrap_or(file).to_string();
    step.file.as_ref().zip(step.line).map_or_else(String::new, |(file, line)| format!("{}:{line}", name(file)))
}

fn text(kind: &StepKind) -> String {
    match kind {
        StepKind::Read { word, value } => say!("execution-read", word, value = number(*value)),
        StepKind::Write { word, value } => say!("execution-write", word, value = number(*value)),
        StepKind::Update { word, found, value: Some(value) } => {
            say!("execution-update", word, found = number(*found), value = number(*value))
        }
        StepKind::Update { word, found, value: None } => say!("execution-failed", word, found = number(*found)),
        StepKind::Fence => say!("execution-fence"),
        StepKind::Barrier => say!("execution-barrier"),
    }
}

fn number(WordValue(value): WordValue) -> String {
    match i32::try_from(value) {
        _ if value.unsigned_abs() < MOST_DECIMAL => value.to_string(),
        Ok(word) => format!("{word:#x}"),
        Err(_) => format!("{value:#x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_are_decimal_and_have_a_sign() {
        assert_eq!(number(WordValue(-5)), "-5");
        assert_eq!(number(WordValue(0xffff_fffb)), "0xfffffffb");
        assert_eq!(number(WordValue(0x3f80_0000)), "0x3f800000");
        assert_eq!(number(WordValue(i64::from(0xbf80_0000_u32 as i32))), "0xbf800000");
    }
}
