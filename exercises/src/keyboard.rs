//! Reads what a student types in the watch: lines on stdin, which an editor in the same terminal may have for itself
//! meanwhile.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// The time between two looks whether somebody else has the terminal, in nanoseconds.
const LOOK: i64 = 50_000_000;

pub struct Keyboard {
    lines: Receiver<String>,
    /// Nothing is read.
    is_lent: Arc<AtomicBool>,
}

impl Keyboard {
    /// Reads stdin from now on, in the background.
    pub fn open() -> Keyboard {
        let (sender, lines) = channel();
        let is_lent = Arc::new(AtomicBool::new(false));
        let lent = is_lent.clone();
        std::thread::spawn(move || {
            let stdin = std::io::stdin();
            let mut line = Vec::new();
            let mut bytes = [0; 4096];
            loop {
                let mut asked = [PollFd::new(&stdin, PollFlags::IN)];
                let wait = Timespec { tv_sec: 0, tv_nsec: LOOK };
                let is_ready = matches!(poll(&mut asked, Some(&wait)), Ok(1..));
                if !is_ready || lent.load(SeqCst) {
                    // Lent, it is ready for somebody else, at once and again.
                    std::thread::sleep(Duration::from_nanos(if is_ready { LOOK as u64 } else { 0 }));
                    continue;
                }
                let count = match rustix::io::read(stdin.as_fd(), &mut bytes) {
                    Ok(count @ 1..) => count,
                    Err(rustix::io::Errno::INTR) => continue,
                    // It is closed.
                    _ => return,
                };
                for &byte in &bytes[..count] {
                    if byte != b'\n' {
                        line.push(byte);
                    } else if sender.send(String::from_utf8_lossy(&std::mem::take(&mut line)).into_owned()).is_err() {
                        return;
                    }
                }
            }
        });
        Keyboard { lines, is_lent }
    }

    /// The next line, if one comes within this time.
    pub fn line(&self, wait: Duration) -> Result<String, RecvTimeoutError> {
        self.lines.recv_timeout(wait)
    }

    /// Runs something that reads the terminal itself.
    pub fn lend<T>(&self, run: impl FnOnce() -> T) -> T {
        self.is_lent.store(true, SeqCst);
        let done = run();
        self.is_lent.store(false, SeqCst);
        done
    }
}
