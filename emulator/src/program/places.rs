//! The user's line of an instruction, from `.loc` (PTX ISA, "Debugging Directives").

use crate::machine::code::Location;
use crate::ptx::ast;
use crate::report::SourceLocation;

/// Whether a file is one of the toolkit's headers. NVRTC brings some along in one file, which it names as if it lay beside the
/// source.
fn is_toolkits(path: &str) -> bool {
    path.starts_with("<cuda>")
        || path.starts_with("cuda/include")
        || path.contains("/include/")
        || path.rsplit('/').next() == Some("__nv_nvrtc_builtin_header.h")
}

/// Cooperative groups' own code, by the one thing that tells it from a user's, who may write the same instructions: its
/// place in the toolkit's folder of headers. What `memcpy_async` copies is the user's own.
fn is_of_groups(path: &str) -> bool {
    let inside = path.rsplit_once("/include/").map_or("", |(_, inside)| inside);
    let is_theirs = inside == "cooperative_groups.h" || inside.starts_with("cooperative_groups/");
    is_theirs && !inside.contains("async")
}

/// Follows `inlined_at` until a file that is not the toolkit's, which kernel builds write as
/// `<cuda>/...` and other PTX by its absolute path. Line 0 is the compiler's way to say "none". `-G` puts lines of headers
/// into a function without saying where: they count to the line before, if the function, which begins at `first`, is the user's.
pub(super) fn user_place(module: &ast::Module, loc: usize, first: usize) -> Location {
    let path = |file: u32| module.files.iter().find(|(index, _)| *index == file).map_or("", |(_, path)| path.as_str());
    let is_header = |file: u32| is_toolkits(path(file));
    let source = |file: u32, line, column| SourceLocation { file: path(file).into(), line, column };
    let of_groups = |file: u32| is_of_groups(path(file));
    let mut by_groups = false;
    let mut user = Vec::new();
    let mut last = source(module.locs[loc].file, module.locs[loc].line, module.locs[loc].column);
    let mut at = loc;
    // The chain is as long as the inlining is deep; each step goes to an earlier entry.
    loop {
        let place = &module.locs[at];
        by_groups |= user.is_empty() && of_groups(place.file);
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
    if user.is_empty() && !is_header(module.locs[first].file) {
        let own = |place: &&ast::Loc| place.inlined_at.is_none() && place.line != 0 && !is_header(place.file);
        let before = module.locs[first..=loc].iter().rev().find(own);
        user.extend(before.map(|place| source(place.file, place.line, place.column)));
    }
    let mut user = user.into_iter();
    match user.next() {
        Some(place) => Location { place, is_header: false, of_groups: by_groups, inlined_into: user.collect() },
        None => Location { place: last, is_header: true, of_groups: by_groups, inlined_into: Vec::new() },
    }
}

#[cfg(test)]
mod tests {
    use super::{is_of_groups, is_toolkits};

    #[test]
    fn files_that_are_called_like_cooperative_groups_are_not_theirs() {
        for path in [
            "<cuda>/include/cooperative_groups.h",
            "/opt/cuda/include/cooperative_groups/details/memory.h",
            "/usr/local/cuda/targets/x86_64-linux/include/cooperative_groups/reduce.h",
        ] {
            assert!(is_of_groups(path), "{path}");
        }
        for path in [
            "cooperative_groups.h",
            "/course/cooperative_groups/lock.cu",
            "/course/cooperative_groups/include/lock.cuh",
            "/course/include/cooperative_groups_lab.cuh",
            "/course/include/lab/cooperative_groups/lock.cuh",
            "<cuda>/include/cooperative_groups/details/async.h",
            "<cuda>/include/cooperative_groups/memcpy_async.h",
        ] {
            assert!(!is_of_groups(path), "{path}");
        }
    }

    #[test]
    fn headers_of_the_toolkit_are_known_by_their_place_or_as_nvrtc_names_them() {
        for path in [
            "<cuda>/include/cooperative_groups.h",
            "cuda/include/cuda_device_runtime_api.h",
            "/opt/cuda/include/sm_20_atomic_functions.hpp",
            "/course/__nv_nvrtc_builtin_header.h",
            "__nv_nvrtc_builtin_header.h",
        ] {
            assert!(is_toolkits(path), "{path}");
        }
        for path in ["kernel.cu", "/course/lock.cu", "/course/__nv_nvrtc_builtin_header.h/own.cu"] {
            assert!(!is_toolkits(path), "{path}");
        }
    }
}
