//! Errors of building kernels, with what fixes them.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use crate::toolkit;

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
    /// The head of a `.cu` file asks for an architecture of no known form.
    BadArch {
        source: String,
        arch: String,
    },
    Io {
        doing: Doing,
        path: PathBuf,
        error: io::Error,
    },
}

/// The operation that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    Open,
    Read,
    Write,
    List,
    Create,
    Remove,
    Run,
}

impl Error {
    /// True if a compiler that works is all that is missing.
    pub fn is_lack(&self) -> bool {
        match self {
            Error::Needed { error, .. } => error.is_lack(),
            Error::NoNvcc | Error::BrokenNvcc(_) | Error::NoHostCompiler { .. } => true,
            Error::NoRoot { .. } | Error::Nvcc { .. } | Error::BadArch { .. } | Error::Io { .. } => false,
        }
    }

    pub(crate) fn io(doing: Doing, path: &Path, error: io::Error) -> Self {
        Error::Io { doing, path: path.to_path_buf(), error }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |path: &Path| path.display().to_string();
        let text = match self {
            Error::NoRoot { start } => say!("no-root", start = shown(start)),
            Error::Needed { source, error } => format!("{}\n{error}", say!("needed", source)),
            Error::NoNvcc => format!("{}\n{}", say!("no-nvcc"), say!("no-nvcc.help", command = toolkit::command())),
            Error::BrokenNvcc(found) => {
                let each = found.iter().map(|(path, problem)| say!("broken-nvcc", path = shown(path), problem) + "\n");
                each.collect::<String>() + &say!("broken-nvcc.help", command = toolkit::command())
            }
            Error::NoHostCompiler { nvcc, problem } => {
                let what = say!("no-host-compiler", path = shown(nvcc), problem);
                format!("{what}\n{}", say!("no-host-compiler.help"))
            }
            Error::Nvcc { source, text } => format!("{}\n{}", text.trim_end(), say!("nvcc-refused", source)),
            Error::BadArch { source, arch } => say!("bad-arch", source, arch),
            Error::Io { doing, path, error } => {
                let doing = match doing {
                    Doing::Open => "open",
                    Doing::Read => "read",
                    Doing::Write => "write",
                    Doing::List => "list",
                    Doing::Create => "create",
                    Doing::Remove => "remove",
                    Doing::Run => "run",
                };
                say!("io", doing, path = shown(path), error = crate::of_system(error))
            }
        };
        f.write_str(&text)
    }
}

impl std::error::Error for Error {}
