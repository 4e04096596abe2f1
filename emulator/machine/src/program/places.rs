//! The user's line of an instruction, from `.loc` (PTX ISA, "Debugging Directives").

use crate::code::Location;
use finding::SourceLocation;
use ptx::ast::{self, Body};
use std::collections::HashMap;
use std::ops::Range;

/// Headers of the toolkit with device code, by the beginning of their path in its `include` folder.
#[rustfmt::skip]
const HEADERS: &[&str] = &[
    "c++/", "cccl/", "common_functions.h", "cooperative_groups.h", "cooperative_groups/", "crt/", "cub/", "cuComplex.h",
    "cuda_awbarrier", "cuda_bf16.", "cuda_device_runtime_api.h", "cuda_fp", "cuda_pipeline", "cuda_runtime", "curand",
    "device_atomic_functions.", "device_double_functions.", "device_functions.", "math_constants.h", "math_functions.",
    "mma.h", "nv/", "nvfunctional", "sm_2", "sm_3", "sm_6", "surface_functions.", "surface_indirect_functions.",
    "texture_fetch_functions.", "texture_indirect_functions.", "thrust/", "vector_functions.", "vector_types.h",
];

/// Returns true for a header of the CUDA toolkit or of the C++ library. The name decides, since programs have folders
/// called `include` too. NVRTC names its built-in headers as one file beside the source.
fn is_toolkits(path: &str) -> bool {
    const FOLDER: &str = "/include/";
    let inside = path.match_indices(FOLDER).map(|(at, _)| &path[at + FOLDER.len()..]);
    ["<cuda>", "cuda/include", "/usr/include/", "/usr/lib/"].iter().any(|start| path.starts_with(start))
        || path.rsplit('/').next() == Some("__nv_nvrtc_builtin_header.h")
        || inside
            .into_iter()
            .any(|inside| HEADERS.iter().any(|name| inside.starts_with(name)) || is_of_libcudacxx(inside))
}

/// Returns true for a header of libcu++, given its path within the folder of headers. These have no suffix
/// (`cuda/barrier`) or lie in a subfolder.
fn is_of_libcudacxx(inside: &str) -> bool {
    let name = inside.strip_prefix("cuda/");
    name.is_some_and(|name| name.starts_with("std/") || name.starts_with("__") || !name.contains('.'))
}

/// Cooperative groups' own code, by the one thing that tells it from a user's, who may write the same instructions: its
/// place in the toolkit's folder of headers. What `memcpy_async` copies is the user's own.
fn is_of_groups(path: &str) -> bool {
    let inside = path.rsplit_once("/include/").map_or("", |(_, inside)| inside);
    let is_theirs = inside == "cooperative_groups.h" || inside.starts_with("cooperative_groups/");
    is_theirs && !inside.contains("async")
}

/// The atomic objects of CUDA's C++ library, which have their scope in their type.
fn is_of_atomics(path: &str) -> bool {
    let inside = path.rsplit_once("/include/").map_or("", |(_, inside)| inside);
    let inside = inside.strip_prefix("cccl/").unwrap_or(inside);
    ["cuda/std/", "cuda/atomic", "cuda/__atomic"].iter().any(|start| inside.starts_with(start))
}

/// Which `.loc`s of a function stand in which basic block. Where a loop is unrolled the compiler does not write again
/// where the copies of an inlined function were called from: their neighbours tell.
pub(super) struct Blocks {
    /// The first `.loc` that an instruction stands under.
    first: usize,
    function: Range<usize>,
    /// The first `.loc` of each block, ascending.
    starts: Vec<usize>,
    /// `.loc`s that some instruction stands under, ascending.
    used: Vec<usize>,
    /// Those that more than loads and arithmetic stand under, ascending.
    acts: Vec<usize>,
    /// All of the function by place, ascending.
    by_place: HashMap<FileLineColumn, Vec<usize>>,
}

/// True for what threads do to others: a compiler may move it down, but not up over what the source does before it.
fn acts(opcode: &str) -> bool {
    let to_memory = ["st", "stmatrix", "atom", "red", "multimem", "cp", "mbarrier", "call"];
    let to_threads =
        ["bar", "barrier", "membar", "fence", "shfl", "vote", "match", "redux", "elect", "activemask", "wgmma"];
    to_memory.contains(&opcode) || to_threads.contains(&opcode)
}

/// File, line, column.
type FileLineColumn = (u32, u32, u32);

impl Blocks {
    pub fn of(module: &ast::Module, body: &Body) -> Blocks {
        let locs = || body.instructions.iter().map(|instruction| instruction.loc.map(|loc| loc as usize));
        let mut used: Vec<usize> = locs().flatten().collect();
        used.sort_unstable();
        let acting = body.instructions.iter().zip(locs()).filter(|(it, _)| acts(&it.opcode));
        let mut acts: Vec<usize> = acting.filter_map(|(_, loc)| loc).collect();
        acts.sort_unstable();
        let mut by_place: HashMap<FileLineColumn, Vec<usize>> = HashMap::new();
        for at in body.locs.clone() {
            let ast::Loc { file, line, column, .. } = module.locs[at];
            by_place.entry((file, line, column)).or_default().push(at);
        }
        let mut targets: Vec<usize> = body.labels.iter().map(|label| label.target as usize).collect();
        targets.sort_unstable();
        let (mut starts, mut before, mut ended) = (Vec::new(), body.locs.start, false);
        for (at, (instruction, loc)) in body.instructions.iter().zip(locs()).enumerate() {
            if ended || targets.binary_search(&at).is_ok() {
                starts.push(before);
            }
            before = loc.map_or(before, |loc| loc + 1);
            ended = matches!(instruction.opcode.as_str(), "bra" | "brx" | "ret" | "exit");
        }
        Blocks { first: used.first().copied().unwrap_or(0), function: body.locs.clone(), starts, used, acts, by_place }
    }

    fn around(&self, loc: usize) -> Range<usize> {
        let next = self.starts.partition_point(|start| *start <= loc);
        let begin = next.checked_sub(1).map_or(self.function.start, |at| self.starts[at]);
        begin..self.starts.get(next).copied().unwrap_or(self.function.end)
    }
}

/// The call at which a `.loc` was inlined.
enum Outer {
    /// The entry that stands for it, and whether another may be meant as well.
    At(usize, bool),
    /// None: what `inlined_at` says itself is all there is.
    Bare,
}

/// The same place may have been inlined at several: the entry is the one that was written for this alone, right before
/// it; or all agree; or all of the same basic block do.
fn outer(module: &ast::Module, blocks: &Blocks, inner: usize, place: FileLineColumn) -> Outer {
    let locs = &module.locs;
    let all = blocks.by_place.get(&place).map_or(&[][..], |all| all);
    let mut all = all.iter().copied().filter(|at| *at != inner).peekable();
    if all.peek().is_none() {
        return Outer::Bare;
    }
    let all: Vec<usize> = all.collect();
    let any = all.iter().rfind(|at| **at < inner).copied().unwrap_or(all[0]);
    let alike = |all: &[usize]| all.windows(2).all(|pair| locs[pair[0]].inlined_at == locs[pair[1]].inlined_at);
    if any + 1 == inner && blocks.used.binary_search(&any).is_err() || alike(&all) {
        return Outer::At(any, true);
    }
    // Other lines of the function that was inlined tell as well.
    let name = all.iter().find_map(|at| locs[*at].function.as_ref());
    let is_beside =
        |at: &usize| all.contains(at) || name.is_some() && *at != inner && locs[*at].function.as_ref() == name;
    let beside: Vec<usize> = blocks.around(inner).filter(is_beside).collect();
    let told = beside.first().filter(|_| alike(&beside)).map(|at| locs[*at].inlined_at);
    let fits = told.and_then(|told| all.iter().find(|at| locs[**at].inlined_at == told));
    fits.map_or(Outer::At(any, false), |at| Outer::At(*at, true))
}

/// Entries that are walked: as deep as anything is inlined.
const DEEPEST: usize = 256;

/// Follows `inlined_at` until a file that is not the toolkit's, which kernel builds write as `<cuda>/...` and other PTX
/// by its absolute path. Line 0 is the compiler's way to say "none". `-G` puts lines of headers into a function without
/// saying where: they count to the line before, if the function is the user's. Where it is open which of several calls
/// was inlined, no caller is named.
pub(super) fn user_place(module: &ast::Module, loc: usize, blocks: &Blocks) -> Location {
    let path = |file: u32| module.files.iter().find(|(index, _)| *index == file).map_or("", |(_, path)| path.as_str());
    let is_header = |file: u32| is_toolkits(path(file));
    let source = |file: u32, line, column| SourceLocation { file: path(file).into(), line, column };
    let (mut by_groups, mut by_atomics) = (false, false);
    let mut user = Vec::new();
    let mut function = None;
    let mut last = source(module.locs[loc].file, module.locs[loc].line, module.locs[loc].column);
    let (mut at, mut is_sure) = (loc, true);
    for _ in 0..DEEPEST {
        let place = &module.locs[at];
        by_groups |= user.is_empty() && is_of_groups(path(place.file));
        by_atomics |= user.is_empty() && is_of_atomics(path(place.file));
        if place.line != 0 {
            last = source(place.file, place.line, place.column);
            if !is_header(place.file) {
                if user.is_empty() {
                    function = place.function.as_deref().map(str::to_string);
                }
                user.push(last.clone());
            }
        }
        if !is_sure && !user.is_empty() {
            break;
        }
        let Some((file, line, column)) = place.inlined_at else {
            // The compiler puts what it has moved up, such as a load out of a loop, before the lines that use it. A
            // store that it has moved down stands behind those that it comes from.
            let may_be_early = blocks.acts.binary_search(&at).is_err();
            if place.line == 0 && user.is_empty() && at == loc && may_be_early {
                let has_line = |next: &usize| {
                    let next = &module.locs[*next];
                    next.line != 0 && next.inlined_at.is_none() && !is_header(next.file)
                };
                let behind = at + 1..blocks.around(at).end;
                let mut behind = behind.filter(|next| blocks.used.binary_search(next).is_ok());
                if let Some(next) = behind.next().filter(has_line) {
                    at = next;
                    continue;
                }
            }
            // No line of its own: the nearest one before it.
            if place.line != 0 || at == 0 || !user.is_empty() {
                break;
            }
            at -= 1;
            continue;
        };
        match outer(module, blocks, at, (file, line, column)) {
            Outer::At(outer, sure) => {
                is_sure &= sure;
                at = outer;
            }
            Outer::Bare => {
                last = source(file, line, column);
                if !is_header(file) {
                    user.push(last.clone());
                }
                break;
            }
        }
    }
    let first = blocks.first;
    if user.is_empty() && !is_header(module.locs[first].file) {
        let own = |place: &&ast::Loc| place.inlined_at.is_none() && place.line != 0 && !is_header(place.file);
        let before = module.locs[first..=loc].iter().rev().find(own);
        user.extend(before.map(|place| source(place.file, place.line, place.column)));
    }
    let mut user = user.into_iter();
    let (of_groups, of_atomics) = (by_groups, by_atomics);
    match user.next() {
        Some(place) => {
            Location { place, is_header: false, of_groups, of_atomics, inlined_into: user.collect(), function }
        }
        None => {
            Location { place: last, is_header: true, of_groups, of_atomics, inlined_into: Vec::new(), function: None }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Blocks, is_of_atomics, is_of_groups, is_toolkits, user_place};
    use ptx::parse;

    #[test]
    fn a_programs_own_folder_of_headers_is_not_the_toolkits() {
        for path in [
            "<cuda>/include/sm_30_intrinsics.hpp",
            "/usr/local/cuda-12.4/targets/x86_64-linux/include/cuda_fp16.hpp",
            "/opt/cuda/include/cccl/cuda/std/detail/libcxx/include/chrono",
            "/env/include/cuda/barrier",
            "/env/include/cuda/__atomic/types.h",
            "/env/x86_64-conda-linux-gnu/include/c++/12/cmath",
            "/usr/include/c++/12/bits/stl_algo.h",
        ] {
            assert!(is_toolkits(path), "{path}");
        }
        for path in [
            "/course/gbm/include/LightGBM/cuda/cuda_algorithms.hpp",
            "/course/include/cuda/reduce.cuh",
            "/course/include/cuda_utils.h",
            "../include/warp_sum.cuh",
            "lab/include/sum.cuh",
        ] {
            assert!(!is_toolkits(path), "{path}");
        }
    }

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
    fn the_librarys_atomic_objects_are_known_by_their_headers() {
        for path in ["<cuda>/include/cuda/std/__atomic/types/base.h", "/opt/cuda/include/cccl/cuda/std/detail/atomic"] {
            assert!(is_of_atomics(path), "{path}");
        }
        for path in ["<cuda>/include/cuda_fp16.h", "/course/cuda/std/atomic", "<cuda>/include/cuda/barrier"] {
            assert!(!is_of_atomics(path), "{path}");
        }
    }

    /// The lines of `own`, innermost first, for the `.loc` that each `ret` stands under.
    fn lines(body: &str) -> Vec<Vec<u32>> {
        let text = format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n.file 1 \"own.cu\"\n.file 2 \"<cuda>/include/h.h\"\n\
             .entry k() {{\n{body}\n}}"
        );
        let module = parse(&text).expect("text that parses");
        let body = module.functions[0].body.as_ref().expect("a body");
        let blocks = Blocks::of(&module, body);
        let asked = body.instructions.iter().filter(|it| it.opcode == "trap").map(|it| it.loc.expect("a .loc"));
        let place = |loc| user_place(&module, loc as usize, &blocks);
        asked.map(place).map(|it| [&it.place].into_iter().chain(&it.inlined_into).map(|at| at.line).collect()).collect()
    }

    const TWO_CALLS: &str = ".loc 1 32 9\n.loc 1 18 5, inlined_at 1 32 9\n.loc 2 202 3, inlined_at 1 18 5\ntrap;
        .loc 1 18 5, inlined_at 1 32 9\nret;
        .loc 1 33 9\n.loc 1 18 5, inlined_at 1 33 9\n.loc 2 202 3, inlined_at 1 18 5\ntrap;
        .loc 1 18 5, inlined_at 1 33 9\nret;\n";

    #[test]
    fn copies_of_a_loop_take_the_caller_from_their_basic_block() {
        let copies = "a: .loc 2 202 3, inlined_at 1 18 5\ntrap;\n.loc 1 18 5, inlined_at 1 32 9\nbra a;
            b: .loc 2 202 3, inlined_at 1 18 5\ntrap;\n.loc 1 18 5, inlined_at 1 33 9\nbra b;";
        let text = format!("{TWO_CALLS}{copies}");
        assert_eq!(lines(&text), [[18, 32], [18, 33], [18, 32], [18, 33]]);
    }

    #[test]
    fn where_nothing_tells_two_calls_apart_none_is_named() {
        let copy = "a: .loc 2 202 3, inlined_at 1 18 5\ntrap;\nbra a;";
        assert_eq!(lines(&format!("{TWO_CALLS}{copy}")), [vec![18, 32], vec![18, 33], vec![18]]);
        // A single call is all that can be meant.
        let one = ".loc 1 32 9\n.loc 1 18 5, inlined_at 1 32 9\n.loc 2 202 3, inlined_at 1 18 5\ntrap;\nret;\n";
        assert_eq!(lines(&format!("{one}{copy}")), [[18, 32], [18, 32]]);
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
