//! NVIDIA's compilers that a program calls while it runs. What they give as machine code is PTX here, which the
//! emulated GPU runs, and which a real driver takes in the same place. So a cache that a program keeps does no harm.
//!
//! [`nvrtc`] and [`nvvm`] stay NVIDIA's own, since they have PTX too. [`linker`] stands in for nvJitLink. Code for
//! link-time optimisation (LTO-IR) is PTX here as well, from where it is made to where it is linked.

pub mod linker;
pub mod nvrtc;
pub mod nvvm;
mod options;

use crate::redirect::Export;

/// Returns what a loaded file is to give in place of its own functions: the entry of each and the address of ours.
/// `base` is where the file is loaded, and all of the file is relative to it.
pub fn replaced(base: usize, exports: &[Export]) -> Vec<(usize, usize)> {
    let address =
        |name: &str| Some(base.wrapping_add(exports.iter().find(|export| plain(export.name) == name)?.address));
    let all = [nvrtc::replacement(address), nvvm::replacement(address), linker::replacement(address)].concat();
    let ours = |name: &str| all.iter().find(|(ours, _)| *ours == name).map(|one| one.1);
    exports.iter().filter_map(|export| Some((export.entry, ours(plain(export.name))?))).collect()
}

/// The name of a function without the version that nvJitLink's header adds: `__nvJitLinkCreate_13_0` is
/// `nvJitLinkCreate`.
fn plain(name: &str) -> &str {
    let Some(versioned) = name.strip_prefix("__") else { return name };
    versioned.trim_end_matches(|sign: char| sign == '_' || sign.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_the_linker_are_one() {
        for name in ["nvJitLinkCreate", "__nvJitLinkCreate_12_0", "__nvJitLinkCreate_13_12"] {
            assert_eq!(plain(name), "nvJitLinkCreate");
        }
        assert_eq!(plain("nvrtcGetCUBIN"), "nvrtcGetCUBIN");
        let export = |name, entry| Export { name, address: 0x100, entry };
        let exports = [
            export("__nvJitLinkComplete_13_0", 8),
            export("nvJitLinkVersion", 32),
            export("other", 56),
            export("__nvJitLinkCreate_13_0", 80),
            export("nvJitLinkDestroy", 104),
        ];
        let found = |exports| replaced(0x1000, exports).into_iter().map(|(entry, _)| entry).collect::<Vec<usize>>();
        assert_eq!(found(&exports), [8, 80, 104]);
        assert!(found(&exports[..3]).is_empty(), "no linker without the one that judges its options");
    }
}
