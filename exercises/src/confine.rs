//! Starts the programs that a submission needs: the Rust compiler, and what it built. This program starts itself first,
//! gives up what the other must not have, and then becomes it.
//!
//! A program that a student wrote is machine code. Where submissions are graded it can read itself and the system's
//! libraries, write to one file, and has no network, no other processes and no way to reach the ones that are there:
//! Landlock ([`crate::sandbox`]) for files, and a filter of system calls (seccomp, Linux' kernel documentation, "Seccomp BPF")
//! for what Landlock does not know. Memory, files and time are limited in any case.

use crate::child::set_limits;
use crate::sandbox::{self, Walls};
use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process_group};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Is, SeccompCondition as Condition,
    SeccompFilter, SeccompRule,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The hidden command that makes this program another.
pub const COMMAND: &str = "confine";

/// What the program may take.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Confinement {
    /// Bytes.
    pub memory: u64,
    /// Bytes of a file that it writes.
    pub file: u64,
    pub walls: Option<Walls>,
    /// Whether system calls are filtered: no processes, no sockets.
    pub is_alone: bool,
}

/// What came of a program.
pub struct Ended {
    /// `None`: it was stopped.
    pub status: Option<ExitStatus>,
    pub stdout: String,
    pub stderr: String,
    /// It printed too much, and was stopped if it had not ended.
    pub is_flood: bool,
}

impl Confinement {
    /// The command that starts `program` so. Where there are walls, it gets nothing of this process's environment, which may
    /// hold what is nobody's business.
    pub fn command(&self, program: &Path) -> Result<Command, String> {
        let this = std::env::current_exe().map_err(|error| format!("cannot tell where this program is: {error}"))?;
        let mut command = Command::new(this);
        command.arg(COMMAND).arg(serde_json::to_string(self).map_err(|error| error.to_string())?).arg(program);
        if self.walls.is_some() {
            command
                .env_clear()
                .env("LESSON_LANG", crate::Language::current().code())
                .env("PATH", "/usr/local/bin:/usr/bin:/bin")
                .env("TMPDIR", std::env::temp_dir());
        }
        Ok(command)
    }
}

/// Runs it until it ends, has run for so long, or has printed more than so many bytes. Whatever it started ends with it.
pub fn run(command: &mut Command, time: Duration, output: u64) -> Result<Ended, String> {
    let mut child = command
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run the program: {error}"))?;
    let group = Pid::from_child(&child);
    let flood = Arc::new(AtomicBool::new(false));
    let stdout = child.stdout.take().map(|from| read_in_background(from, output, &flood));
    let stderr = child.stderr.take().map(|from| read_in_background(from, output, &flood));
    let begin = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break Some(status),
            None if flood.load(Relaxed) || begin.elapsed() > time => break None,
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    // Everything that is left of it; mostly nothing is.
    let _ = kill_process_group(group, Signal::KILL);
    child.wait().map_err(|error| error.to_string())?;
    let text = |reader: Option<JoinHandle<Vec<u8>>>| {
        let bytes = reader.and_then(|reader| reader.join().ok()).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let (stdout, stderr) = (text(stdout), text(stderr));
    Ok(Ended { status, stdout, stderr, is_flood: flood.load(Relaxed) })
}

fn read_in_background(from: impl Read + Send + 'static, most: u64, flood: &Arc<AtomicBool>) -> JoinHandle<Vec<u8>> {
    let flood = flood.clone();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // An error ends it as the end does.
        let _ = from.take(most + 1).read_to_end(&mut bytes);
        if bytes.len() as u64 > most {
            flood.store(true, Relaxed);
        }
        bytes
    })
}

/// The hidden command: becomes `words`, or gives the reason why not.
pub fn become_it(how: &str, words: &[OsString]) -> Result<()> {
    let how: Confinement = serde_json::from_str(how).context("a confinement that is none")?;
    let [program, arguments @ ..] = words else { bail!("there is no program") };
    set_limits(how.memory, how.file)?;
    if let Some(walls) = &how.walls {
        sandbox::shut(walls)?;
    }
    if how.is_alone {
        filter()?;
    }
    let error = Command::new(program).args(arguments).exec();
    Err(error).with_context(|| format!("cannot run {}", Path::new(program).display()))
}

/// Names that x86-64 has besides: calls of its 32-bit pointers, by the same numbers with this bit.
const X32: i64 = 0x4000_0000;

fn filter() -> Result<()> {
    let own = u64::from(std::process::id());
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = NEVER.iter().map(|&call| (call, Vec::new())).collect();
    #[cfg(target_arch = "x86_64")]
    rules.extend(NEVER_HERE.iter().map(|&call| (call, Vec::new())));
    // A thread is no process.
    let thread = Length::Qword;
    let not_a_thread = Condition::new(0, thread, Is::MaskedEq(libc::CLONE_THREAD as u64), 0)?;
    rules.insert(libc::SYS_clone, vec![SeccompRule::new(vec![not_a_thread])?]);
    // To itself, as when it aborts.
    let other = |argument| Condition::new(argument, Length::Dword, Is::Ne, own);
    for call in [libc::SYS_kill, libc::SYS_tgkill] {
        rules.insert(call, vec![SeccompRule::new(vec![other(0)?])?]);
    }
    let someone = Condition::new(0, Length::Dword, Is::Ne, 0)?;
    rules.insert(libc::SYS_prlimit64, vec![SeccompRule::new(vec![other(0)?, someone])?]);
    // Its flags lie in memory, where a filter cannot look. The C library takes `clone` where it is not there.
    let missing = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
    for (rules, error) in [(missing, libc::ENOSYS), (rules, libc::EPERM)] {
        let mut all = rules.clone();
        all.extend(rules.into_iter().map(|(call, rules)| (call | X32, rules)));
        let denied = SeccompAction::Errno(error as u32);
        let filter = SeccompFilter::new(all, SeccompAction::Allow, denied, std::env::consts::ARCH.try_into()?)?;
        let program: BpfProgram = filter.try_into()?;
        seccompiler::apply_filter(&program).context("Linux does not filter system calls here")?;
    }
    Ok(())
}

/// Calls that no exercise needs: the network, other processes and their memory, what outlives a process, what files are
/// besides their contents, and what belongs to the whole machine.
const NEVER: &[i64] = &[
    libc::SYS_socket,
    libc::SYS_socketpair,
    libc::SYS_io_uring_setup,
    libc::SYS_tkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pidfd_send_signal,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_kcmp,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
    libc::SYS_shmget,
    libc::SYS_semget,
    libc::SYS_msgget,
    libc::SYS_mq_open,
    libc::SYS_truncate,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_setsid,
    libc::SYS_setpgid,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_quotactl,
    libc::SYS_vhangup,
];

/// Older names for some of them.
#[cfg(target_arch = "x86_64")]
const NEVER_HERE: &[i64] = &[
    libc::SYS_fork,
    libc::SYS_vfork,
    libc::SYS_chmod,
    libc::SYS_chown,
    libc::SYS_lchown,
    libc::SYS_utime,
    libc::SYS_utimes,
    libc::SYS_futimesat,
    libc::SYS_iopl,
    libc::SYS_ioperm,
];
