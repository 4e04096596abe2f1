//! `libcudadevrt.a`, NVIDIA's device runtime: what kernels that launch kernels are linked with on a GPU. It lies in the
//! toolkit that an nvcc is of.

use crate::{KernelSource, nvcc};
use std::path::{Path, PathBuf};

/// The first toolkit's, in the order in which an nvcc is looked for.
pub fn find() -> Option<PathBuf> {
    nvcc::candidates().into_iter().find_map(|(_, nvcc)| beside(&nvcc))
}

/// The library of the toolkit that holds `nvcc` in its `bin/`.
fn beside(nvcc: &Path) -> Option<PathBuf> {
    let home = nvcc.parent()?.parent()?;
    let machine = format!("targets/{}-linux/lib", std::env::consts::ARCH);
    let folders = ["lib64", "lib", machine.as_str()];
    folders.iter().map(|folder| home.join(folder).join("libcudadevrt.a")).find(|path| path.is_file())
}

/// True if the source is compiled for it.
pub fn is_wanted(source: &KernelSource) -> bool {
    source.flags.iter().any(|flag| flag == "-rdc=true")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_lies_in_the_toolkits_own_folder() {
        let home = tempfile::tempdir().unwrap();
        let nvcc = home.path().join("bin/nvcc");
        assert_eq!(beside(&nvcc), None);
        for folder in ["lib", "lib64"] {
            std::fs::create_dir_all(home.path().join(folder)).unwrap();
            let library = home.path().join(folder).join("libcudadevrt.a");
            std::fs::write(&library, "!<arch>\n").unwrap();
            assert_eq!(beside(&nvcc), Some(library));
        }
    }
}
