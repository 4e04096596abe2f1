//! Why a recording cannot be run, in words. A page may be given any: PTX that is none, a launch that no GPU takes.

use crate::answer::LocalizedText;
use emulator::{LaunchError, LoadError, MemoryError, ReplayError, Unsupported};
use report::{Language, Reader, shape_error};

pub fn refused(error: &ReplayError) -> LocalizedText {
    match error {
        ReplayError::Load(LoadError { line: 0, message, .. }) => same(format!("PTX: {message}")),
        ReplayError::Load(LoadError { line, message, .. }) => {
            LocalizedText { en: format!("PTX, line {line}: {message}"), es: format!("PTX, línea {line}: {message}") }
        }
        ReplayError::Memory(MemoryError::OutOfMemory) => {
            words("the GPU does not have that much memory", "la GPU no tiene tanta memoria")
        }
        ReplayError::Memory(MemoryError::InvalidAddress) => words(
            "the host uses an address that is in no buffer",
            "el host usa una dirección que no está en ningún buffer",
        ),
        ReplayError::Launch(LaunchError::Unsupported(Unsupported { what, is_understood: false, line, .. })) => {
            LocalizedText {
                en: format!("the emulated GPU does not understand the PTX, line {line}: {what}"),
                es: format!("la GPU emulada no entiende el PTX, línea {line}: {what}"),
            }
        }
        ReplayError::Launch(LaunchError::Unsupported(Unsupported { what, line, .. })) => LocalizedText {
            en: format!("the emulated GPU does not have `{what}` (PTX, line {line})"),
            es: format!("la GPU emulada no tiene `{what}` (PTX, línea {line})"),
        },
        ReplayError::Launch(
            LaunchError::InvalidConfiguration(shape)
            | LaunchError::OutOfResources(shape)
            | LaunchError::CooperativeTooLarge(shape),
        ) => {
            let text = |language| shape_error(shape, &Reader::new(language));
            LocalizedText { en: text(Language::English), es: text(Language::Spanish) }
        }
        ReplayError::Unknown => {
            words("it names a program or a kernel that it does not have", "nombra un programa o un kernel que no tiene")
        }
    }
}

pub fn same(text: String) -> LocalizedText {
    LocalizedText { en: text.clone(), es: text }
}

fn words(en: &str, es: &str) -> LocalizedText {
    LocalizedText { en: en.to_string(), es: es.to_string() }
}
