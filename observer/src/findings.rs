//! Findings of one context: their sources are read, fixes are tried, and each goes to the listener or to stderr.

use crate::speech::language;
use crate::tried::fix;
use crate::{Heard, Listener, NO_TRY, UNTOLD};
use driver::emulated::{Found, SavedLaunch};
use emulator::finding::Finding;
use report::{FixState, Paint, Remarks, Source, render};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use trial::Fix;

static NAMES_KERNELS: AtomicBool = AtomicBool::new(false);

/// Makes reports name their kernels, for readers who may not know which library a kernel belongs to.
pub fn name_kernels() {
    NAMES_KERNELS.store(true, Ordering::Relaxed);
}

/// A finding, and the result of trying to fix it.
pub struct Observed<'a> {
    pub finding: &'a Finding,
    /// It fails nothing, and is worth a word.
    pub is_note: bool,
    pub fix: Fix,
    sources: &'a Sources,
    /// The file of all its lines.
    file: Option<&'a str>,
}

/// Hands on these findings of one context. Without a listener each bug is said once, however far apart its threads are.
pub(crate) fn tell(found: &[Found], listener: Option<Listener>) {
    let mut sources = Sources::new();
    // A fix leaves nothing of its launch's other findings either.
    let mut fixed: Vec<Arc<SavedLaunch>> = Vec::new();
    for Found { finding, is_note, launch, .. } in found.iter().filter(|it| listener.is_some() || !it.is_known) {
        sources.read(finding);
        let launch = launch.as_ref().filter(|_| finding.is_error() && !is_note);
        let mut observed = Observed::untried(finding, *is_note, &sources);
        if let Some(launch) = launch {
            observed.fix(launch, &mut fixed);
        }
        match listener {
            None => words::complain(&observed.text()),
            Some(listener) => listener(Heard::Finding(&observed)),
        }
    }
}

impl<'a> Observed<'a> {
    fn untried(finding: &'a Finding, is_note: bool, sources: &'a Sources) -> Observed<'a> {
        Observed { finding, is_note, fix: Fix::Untried, sources, file: only_file(finding) }
    }

    /// Tries fixes on the launch, unless one that holds is known for it.
    fn fix(&mut self, launch: &Arc<SavedLaunch>, fixed: &mut Vec<Arc<SavedLaunch>>) {
        let Some((file, text)) = self.file.zip(self.source_text()) else { return };
        if fixed.iter().any(|known| Arc::ptr_eq(known, launch)) {
            self.fix = Fix::WithFirst;
            return;
        }
        self.fix = fix(launch, self.finding, file, text);
        if matches!(self.fix, Fix::Tried { .. }) {
            fixed.push(launch.clone());
        }
    }

    /// The text of the file of all its lines.
    fn source_text(&self) -> Option<&'a str> {
        Some(self.sources.shown_source(self.file?)?.text)
    }

    /// The files that the finding names, as far as they can be read.
    pub fn sources(&self) -> impl Iterator<Item = ReadSource<'a>> {
        let sources = self.sources;
        self.finding.locations().filter_map(|location| {
            let Source { path, text } = sources.shown_source(&location.file)?;
            Some(ReadSource { file: sources.texts.get_key_value(&location.file)?.0, shown: path, text })
        })
    }

    /// The report, with the lines of the source.
    pub fn text(&self) -> String {
        let source = |file: &str| self.sources.shown_source(file);
        text(self.finding, self.is_note, self.fix_state(), source, NAMES_KERNELS.load(Ordering::Relaxed))
    }

    fn fix_state(&self) -> FixState {
        // The variable keeps launches away too, so nothing was tried.
        if std::env::var_os(NO_TRY).is_some_and(|value| value == UNTOLD) {
            return FixState::Untold;
        }
        self.fix.state(self.source_text().unwrap_or(""))
    }
}

/// A source file that a finding names.
pub struct ReadSource<'a> {
    /// Its name in the finding.
    pub file: &'a str,
    /// Its name in reports: from the program's folder, if it is in there.
    pub shown: &'a str,
    pub text: &'a str,
}

/// Returns the report of a finding. `source` finds a file by its name in the finding.
pub fn text<'a>(
    finding: &Finding,
    is_hint: bool,
    fix: FixState,
    source: impl Fn(&str) -> Option<Source<'a>>,
    names_kernel: bool,
) -> String {
    let remarks = Remarks { is_hint, language: language(), fix, names_kernel, ..Remarks::default() };
    render(finding, source, &remarks, Paint::Plain)
}

/// Returns the file of all lines of a finding. Words that name a line say too little if lines of two files are
/// concerned.
pub fn only_file(finding: &Finding) -> Option<&str> {
    let mut files = finding.accesses.iter().filter_map(|access| Some(access.location.as_ref()?.file.as_str()));
    files.next().filter(|first| files.all(|other| other == *first))
}

/// Returns the text of a source. A pipe in its place would be waited for.
fn read_source(file: &str) -> Option<String> {
    let is_file = std::fs::metadata(file).is_ok_and(|data| data.is_file());
    if is_file { std::fs::read_to_string(file).ok() } else { None }
}

/// Source files by the names that findings give them, where the PTX's paths lead to them.
struct Sources {
    texts: HashMap<String, Option<String>>,
    /// The program's folder, with a slash at its end.
    here: Option<String>,
}

impl Sources {
    fn new() -> Sources {
        let here = std::env::current_dir().ok().and_then(|folder| Some(format!("{}/", folder.to_str()?)));
        Sources { texts: HashMap::new(), here }
    }

    /// Reads the files that a finding names.
    fn read(&mut self, finding: &Finding) {
        for location in finding.locations() {
            self.texts.entry(location.file.clone()).or_insert_with(|| read_source(&location.file));
        }
    }

    /// A file under the name that the report shows.
    fn shown_source(&self, file: &str) -> Option<Source<'_>> {
        let (path, text) = self.texts.get_key_value(file)?;
        Some(Source { path: self.shown(path), text: text.as_deref()? })
    }

    /// nvcc writes whole paths. From the program's folder a shorter one leads there.
    fn shown<'a>(&self, path: &'a str) -> &'a str {
        self.here.as_deref().and_then(|here| path.strip_prefix(here)).unwrap_or(path)
    }
}
