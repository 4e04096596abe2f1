//! `cargo learn web`: the course in the browser, on one's own machine (docs/learn-web.md).
//!
//! [`server`] answers on the loopback address to whom [`guard`] lets in; [`api`] says what can be asked, [`view`] what
//! is told. [`files`] reads and writes the copies, [`judging`] judges them in the background. The page is built from
//! `web/src/learn/`.

pub mod api;
pub mod files;
pub mod guard;
pub mod judging;
pub mod server;
pub mod view;

use crate::child::Limits;
use crate::session::LearnSession;
use anyhow::{Context, Result};
use guard::RequestGuard;
use judging::Bench;
use server::Server;
use std::io::BufRead;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use tell::say as print;
use tokio::signal::unix::{SignalKind, signal};

/// The options of the command line.
pub struct WebOptions {
    /// 0: any that is free.
    pub port: u16,
    /// Further names of this server.
    pub hosts: Vec<String>,
    /// True if a browser is to be started.
    pub opens: bool,
}

/// Serves until the student quits.
pub fn run(session: LearnSession, program: &Path, options: &WebOptions) -> Result<()> {
    let is_sandboxed = judging::can_sandbox();
    if !is_sandboxed {
        words::complain(&say!("web-not-shut-in"));
    }
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_io().enable_time().max_blocking_threads(16).build();
    let runtime = runtime.context(say!("web-cannot-start"))?;
    let listener = runtime.block_on(server::listen(options.port))?;
    let port = listener.local_addr()?.port();
    let guard = RequestGuard::new(port, &options.hosts).context(say!("web-cannot-start"))?;
    let bench = Arc::new(Bench::new(session, program, Limits::default(), is_sandboxed)?);
    let server = Arc::new(Server { bench: bench.clone(), guard, end: tokio::sync::Notify::new() });
    let judging = {
        let bench = bench.clone();
        std::thread::spawn(move || bench.work())
    };
    let address = server.guard.address()?;
    print(&format!("{}\n", say!("web-address", address = &address)));
    if options.opens {
        open(&address);
    }
    let reader = server.clone();
    std::thread::spawn(move || read_lines(&reader));
    runtime.spawn(server::serve(listener, server.clone()));
    // Ctrl-C, or the end of the terminal: what is left is removed, as after `q`.
    for kind in [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()] {
        let server = server.clone();
        runtime.spawn(async move {
            if let Ok(mut signal) = signal(kind) {
                signal.recv().await;
                server.end.notify_one();
            }
        });
    }
    runtime.block_on(server.end.notified());
    // Ends the judging process, too.
    bench.stop();
    let _ = judging.join();
    Ok(())
}

/// Enter gives a new address, `q` ends all. A closed stdin is no reason to end.
fn read_lines(server: &Server) {
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        match line.trim() {
            "q" => return server.end.notify_one(),
            _ => match server.guard.address() {
                Ok(address) => print(&format!("{}\n", say!("web-address", address))),
                Err(error) => words::complain(&say!("error", why = tell::of_system(&error))),
            },
        }
    }
}

/// Opens the address in a browser, where there is a screen. The address is on the terminal too.
fn open(address: &str) {
    let is_wsl = std::env::var_os("WSL_DISTRO_NAME").is_some();
    let has_screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    let programs: &[&str] = match (is_wsl, has_screen) {
        (true, _) => &["wslview", "xdg-open"],
        (false, true) => &["xdg-open"],
        (false, false) => &[],
    };
    for program in programs {
        let mut command = Command::new(program);
        command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if let Ok(mut child) = command.spawn() {
            // It ends when it has told the browser.
            std::thread::spawn(move || child.wait());
            return;
        }
    }
}
