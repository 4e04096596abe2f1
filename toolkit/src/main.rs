//! `cargo toolkit install | status | uninstall`, in English or Spanish.

use std::process::ExitCode;

use toolkit::command;

fn main() -> ExitCode {
    let arguments = command::speak(std::env::args().skip(1).collect());
    command::run(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}
