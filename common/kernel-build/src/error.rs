//! What can go wrong while kernels are built, in words that say what mends it.

use std::path::{Path, PathBuf};
use std::{fmt, io};

#[derive(Debug)]
pub enum Error {
    /// No folder above `start` looks like the repository.
    NoRoot {
        start: PathBuf,
    },
    /// `source` has no PTX in step with it, and there is no nvcc to make some.
    Needed {
        source: String,
        error: Box<Error>,
    },
    /// No nvcc anywhere that `nvcc::candidates` looks.
    NoNvcc,
    /// There is nvcc, and none that can be used. Each with what is wrong.
    BrokenNvcc(Vec<(PathBuf, String)>),
    /// nvcc works, but the C++ compiler that it calls does not.
    NoHostCompiler {
        nvcc: PathBuf,
        problem: String,
    },
    /// nvcc refused the file; `text` is what it printed.
    Nvcc {
        source: String,
        text: String,
    },
    /// A line in the head of a `.cu` file that asks for something malformed.
    Header {
        source: String,
        problem: String,
    },
    Io {
        doing: &'static str,
        path: PathBuf,
        error: io::Error,
    },
}

impl Error {
    pub(crate) fn io(doing: &'static str, path: &Path, error: io::Error) -> Self {
        Error::Io { doing, path: path.to_path_buf(), error }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoRoot { start } => {
                write!(f, "no folder with `cuda/` and `Cargo.toml` at or above {}", start.display())
            }
            Error::Needed { source, error } => {
                write!(f, "{source} is new or changed since its PTX was stored, so it has to be compiled\n{error}")
            }
            Error::NoNvcc => write!(
                f,
                "no nvcc found (looked at NVCC, CUDA_HOME, CUDA_PATH, PATH, /usr/local/cuda, /opt/cuda and the fetched \
                 toolkit)\nhelp: `cargo toolkit install` fetches one, about 195 MB, into your cache folder"
            ),
            Error::BrokenNvcc(found) => {
                for (path, problem) in found {
                    writeln!(f, "the nvcc at {} cannot be used: {problem}", path.display())?;
                }
                write!(
                    f,
                    "help: fix it, or point NVCC at one that works; `cargo toolkit install` fetches one, and \
                     `cargo toolkit status` shows what is found"
                )
            }
            Error::NoHostCompiler { nvcc, problem } => write!(
                f,
                "the nvcc at {} needs a host C++ compiler: {problem}\nhelp: on Debian and Ubuntu, \
                 `sudo apt-get install g++`; another one can be named with NVCC_CCBIN",
                nvcc.display()
            ),
            Error::Nvcc { source, text } => write!(f, "{}\nnvcc refused {source}", text.trim_end()),
            Error::Header { source, problem } => write!(f, "{source}: {problem}"),
            Error::Io { doing, path, error } => write!(f, "{doing} {}: {error}", path.display()),
        }
    }
}

impl std::error::Error for Error {}
