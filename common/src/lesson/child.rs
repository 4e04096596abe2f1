//! A kernel that may kill or hang its context runs in a process of its own, with a time limit.
//!
//! The child is this very program with `--child KERNEL`. It prints its summary as one line of JSON. One that dies, or
//! that is still busy at the end of its time, counts as one wrong run.

use anyhow::Context as _;
use std::io::Read;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use trial::{FirstWrong, RunId, Summary, Wrong};

pub const TIME_LIMIT: Duration = Duration::from_secs(20);

/// Comes before the summary, to tell it from what the kernel printed.
const MARK: &str = "summary of the child: ";

/// Runs `kernel` in a child that has this process's arguments.
pub fn run(kernel: &str, limit: Duration) -> anyhow::Result<Summary> {
    let program = std::env::current_exe().context("this program does not find itself")?;
    let mut command = Command::new(program);
    command.args(std::env::args_os().skip(1)).args(["--child", kernel]);
    supervise(command, limit).with_context(|| format!("running `{kernel}` in a process of its own"))
}

/// Returns the child's summary, or an error for the way in which it ended.
fn supervise(mut command: Command, limit: Duration) -> anyhow::Result<Summary> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
    let mut pipe = child.stdout.take().expect("piped above");
    let reader = thread::spawn(move || {
        let mut text = String::new();
        pipe.read_to_string(&mut text).map(|_| text)
    });
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() >= limit {
            child.kill()?;
            child.wait()?;
            return Ok(failed(Wrong::StillRunning(limit.as_secs())));
        }
        thread::sleep(Duration::from_millis(5));
    };
    let text = reader.join().expect("the reader does not panic")?;
    match text.lines().find_map(|line| line.strip_prefix(MARK)) {
        Some(summary) => serde_json::from_str(summary).context("the child's summary does not parse"),
        None => Ok(failed(Wrong::Died(status.to_string()))),
    }
}

fn failed(why: Wrong) -> Summary {
    let first = FirstWrong { run: RunId::in_order(0), why };
    Summary { runs: 1, wrong_runs: 1, first_wrong: Some(first), ..Summary::default() }
}

/// The child's side: says what came out and ends the process, whatever state the device is in.
pub fn answer(summary: &Summary) -> anyhow::Result<()> {
    println!("{MARK}{}", serde_json::to_string(summary)?);
    std::process::exit(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn a_childs_summary_comes_through_between_other_output() {
        let summary = Summary { runs: 1000, wrong_runs: 1, ..Summary::default() };
        let json = serde_json::to_string(&summary).unwrap();
        let script = format!("echo from the kernel; echo '{MARK}{json}'");
        assert_eq!(supervise(shell(&script), TIME_LIMIT).unwrap(), summary);
    }

    #[test]
    fn a_child_that_dies_is_a_wrong_run() {
        let summary = supervise(shell("kill -SEGV $$"), TIME_LIMIT).unwrap();
        assert_eq!((summary.runs, summary.wrong_runs), (1, 1));
        let why = summary.first_wrong.unwrap().why.to_string();
        assert!(why.starts_with("the process died: signal: 11"), "{why}");
    }

    #[test]
    fn a_child_that_hangs_is_ended() {
        let start = Instant::now();
        let summary = supervise(shell("exec sleep 600"), Duration::from_millis(50)).unwrap();
        assert!(start.elapsed() < Duration::from_secs(30));
        assert_eq!(summary.wrong_runs, 1);
        assert!(matches!(summary.first_wrong.unwrap().why, Wrong::StillRunning(0)));
    }
}
