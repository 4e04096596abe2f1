//! System calls that a student's program may not make: a filter refuses them (seccomp, Linux' kernel documentation,
//! "Seccomp BPF"), and the process that waits for the program is told which they were ("Userspace Notification").
//!
//! The filter hands each such call to a listener. The program's starter sends the listener through its standard input
//! before it becomes the program. Whoever listens refuses every call and remembers its name. So a name in a report is
//! certain: the program made that call. Where Linux gives no listener, the filter refuses by itself, and nobody learns
//! what.
//!
//! Files are another matter. Landlock ([`crate::sandbox`]) refuses them and tells nobody but the machine's audit log.
//! Besides, the libraries of any program look for files that they can do without. So no report says which file a
//! running program was refused. What a compiler was refused is known: [`file`].
//!
//! `unsafe` is here for three calls that no crate has: a filter with a listener, and what is read from and written to
//! it.

use anyhow::{Context, Result};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Is, SeccompCondition as Condition,
    SeccompFilter, SeccompRule,
};
use std::collections::BTreeMap;
use std::io::{Error, ErrorKind, IoSlice, IoSliceMut};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Names that x86-64 has besides: calls of its 32-bit pointers, by the same numbers with this bit.
const X32: i64 = 0x4000_0000;

/// Threads that a program may start, one after the other or at once.
const MOST_THREADS: u32 = 256;

/// The time between two looks whether the program has ended, in nanoseconds.
const LOOK: i64 = 20_000_000;

/// Filters the calls of this process and of the program that it becomes. Where `starter` listens, it gets the listener.
pub fn filter(starter: BorrowedFd) -> Result<()> {
    // Its flags lie in memory, where a filter cannot look. The C library takes `clone` where it is not there.
    let missing = program(BTreeMap::from([(libc::SYS_clone3, Vec::new())]), libc::ENOSYS)?;
    seccompiler::apply_filter(&missing).context(say!("sandbox-no-filter"))?;
    // This process becomes the program by one of these: only a listener can tell the first from another.
    // It counts threads, too.
    let mut told = rules()?;
    told.extend(BECOME.map(|(_, call)| (call, Vec::new())).into_iter().chain([(libc::SYS_clone, Vec::new())]));
    match listener(program(told, libc::EPERM)?) {
        Ok(listener) => send(starter, listener.as_fd()).context(say!("sandbox-no-filter")),
        // Linux before 5.0 has none, and a process that somebody else listens to gets no second one.
        Err(_) => {
            let alone = program(rules()?, libc::EPERM)?;
            seccompiler::apply_filter(&alone).context(say!("sandbox-no-filter"))
        }
    }
}

fn rules() -> Result<Rules> {
    let own = u64::from(std::process::id());
    let mut rules: Rules = NEVER.iter().map(|&(_, call)| (call, Vec::new())).collect();
    #[cfg(target_arch = "x86_64")]
    rules.extend(NEVER_HERE.iter().map(|&(_, call)| (call, Vec::new())));
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
    Ok(rules)
}

/// A filter that denies these with an error, and allows all others.
fn program(rules: Rules, error: i32) -> Result<BpfProgram> {
    let mut all = rules.clone();
    all.extend(rules.into_iter().map(|(call, rules)| (call | X32, rules)));
    let denied = SeccompAction::Errno(error as u32);
    let filter = SeccompFilter::new(all, SeccompAction::Allow, denied, std::env::consts::ARCH.try_into()?)?;
    Ok(filter.try_into()?)
}

/// Applies a filter that asks a listener where it would deny.
fn listener(mut program: BpfProgram) -> Result<OwnedFd, Error> {
    for step in &mut program {
        let is_return = i32::from(step.code) == libc::BPF_RET as i32 | libc::BPF_K as i32;
        if is_return && step.k == libc::SECCOMP_RET_ERRNO | libc::EPERM as u32 {
            step.k = libc::SECCOMP_RET_USER_NOTIF;
        }
    }
    let steps = libc::sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr().cast() };
    let flags = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
    // SAFETY: Linux reads `steps.len` instructions, which `program` has and which both crates lay out as Linux does,
    // and keeps none of them. The filter before this one has seen to it that the process gets no new privileges.
    let made = unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const steps) };
    match i32::try_from(made) {
        // SAFETY: it is new, and nobody else's.
        Ok(made) if made >= 0 => Ok(unsafe { OwnedFd::from_raw_fd(made) }),
        _ => Err(Error::last_os_error()),
    }
}

fn send(to: BorrowedFd, what: BorrowedFd) -> Result<(), Error> {
    let mut room = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut room);
    let sent = [what];
    control.push(SendAncillaryMessage::ScmRights(&sent));
    sendmsg(to, &[IoSlice::new(&[0])], &mut control, SendFlags::empty())?;
    Ok(())
}

/// `None` where the other side ends without sending one.
fn receive(from: BorrowedFd) -> Option<OwnedFd> {
    let mut room = [std::mem::MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut room);
    recvmsg(from, &mut [IoSliceMut::new(&mut [0])], &mut control, RecvFlags::CMSG_CLOEXEC).ok()?;
    control.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut all) => all.next(),
        _ => None,
    })
}

/// Listens until the program ends, or `is_over`; the names of the calls that were refused, each once.
pub fn listen(from: BorrowedFd, is_over: &AtomicBool) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let Some(listener) = receive(from) else { return names };
    let (mut has_begun, mut threads) = (false, 0);
    while !is_over.load(Relaxed) {
        let mut asked = [PollFd::new(&listener, PollFlags::IN)];
        let wait = Timespec { tv_sec: 0, tv_nsec: LOOK };
        match poll(&mut asked, Some(&wait)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => continue,
            Ok(_) if asked[0].revents().contains(PollFlags::IN) => {}
            // The program has ended.
            _ => break,
        }
        // Whoever asked may have been killed.
        let Ok(question) = question(&listener) else { continue };
        let call = i64::from(question.data.nr) & !X32;
        let begins = !has_begun && BECOME.iter().any(|(_, one)| *one == call);
        has_begun |= begins;
        let is_thread = call == libc::SYS_clone && question.data.args[0] & libc::CLONE_THREAD as u64 != 0;
        threads += u32::from(is_thread);
        let is_allowed = begins || is_thread && threads <= MOST_THREADS;
        if !is_allowed {
            let name = if is_thread { "pthread_create".to_string() } else { name(call) };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let _ = answer(&listener, question.id, is_allowed);
    }
    names
}

fn question(listener: &OwnedFd) -> Result<libc::seccomp_notif, Error> {
    // SAFETY: it is made of numbers, and Linux wants it zeroed.
    let mut question: libc::seccomp_notif = unsafe { std::mem::zeroed() };
    // SAFETY: Linux writes one such structure, whose size is part of the request's number.
    let done = unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV, &raw mut question) };
    if done == 0 { Ok(question) } else { Err(Error::last_os_error()) }
}

fn answer(listener: &OwnedFd, id: u64, is_allowed: bool) -> Result<(), Error> {
    let (error, flags) = match is_allowed {
        true => (0, libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32),
        false => (-libc::EPERM, 0),
    };
    let mut answer = libc::seccomp_notif_resp { id, val: 0, error, flags };
    // SAFETY: Linux reads one such structure, whose size is part of the request's number.
    let done = unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut answer) };
    if done == 0 { Ok(()) } else { Err(Error::last_os_error()) }
}

/// Returns the name by which students know a call.
fn name(call: i64) -> String {
    let others = [("fork", libc::SYS_clone), ("kill", libc::SYS_kill), ("kill", libc::SYS_tgkill)];
    let limits = [("prlimit", libc::SYS_prlimit64)];
    #[cfg(target_arch = "x86_64")]
    let here = NEVER_HERE;
    #[cfg(not(target_arch = "x86_64"))]
    let here: &[(&str, i64)] = &[];
    let mut known = others.iter().chain(&limits).chain(&BECOME).chain(NEVER).chain(here);
    known.find(|(_, one)| *one == call).map_or_else(|| format!("{call}"), |(name, _)| name.to_string())
}

/// The forbidden act of a program that a filter ended for this reason: it called the system as programs of 32 bits do,
/// whose calls have other numbers.
pub fn ended_by(status: ExitStatus) -> Option<String> {
    (status.signal() == Some(libc::SIGSYS)).then(|| "int 0x80".to_string())
}

/// The file that this line of a compiler names, if it was refused to this process: a file that is not there was not.
/// `folder`: where names begin.
pub fn file(line: &str, folder: &Path) -> Option<String> {
    let (_, rest) =
        line.split_once("cannot open source file \"").or(line.split_once("could not open source file \""))?;
    let (named, _) = rest.split_once('"')?;
    let error = std::fs::File::open(folder.join(named)).err()?;
    (error.kind() == ErrorKind::PermissionDenied).then(|| named.to_string())
}

/// As `file`, for a line of rustc, which says itself that a file was refused.
pub fn file_of_rust(line: &str) -> Option<String> {
    let (named, why) = line.split_once("couldn't read `")?.1.split_once("`: ")?;
    why.starts_with("Permission denied (os error 13)").then(|| named.to_string())
}

/// A process becomes another program by these.
const BECOME: [(&str, i64); 2] = [("exec", libc::SYS_execve), ("exec", libc::SYS_execveat)];

/// Calls that no exercise needs: the network, other processes and their memory, what outlives a process, what files are
/// besides their contents, and what belongs to the whole machine.
const NEVER: &[(&str, i64)] = &[
    ("socket", libc::SYS_socket),
    ("socketpair", libc::SYS_socketpair),
    ("io_uring_setup", libc::SYS_io_uring_setup),
    ("kill", libc::SYS_tkill),
    ("sigqueue", libc::SYS_rt_sigqueueinfo),
    ("sigqueue", libc::SYS_rt_tgsigqueueinfo),
    ("pidfd_open", libc::SYS_pidfd_open),
    ("pidfd_getfd", libc::SYS_pidfd_getfd),
    ("pidfd_send_signal", libc::SYS_pidfd_send_signal),
    ("ptrace", libc::SYS_ptrace),
    ("process_vm_readv", libc::SYS_process_vm_readv),
    ("process_vm_writev", libc::SYS_process_vm_writev),
    ("process_madvise", libc::SYS_process_madvise),
    ("kcmp", libc::SYS_kcmp),
    ("setpriority", libc::SYS_setpriority),
    ("ioprio_set", libc::SYS_ioprio_set),
    ("sched_setaffinity", libc::SYS_sched_setaffinity),
    ("sched_setattr", libc::SYS_sched_setattr),
    ("sched_setparam", libc::SYS_sched_setparam),
    ("sched_setscheduler", libc::SYS_sched_setscheduler),
    ("shmget", libc::SYS_shmget),
    ("semget", libc::SYS_semget),
    ("msgget", libc::SYS_msgget),
    ("mq_open", libc::SYS_mq_open),
    ("truncate", libc::SYS_truncate),
    ("fchmod", libc::SYS_fchmod),
    ("fchmodat", libc::SYS_fchmodat),
    ("fchown", libc::SYS_fchown),
    ("fchownat", libc::SYS_fchownat),
    ("utimensat", libc::SYS_utimensat),
    ("setxattr", libc::SYS_setxattr),
    ("lsetxattr", libc::SYS_lsetxattr),
    ("fsetxattr", libc::SYS_fsetxattr),
    ("removexattr", libc::SYS_removexattr),
    ("lremovexattr", libc::SYS_lremovexattr),
    ("fremovexattr", libc::SYS_fremovexattr),
    ("mount", libc::SYS_mount),
    ("umount", libc::SYS_umount2),
    ("pivot_root", libc::SYS_pivot_root),
    ("chroot", libc::SYS_chroot),
    ("unshare", libc::SYS_unshare),
    ("setns", libc::SYS_setns),
    ("setsid", libc::SYS_setsid),
    ("setpgid", libc::SYS_setpgid),
    ("bpf", libc::SYS_bpf),
    ("perf_event_open", libc::SYS_perf_event_open),
    ("userfaultfd", libc::SYS_userfaultfd),
    ("keyctl", libc::SYS_keyctl),
    ("add_key", libc::SYS_add_key),
    ("request_key", libc::SYS_request_key),
    ("sethostname", libc::SYS_sethostname),
    ("setdomainname", libc::SYS_setdomainname),
    ("settimeofday", libc::SYS_settimeofday),
    ("clock_settime", libc::SYS_clock_settime),
    ("clock_adjtime", libc::SYS_clock_adjtime),
    ("adjtimex", libc::SYS_adjtimex),
    ("swapon", libc::SYS_swapon),
    ("swapoff", libc::SYS_swapoff),
    ("reboot", libc::SYS_reboot),
    ("kexec_load", libc::SYS_kexec_load),
    ("init_module", libc::SYS_init_module),
    ("finit_module", libc::SYS_finit_module),
    ("delete_module", libc::SYS_delete_module),
    ("acct", libc::SYS_acct),
    ("syslog", libc::SYS_syslog),
    ("quotactl", libc::SYS_quotactl),
    ("vhangup", libc::SYS_vhangup),
];

/// Older names for some of them.
#[cfg(target_arch = "x86_64")]
const NEVER_HERE: &[(&str, i64)] = &[
    ("fork", libc::SYS_fork),
    ("fork", libc::SYS_vfork),
    ("chmod", libc::SYS_chmod),
    ("chown", libc::SYS_chown),
    ("lchown", libc::SYS_lchown),
    ("utime", libc::SYS_utime),
    ("utimes", libc::SYS_utimes),
    ("futimesat", libc::SYS_futimesat),
    ("iopl", libc::SYS_iopl),
    ("ioperm", libc::SYS_ioperm),
];
