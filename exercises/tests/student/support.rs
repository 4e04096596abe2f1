//! A student's folder, and the program in a terminal.

use super::pseudo_terminal;
use learn::compile::Compiler;
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

pub const NAME: &str = "02_sync/missing_barrier";

pub fn course() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog")
}

pub fn shipped(file: &str) -> PathBuf {
    course().join(NAME).join(file)
}

/// A student's folder of their own, with a catalogue of one exercise.
pub struct Student(pub tempfile::TempDir);

impl Student {
    pub fn new() -> Student {
        Student::with(&[NAME])
    }

    /// With these exercises, in this order.
    pub fn with(names: &[&str]) -> Student {
        let student = Student(tempfile::tempdir().unwrap());
        let catalog = student.0.path().join("catalog");
        fs::create_dir(&catalog).unwrap();
        let pack = format!("name = 'one'\ncourse = '{}'\n", learn::pack::COURSE);
        fs::write(catalog.join("pack.toml"), pack).unwrap();
        for name in names {
            let (topic, short) = name.split_once('/').unwrap();
            let folder = catalog.join(name);
            fs::create_dir_all(&folder).unwrap();
            let is_here = |name: &&&str| name.starts_with(topic);
            let order: Vec<&str> = names.iter().filter(is_here).map(|name| &name[topic.len() + 1..]).collect();
            let text = format!("title = 't'\nlesson = 'l'\norder = {order:?}\n");
            fs::write(catalog.join(topic).join("topic.toml"), text).unwrap();
            for file in [&format!("{short}.cu"), "check.cu", "solution.cu", "exercise.toml"] {
                fs::copy(course().join(name).join(file), folder.join(file)).unwrap();
            }
        }
        student
    }

    pub fn progress(&self) -> String {
        fs::read_to_string(self.mine("progress.toml")).unwrap()
    }

    /// Returns the text about an answer to an exercise of the course.
    pub fn told(&self, name: &str, answer: &str, language: &str) -> String {
        self.told_of("answer.cu", name, answer, language)
    }

    /// As `told`, of a program of the host.
    pub fn program(&self, name: &str, answer: &str) -> String {
        self.told_of("answer.rs", name, answer, "en")
    }

    fn told_of(&self, file: &str, name: &str, answer: &str, language: &str) -> String {
        fs::write(self.0.path().join(file), answer).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_learn"));
        command.env("LESSON_LANG", language).arg("--catalog").arg(course()).args(["--dir", "mine", "run", name]);
        text(command.args(["--file", file]).current_dir(self.0.path()).stdin(Stdio::null()).output().unwrap()).1
    }

    pub fn file(&self) -> PathBuf {
        self.mine(NAME).with_extension("cu")
    }

    pub fn mine(&self, name: &str) -> PathBuf {
        self.0.path().join("mine").join(name)
    }

    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_learn"));
        command.env("LESSON_LANG", "en");
        command.args(["--catalog", "catalog", "--dir", "mine"]).args(words).current_dir(self.0.path());
        command
    }

    /// Exit status, and everything printed.
    pub fn learn(&self, words: &[&str]) -> (i32, String) {
        text(self.command(words).stdin(Stdio::null()).output().unwrap())
    }
}

pub fn text(output: Output) -> (i32, String) {
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status.code().unwrap_or(-1), text)
}

pub fn has_no_compiler() -> bool {
    skipped::unless(skipped::CUDA_COMPILER, &Compiler::find())
}

/// The program in a terminal of its own.
pub struct Terminal {
    pub child: Child,
    master: File,
    output: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    /// All bytes so far.
    stream: Vec<u8>,
    /// The number of bytes that no later look counts.
    forgotten: usize,
}

/// Rows and columns on which all of a report has room.
const LARGE: (u16, u16) = (60, 100);

impl Terminal {
    pub fn open(student: &Student, words: &[&str]) -> Terminal {
        Terminal::of(student.command(words))
    }

    pub fn of(command: Command) -> Terminal {
        Terminal::sized(command, LARGE)
    }

    pub fn sized(mut command: Command, (rows, columns): (u16, u16)) -> Terminal {
        let master = pseudo_terminal::open(&mut command).unwrap();
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&master, size).unwrap();
        let child = command.spawn().unwrap();
        // The command holds the program's side, which must end with the program.
        drop(command);
        let mut reader = master.try_clone().unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // The terminal's end gives an error, and that is the end.
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let screen = vt100::Parser::new(NonZero::new(rows).unwrap(), NonZero::new(columns).unwrap(), 0);
        Terminal { child, master, output, screen, stream: Vec::new(), forgotten: 0 }
    }

    pub fn types(&mut self, line: &str) {
        self.forget();
        writeln!(self.master, "{line}").unwrap();
    }

    /// Leaves what has come so far out of what is seen from now on.
    pub fn forget(&mut self) {
        self.forgotten = self.stream.len();
    }

    /// Waits until `wanted` has come, perhaps on several lines, on a screen that is drawn; gives what came.
    pub fn sees(&mut self, wanted: &str) -> String {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            let seen = String::from_utf8_lossy(&self.stream[self.forgotten..]).into_owned();
            if !self.is_drawing() && (seen.contains(wanted) || unbroken(&seen).contains(wanted)) {
                return seen;
            }
            match self.output.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.takes(&bytes),
                Err(why) => panic!("{wanted:?} does not come ({why}):\n{seen}"),
            }
        }
    }

    fn takes(&mut self, bytes: &[u8]) {
        self.screen.process(bytes);
        self.stream.extend(bytes);
    }

    /// Returns true while a synchronized update has begun and not ended, so that the screen is half drawn.
    fn is_drawing(&self) -> bool {
        let last = |mark: &[u8]| self.stream.windows(mark.len()).rposition(|bytes| bytes == mark);
        last(b"\x1b[?2026h") > last(b"\x1b[?2026l")
    }

    /// Waits until the screen is drawn and is as `wanted`; gives it.
    pub fn shows(&mut self, wanted: impl Fn(&str) -> bool) -> vt100::Screen {
        let end = Instant::now() + Duration::from_secs(60);
        loop {
            let screen = self.screen.screen();
            if !self.is_drawing() && wanted(&screen.contents()) {
                return screen.clone();
            }
            match self.output.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.takes(&bytes),
                Err(why) => panic!("it does not come ({why}); on the screen is\n{}", screen.contents()),
            }
        }
    }
}

/// Lines of prose put together again.
pub fn unbroken(text: &str) -> String {
    text.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It has mostly quit by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
