//! A program in a terminal of fixed size: what it shows, as a person would see it.
//!
//! The program writes to a pseudo-terminal, `vt100` carries out its control sequences, and what is asked for is the
//! screen and not the bytes: a line that was taken away again is not there.

use std::fs::File;
use std::io::{Read, Write};
use std::num::NonZero;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::pseudo_terminal;
use anyhow::{Context, Result, bail};
use rustix::termios::{Winsize, tcsetwinsize};

#[derive(Clone, Copy)]
pub struct Size {
    pub rows: NonZero<u16>,
    pub columns: NonZero<u16>,
}

pub struct Terminal {
    child: Child,
    keys: File,
    output: Receiver<Vec<u8>>,
    screen: vt100::Parser,
}

impl Terminal {
    /// Starts `command`; `prompt` stands on the screen before it, as where a person has typed it.
    pub fn open(mut command: Command, size: Size, prompt: &str) -> Result<Terminal> {
        let keys = pseudo_terminal::open(&mut command).context("cannot open a pseudo-terminal")?;
        tcsetwinsize(
            &keys,
            Winsize { ws_row: size.rows.get(), ws_col: size.columns.get(), ws_xpixel: 0, ws_ypixel: 0 },
        )?;
        command.env("TERM", "xterm-256color").env_remove("NO_COLOR");
        let child = command.spawn().with_context(|| format!("cannot start {:?}", command.get_program()))?;
        let mut reader = keys.try_clone()?;
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // When the program has ended, reading fails.
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let mut screen = vt100::Parser::new(size.rows, size.columns, 0);
        screen.process(prompt.as_bytes());
        Ok(Terminal { child, keys, output, screen })
    }

    pub fn types(&mut self, line: &str) -> Result<()> {
        writeln!(self.keys, "{line}").context("the program does not read what is typed")
    }

    /// Waits until what is on the screen is as `enough` wants it.
    pub fn until(&mut self, limit: Duration, enough: impl Fn(&vt100::Screen) -> bool) -> Result<()> {
        let end = Instant::now() + limit;
        while !enough(self.screen.screen()) {
            match self.output.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.screen.process(&bytes),
                Err(why) => bail!("it does not come ({why}); on the screen is\n{}", self.screen.screen().contents()),
            }
        }
        Ok(())
    }

    /// Waits for the program's end and gives its last screen.
    pub fn last(mut self, limit: Duration) -> Result<vt100::Screen> {
        let end = Instant::now() + limit;
        loop {
            match self.output.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.screen.process(&bytes),
                Err(RecvTimeoutError::Disconnected) => return Ok(self.screen.screen().clone()),
                Err(RecvTimeoutError::Timeout) => bail!("the program does not end"),
            }
        }
    }

    pub fn screen(&self) -> &vt100::Screen {
        self.screen.screen()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It has mostly ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
