//! The start of a lesson: its command line, its inputs and its device.

use super::arguments::{arguments, program_name, refused};
use super::cli::{Options, OutputFormat};
use super::{Inputs, Lesson, other_ptx, trace_file};
use crate::device::context::{DeviceChoice, DeviceKind, OpenDevice};
use crate::report;
use crate::table::input::Input;
use crate::table::kernel::KernelLibrary;
use crate::table::kernel_file::KernelFile;
use crate::table::row::Row;
use std::cell::{OnceCell, RefCell};
use tell::explain;
use words::Language;

impl Lesson {
    /// Reads the command line, opens the device and prints which one it is.
    ///
    /// Ends the process with status 2 if an argument is wrong, and with 0 after `--help`, `--list` and `--explain`.
    pub fn start(name: &'static str, files: &'static [KernelFile], rows: &'static [Row]) -> anyhow::Result<Lesson> {
        let program = program_name(name);
        tell::arguments::speak(std::env::args_os());
        let options = match arguments(name, &program, rows, std::env::args_os()) {
            Ok(options) => options,
            Err(refusal) => refusal.exit(),
        };
        answer_question(&options, rows);
        if options.format == OutputFormat::Json {
            // Programs read it, whoever runs them.
            Language::English.speak();
        }
        check_traced_files(&options);
        driver::emulated::say_leaks(options.leaks);
        let files = other_ptx::named(name, files)?;
        let library = KernelLibrary::new(files);
        library.check(rows)?;
        let inputs = Inputs {
            named: options.work.input.as_deref().map(Input::read).transpose()?,
            samples: rows.iter().map(|row| row.sample.map(|sample| Input::of(sample.to_vec()))).collect(),
        };
        // A replay is the emulator's, whatever else is in the machine.
        let is_emulated = options.runs.replay.is_some() || options.work.exhaust;
        let choice = if is_emulated { DeviceChoice::Emulator } else { options.runs.device };
        let mut device = OpenDevice::open(choice, files)?;
        if options.runs.replay.is_some() {
            device.why = say!("replay-on-emulator");
        }
        let lesson = Lesson {
            name,
            program,
            options,
            device,
            rows,
            library,
            inputs,
            session: RefCell::default(),
            reported: RefCell::default(),
            skipped: RefCell::default(),
            copy_gb_per_s: OnceCell::new(),
            traced: RefCell::default(),
            exhausted: RefCell::default(),
        };
        if let (Some((option, _)), DeviceKind::Gpu) = (lesson.options.traced_files().next(), lesson.device.kind) {
            refused(say!("trace-on-gpu", option)).exit();
        }
        if lesson.prints_text() {
            let unchanged = if lesson.options.work.n.is_some() { lesson.fixed_rows() } else { Vec::new() };
            tell::say(&report::text::opening(&lesson.setting(), lesson.inputs.named.as_ref(), &unchanged));
        }
        Ok(lesson)
    }

    /// Returns the selected rows whose size no option changes.
    fn fixed_rows(&self) -> Vec<&'static str> {
        let rows = self.rows.iter().filter(|row| self.options.is_selected(row.name) && row.is_fixed);
        rows.map(|row| row.name).collect()
    }
}

/// Answers `--explain` or `--list`, and ends the process.
fn answer_question(options: &Options, rows: &[Row]) {
    let answer = match options.asked.explain {
        Some(page) => Some(page.map_or_else(|| explain::list(Language::current()), str::to_string)),
        None => options.asked.list.then(|| report::table::list(rows)),
    };
    if let Some(answer) = answer {
        tell::say(&answer);
        std::process::exit(0);
    }
}

/// Refuses the command line if a file that it names for a trace cannot be written, before anything runs.
fn check_traced_files(options: &Options) {
    for (option, path) in options.traced_files() {
        if let Err(why) = trace_file::try_file(path) {
            let path = path.display().to_string();
            refused(say!("trace-unwritable-why", option, path, why = why.to_string())).exit();
        }
    }
}
