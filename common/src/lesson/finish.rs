//! The end of a lesson: its summary, its files and its exit status.

use super::cli::{Files, OutputFormat};
use super::{Lesson, page};
use crate::device::context::DeviceKind;
use crate::failure::Failure;
use crate::report;
use anyhow::Context as _;

impl Lesson {
    /// Prints the summary. Returns an error, and so status 1, unless everything happened as the lesson says. If a
    /// student has fixed a kernel and nothing else differs, the process ends here, with status 1 and without an error.
    pub fn finish(self) -> Result<(), Failure> {
        if self.print_report()? {
            std::process::exit(1);
        }
        Ok(())
    }

    /// Prints the report, and writes the files that were asked for. Returns true if some broken kernel is fixed.
    /// Returns an error if a kernel that is not did something else than the lesson says.
    fn print_report(self) -> anyhow::Result<bool> {
        if self.options.work.exhaust {
            return self.finish_exhausted();
        }
        let reported = self.reported.borrow();
        match self.options.format {
            OutputFormat::Json => {
                let object = report::json::object(&self.setting(), &reported);
                tell::say(&format!("{}\n", serde_json::to_string_pretty(&object)?));
            }
            OutputFormat::Sarif => {
                let log = report::sarif(&self.setting(), &reported);
                tell::say(&format!("{}\n", serde_json::to_string_pretty(&log)?));
            }
            OutputFormat::Text => {
                tell::say(&report::table::summary(&self.setting(), &reported, &self.skipped.borrow()));
                if self.device.kind == DeviceKind::Gpu {
                    tell::say(&format!("\n{}", report::proof::proofs(&self.setting(), &reported)));
                }
            }
        }
        if self.options.format != OutputFormat::Text {
            self.skipped.borrow().iter().for_each(|why| words::complain(&say!("skipped", why)));
        }
        anyhow::ensure!(!reported.is_empty(), say!("nothing-was-run"));
        self.write_traced()?;
        let fixed = reported.iter().filter(|reported| reported.is_fixed()).count();
        let unexpected = reported.iter().filter(|reported| reported.verdict.is_err()).count() - fixed;
        anyhow::ensure!(unexpected == 0, say!("not-all-as-expected", unexpected, count = reported.len()));
        Ok(fixed > 0)
    }

    /// Writes what has been traced to the files that `--trace` and `--web` name.
    fn write_traced(&self) -> anyhow::Result<()> {
        let Files { trace, web, .. } = &self.options.files;
        if trace.is_none() && web.is_none() {
            return Ok(());
        }
        let traced = self.traced.borrow();
        let traced = traced.as_ref().with_context(|| say!("nothing-to-trace"))?;
        let run = traced.token.to_string();
        if let Some(path) = trace {
            let path_shown = path.display().to_string();
            traced.write(self.name, path).with_context(|| say!("trace-unwritable", path = &path_shown))?;
            let trace::Trace { events, left_out, .. } = &traced.trace;
            let (kept, is_cut, left_out) = (events.len(), *left_out > 0, left_out.to_string());
            self.say(format!("\n{}", say!("trace-is-in", path = path_shown, run = &run, kept, left_out, is_cut)));
        }
        if let Some(path) = web {
            let reported = self.reported.borrow();
            let reported = reported.iter().find(|reported| reported.kernel.name == traced.kernel.name);
            let reported = reported.with_context(|| say!("nothing-to-trace"))?;
            page::write(path, traced, reported, &self.setting())?;
            self.say(format!("\n{}", say!("page-is-in", path = path.display().to_string(), run)));
        }
        Ok(())
    }
}
