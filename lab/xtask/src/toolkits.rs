//! The kernels with other CUDA toolkits than the one that made the stored PTX: does each compile them, and do the
//! lessons say the same of what it makes?
//!
//! The wheels of the toolkits up to 12.9 have no nvcc. There NVRTC compiles: the same front end and optimiser without
//! the host's side. What a toolkit refuses is listed with its reason; that lesson then runs the stored PTX of the file.

mod answers;
mod compiler;

use crate::lessons::Lessons;
use anyhow::{Context, Result, bail};
use compiler::Compiler;
use kernel_build::{KernelSource, source};
use std::fs;
use std::path::{Path, PathBuf};

/// The folder for each toolkit's PTX, and for what is needed to make it.
const FOLDER: &str = "target/toolkits";

/// A file of each lesson, whose row has the same name.
const SAMPLE: [(&str, &str); 6] = [
    ("lesson01", "int2_tail"),
    ("lesson02", "reverse"),
    ("lesson03", "vote"),
    ("lesson04", "lock_scope"),
    ("lesson05", "border_dwell"),
    ("lesson06", "agg_inc"),
];

/// Kernels that launch grids. These toolkits call the older device runtime there, which no GPU of compute capability
/// 9.0 has.
const REFUSED: (&str, [&str; 3]) = ("11.", ["child_pointer_broken", "child_pointer_correct", "mariani_silver_correct"]);

/// The options of the command line.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// One file of each lesson, with the oldest and the newest toolkit.
    sample: bool,
    /// Compiling alone: the lessons do not run.
    compile_only: bool,
    /// Lessons that are built.
    built: Option<PathBuf>,
}

pub fn options(words: &[&str]) -> Option<Options> {
    let mut options = Options::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--sample" => options.sample = true,
            "--compile" => options.compile_only = true,
            "--built" => options.built = Some(words.next()?.into()),
            _ => return None,
        }
    }
    Some(options)
}

/// The PTX that a toolkit made of the kernel files.
struct ToolkitPtx {
    version: String,
    folder: PathBuf,
    ptx_version: String,
    compiled: usize,
    /// By file: the first line of the reason.
    refused: Vec<(String, String)>,
}

pub fn run(root: &Path, options: &Options) -> Result<String> {
    let sources = sources(root, options.sample)?;
    let mut made = Vec::new();
    for compiler in compiler::all(root, options.sample)? {
        let toolkit = compile_all(root, &compiler, &sources)?;
        println!("{}", toolkit.line(sources.len()));
        toolkit.refused.iter().for_each(|(file, why)| println!("  {file}: {why}"));
        made.push(toolkit);
    }
    if options.compile_only {
        return Ok(format!("{} toolkits have compiled {} files", made.len(), sources.len()));
    }
    let lessons = match &options.built {
        Some(folder) => Lessons::built(folder)?,
        None => Lessons::of(root)?,
    };
    let differences = compare(root, &lessons, &made, options.sample)?;
    if differences.is_empty() {
        return Ok(format!("the lessons say of {} toolkits' PTX what they say of the stored one", made.len()));
    }
    bail!("lessons say something else of other toolkits' PTX\n  {}", differences.join("\n  "))
}

impl ToolkitPtx {
    fn line(&self, files: usize) -> String {
        let ToolkitPtx { version, ptx_version, compiled, .. } = self;
        format!("CUDA {version}: PTX {ptx_version}, {compiled} of {files} files compile")
    }
}

/// The lessons' kernel files, or the sample of them.
fn sources(root: &Path, sample: bool) -> Result<Vec<KernelSource>> {
    let mut found = Vec::new();
    for (lesson, name) in SAMPLE {
        for path in source::list(root, lesson)? {
            if !sample || path.file_stem().is_some_and(|stem| stem == name) {
                found.push(KernelSource::read(root, &path)?);
            }
        }
    }
    Ok(found)
}

fn compile_all(root: &Path, compiler: &Compiler, sources: &[KernelSource]) -> Result<ToolkitPtx> {
    let version = compiler.version().to_owned();
    let folder = root.join(FOLDER).join(&version);
    if folder.is_dir() {
        fs::remove_dir_all(&folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    let mut made = ToolkitPtx { version, folder, ptx_version: "?".into(), compiled: 0, refused: Vec::new() };
    for source in sources {
        match compiler.compile(root, source)? {
            Ok(ptx) => made.keep(source, &ptx)?,
            Err(log) => made.refused.push((source.path.clone(), reason(&log))),
        }
    }
    Ok(made)
}

impl ToolkitPtx {
    fn keep(&mut self, source: &KernelSource, ptx: &str) -> Result<()> {
        let below = Path::new(&source.path).strip_prefix("cuda").unwrap_or(Path::new(&source.path));
        let path = self.folder.join(below).with_extension("ptx");
        fs::create_dir_all(path.parent().unwrap_or(&self.folder))?;
        fs::write(&path, ptx).with_context(|| format!("cannot write {}", path.display()))?;
        let version = ptx.lines().find_map(|line| line.strip_prefix(".version"));
        self.ptx_version = version.unwrap_or("?").trim().to_owned();
        self.compiled += 1;
        Ok(())
    }
}

/// The first error of a compiler's log.
fn reason(log: &str) -> String {
    let is_error = |line: &&str| line.contains("error");
    log.lines().find(is_error).or(log.lines().next()).unwrap_or("no reason given").trim().to_owned()
}

/// Returns the differences in what each lesson says of each toolkit's PTX.
fn compare(root: &Path, lessons: &Lessons, made: &[ToolkitPtx], sample: bool) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for package in &lessons.packages {
        let lesson = package.split('-').next().unwrap_or(package);
        let only = SAMPLE.iter().find(|(known, _)| sample && *known == lesson).map(|(_, row)| ["--only", row]);
        let arguments: &[&str] = only.as_ref().map_or(&[], |only| &only[..]);
        let ask = |folder: &Path| lessons.ask_with(package, arguments, &[("LESSON_PTX", folder.as_os_str())]);
        let stored = ask(&root.join("cuda/ptx"))?;
        // A toolkit may have compiled no file of the lesson.
        for toolkit in made.iter().filter(|toolkit| toolkit.folder.join(lesson).is_dir()) {
            let answer = ask(&toolkit.folder)?;
            let differences = answers::differences(&stored, &answer);
            let version = &toolkit.version;
            let (known, new): (Vec<String>, Vec<String>) =
                differences.into_iter().partition(|difference| is_refused(version, difference));
            println!(
                "{package}, CUDA {version}: {} differences, {} of them known",
                known.len() + new.len(),
                known.len()
            );
            found.extend(new.into_iter().map(|text| format!("CUDA {version}: {text}")));
        }
    }
    Ok(found)
}

/// True if this toolkit's PTX of the kernel is refused for a reason that is known.
fn is_refused(version: &str, difference: &str) -> bool {
    let kernel = difference.split(':').next().unwrap_or_default();
    version.starts_with(REFUSED.0)
        && REFUSED.1.contains(&kernel)
        && difference.ends_with("no finding (not as expected)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read() {
        let want = Options { sample: true, compile_only: false, built: Some("a".into()) };
        assert_eq!(options(&["--sample", "--built", "a"]), Some(want));
        assert_eq!(options(&["--built"]), None);
        assert_eq!(options(&["--samples"]), None);
    }

    #[test]
    fn a_known_refusal_is_one_kernels_of_one_toolkit() {
        let refused = "mariani_silver_correct: stored no finding (as expected), here no finding (not as expected)";
        assert!(is_refused("11.8.89", refused));
        assert!(!is_refused("12.9.86", refused));
        assert!(!is_refused("11.8.89", &refused.replace("mariani_silver", "quicksort")));
        let found = refused.replace("here no finding", "here race-global at 3+4");
        assert!(!is_refused("11.8.89", &found));
    }

    #[test]
    fn the_first_error_is_the_reason() {
        assert_eq!(reason("a.cu(3): warning: w\na.cu(4): error: e\na.cu(5): error: f"), "a.cu(4): error: e");
        assert_eq!(reason(""), "no reason given");
    }

    #[test]
    fn the_sample_has_a_file_of_every_lesson() {
        let root = kernel_build::repository_root(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        assert_eq!(sources(&root, true).unwrap().len(), SAMPLE.len());
        assert!(sources(&root, false).unwrap().len() > SAMPLE.len());
    }
}
