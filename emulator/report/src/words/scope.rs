//! Synchronisation that reaches its own block only.

use super::{line, listed};
use finding::{AtomicOperation, Narrow, NarrowPart, Synchroniser};

/// What does not reach the other block, as far as it is known, and what to widen.
pub(super) fn too_narrow(narrow: &Narrow) -> (String, String) {
    let named: Option<Vec<String>> = narrow.parts.iter().map(name).collect();
    // Two instructions may be one line of the source.
    let named = once_each(named.unwrap_or_default());
    let wide = once_each(narrow.parts.iter().filter_map(|part| wider(part.what)).collect());
    let wide = match wide.is_empty() {
        true => "the function without `_block` in its name".to_string(),
        false => wide.join(", "),
    };
    let of_objects = match narrow.parts.iter().all(|part| part.what == Synchroniser::Fence) {
        true => "",
        false => "; of `cuda::` objects `thread_scope_device` for `thread_scope_block`",
    };
    let (which, reach) = match named.len() {
        0 => ("the synchronisation between them".to_string(), "reaches its"),
        1 => (listed(&named, "and"), "reaches its"),
        _ => (listed(&named, "and"), "reach their"),
    };
    (
        format!("{which} {reach} own block only, and (1) and (2) are in different blocks"),
        format!("give {which} device scope: {wide}{of_objects}; a flag or lock between blocks needs it on both sides"),
    )
}

fn name(part: &NarrowPart) -> Option<String> {
    let what = match part.what {
        Synchroniser::Fence => "the fence",
        Synchroniser::Atomic { .. } => "the atomic operation",
        Synchroniser::Load => "the load",
        Synchroniser::Store => "the store",
    };
    Some(format!("{what} in {}", line(part.at.as_ref()?)))
}

/// What has device scope in place of an instruction that has not, as CUDA calls both.
fn wider(what: Synchroniser) -> Option<String> {
    match what {
        Synchroniser::Fence => Some("`__threadfence()` for `__threadfence_block()`".into()),
        // A subtraction is the addition of less than 0.
        Synchroniser::Atomic { operation: AtomicOperation::Add } => {
            Some("`atomicAdd()` or `atomicSub()` for the same with `_block`".into())
        }
        Synchroniser::Atomic { operation } => {
            let name = operation.cuda_name();
            Some(format!("`{name}()` for `{name}_block()`"))
        }
        Synchroniser::Load | Synchroniser::Store => None,
    }
}

fn once_each(all: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for text in all {
        if !kept.contains(&text) {
            kept.push(text);
        }
    }
    kept
}
