//! Programs of the host are machine code. Where submissions are graded they are built and run behind walls: each that
//! tries something costs its own limits, reaches nothing, and the next is judged as if nothing had been.

use learn::child::{Judge, Limits};
use learn::compile::Compiler;
use learn::reason::Reason;
use learn::sandbox::{self, SandboxCell};
use learn::task::{AnswerKind, Task};
use learn::toolchain;
use learn::verdict::Verdict;
use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const EXERCISE: &str = "07_host/last_elements_missing";

fn catalog() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog")
}

fn solution() -> String {
    fs::read_to_string(catalog().join(EXERCISE).join("solution.rs")).unwrap()
}

/// A student with a judge of their own.
struct Student {
    folder: tempfile::TempDir,
    judge: Judge,
}

impl Student {
    /// `None` where nobody can be shut in, which is said.
    fn new() -> Option<Student> {
        match Compiler::find() {
            Ok(Compiler::Nvrtc(..)) => {}
            Ok(other) => return without(skipped::SANDBOX, &format!("{} cannot be shut in", other.name())),
            Err(why) => return without(skipped::CUDA_COMPILER, &format!("{why:#}")),
        }
        if !sandbox::is_there() {
            return without(skipped::SANDBOX, "Linux has no Landlock here");
        }
        let folder = tempfile::tempdir().unwrap();
        let recipe = Some(toolchain::recipe().unwrap());
        let cell = SandboxCell { student: folder.path().to_path_buf(), catalog: catalog(), recipe };
        let program = Path::new(env!("CARGO_BIN_EXE_learn"));
        let judge = Judge::sandboxed(program, Limits::default(), cell);
        Some(Student { folder, judge })
    }

    fn ask(&mut self, exercise: &str, file: &str, text: &str) -> Verdict {
        let path = self.folder.path().join(file);
        fs::write(&path, text).unwrap();
        let task = Task {
            catalog: catalog(),
            exercise: exercise.to_string(),
            file: path,
            shown: file.to_string(),
            replay: None,
            colour: false,
            command: "cargo learn".into(),
            is_built: file.ends_with(".rs"),
            is_verbose: false,
            more_by: Default::default(),
            tells_idea: false,
            asked: AnswerKind::Verdict,
            unless_known: None,
        };
        self.judge.ask(&task).unwrap_or_else(|why| panic!("{why}"))
    }

    fn program(&mut self, text: &str) -> Verdict {
        self.ask(EXERCISE, "last_elements_missing.rs", text)
    }
}

fn without(what: &str, why: &str) -> Option<Student> {
    skipped::because(what, why);
    None
}

/// A program with this in its `main`.
fn main(body: &str) -> String {
    format!("fn main() -> Result<(), Box<dyn std::error::Error>> {{\n{body}\n    Ok(())\n}}\n")
}

#[test]
fn what_a_program_tries_costs_its_own_limits_and_reaches_nothing() {
    let Some(mut student) = Student::new() else { return };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let heard = UdpSocket::bind("127.0.0.1:0").unwrap();
    heard.set_nonblocking(true).unwrap();
    let (tcp, udp) = (listener.local_addr().unwrap(), heard.local_addr().unwrap());
    let secret = tempfile::tempdir().unwrap();
    let victim = secret.path().join("theirs.txt");
    fs::write(&victim, "EXAM").unwrap();
    let (theirs, promised) = (victim.display(), catalog().join(EXERCISE).join("exercise.toml"));
    let promised = &*promised.display().to_string();
    let calls = "unsafe extern \"C\" { fn kill(pid: i32, signal: i32) -> i32; fn getppid() -> i32; fn truncate(path: \
                 *const std::ffi::c_char, length: i64) -> i32; }";
    let tries = [
        (
            "a file of the system, built in",
            main("    print!(\"{}\", include_str!(\"/etc/passwd\"));"),
            "compile",
            "/etc/passwd",
        ),
        (
            "what it should print, built in",
            main(&format!("    print!(\"{{}}\", include_str!(\"{promised}\"));")),
            "compile",
            promised,
        ),
        ("the environment, built in", main("    print!(\"{}\", env!(\"CARGO_BIN_EXE_learn\"));"), "compile", ""),
        ("a file of the system", main("    print!(\"{}\", std::fs::read_to_string(\"/etc/passwd\")?);"), "exit", ""),
        (
            "what it should print",
            main(&format!("    print!(\"{{}}\", std::fs::read_to_string(\"{promised}\")?);")),
            "exit",
            "",
        ),
        (
            "somebody's file",
            main(&format!("    print!(\"{{}}\", std::fs::read_to_string(\"{theirs}\")?);")),
            "exit",
            "",
        ),
        ("to write", main(&format!("    std::fs::write(\"{theirs}\", \"\")?;")), "exit", ""),
        ("to write beside itself", main("    std::fs::write(\"more\", \"\")?;"), "exit", ""),
        (
            "to cut short",
            format!(
                "{calls}\n{}",
                main(&format!(
                    "    if unsafe {{ truncate(c\"{theirs}\".as_ptr(), 0) }} != 0 {{ return Err(\"no\".into()); }}"
                ))
            ),
            "exit",
            "truncate",
        ),
        (
            "to change rights",
            main(&format!(
                "    use std::os::unix::fs::PermissionsExt;\n    std::fs::set_permissions(\"{theirs}\", \
                 PermissionsExt::from_mode(0o777))?;"
            )),
            "exit",
            "chmod",
        ),
        ("TCP", main(&format!("    std::net::TcpStream::connect(\"{tcp}\")?;")), "exit", "socket"),
        (
            "UDP",
            main(&format!("    std::net::UdpSocket::bind(\"127.0.0.1:0\")?.send_to(b\"EXAM\", \"{udp}\")?;")),
            "exit",
            "socket",
        ),
        (
            "a bomb of processes",
            main("    let me = std::env::current_exe()?;\n    loop { std::process::Command::new(&me).spawn()?; }"),
            "exit",
            "fork",
        ),
        (
            "a bomb of threads",
            main("    loop { std::thread::Builder::new().spawn(|| std::thread::park())?; }"),
            "exit",
            "pthread_create",
        ),
        #[cfg(target_arch = "x86_64")]
        (
            "a call as of 32 bits",
            main("    unsafe { std::arch::asm!(\"int 0x80\", inout(\"eax\") 20 => _) };"),
            "exit",
            "int 0x80",
        ),
        (
            "to become another program",
            main(
                "    use std::os::unix::process::CommandExt;\n    if true { return \
                 Err(std::process::Command::new(std::env::current_exe()?).exec().into()); }",
            ),
            "exit",
            "exec",
        ),
        (
            "to kill its judge",
            format!("{calls}\n{}", main("    if unsafe { kill(getppid(), 9) } != 0 { return Err(\"no\".into()); }")),
            "exit",
            "kill",
        ),
        (
            "to kill everybody",
            format!("{calls}\n{}", main("    if unsafe { kill(-1, 9) } != 0 { return Err(\"no\".into()); }")),
            "exit",
            "kill",
        ),
        ("all memory", main("    let mut all = Vec::new();\n    loop { all.push(vec![1u8; 1 << 26]); }"), "exit", ""),
        ("a flood", main("    loop { println!(\"{}\", \"more \".repeat(99)); }"), "limit", ""),
        ("an endless loop", main("    loop { std::hint::spin_loop(); }"), "limit", ""),
        (
            "a compiler that never ends",
            format!(
                "#[allow(long_running_const_eval)]\nconst ALL: u64 = {{ let mut i = 0; while i < u64::MAX {{ i += 1; \
                 }} i }};\n{}",
                main("    println!(\"{ALL}\");")
            ),
            "limit",
            "",
        ),
    ];
    for (what, text, kind, refused) in tries {
        let begin = Instant::now();
        let verdict = student.program(&text);
        assert_eq!(verdict.main_kind().map(Reason::as_str), Some(kind), "{what}: {}", verdict.text);
        // If Linux refuses a running program a file, nobody is told.
        let told: Vec<&str> = verdict.refused.iter().map(String::as_str).collect();
        assert_eq!(told, Vec::from_iter(Some(refused).filter(|name| !name.is_empty())), "{what}: {}", verdict.text);
        assert_eq!(
            verdict.text.contains(&format!("refused: {refused}\n")),
            !refused.is_empty(),
            "{what}: {}",
            verdict.text
        );
        assert!(!verdict.text.contains("EXAM") && !verdict.text.contains("root:"), "{what}: {}", verdict.text);
        assert!(
            verdict.text.len() < 100_000 && begin.elapsed() < Duration::from_secs(40),
            "{what}: {:?}",
            begin.elapsed()
        );
    }
    // The beginning of one line without an end is kept; what is said after it stays.
    let verdict = student.program(&main("    eprint!(\"{}\", \"x\".repeat(10_000));\n    std::process::exit(3);"));
    assert!(verdict.text.contains("... 7952 more bytes are left out"), "{}", verdict.text);
    assert!(verdict.text.len() < 3000 && verdict.text.contains("the program ended with"), "{}", verdict.text);
    assert_eq!(fs::read_to_string(&victim).unwrap(), "EXAM");
    assert!(listener.accept().is_err() && heard.recv(&mut [0; 8]).is_err(), "something came through");
    let verdict = student.program(&solution());
    assert!(verdict.passed, "{}", verdict.text);
}

#[test]
fn no_submission_sees_or_spoils_what_another_judge_wrote() {
    let (Some(mut one), Some(mut other)) = (Student::new(), Student::new()) else { return };
    let beside = || -> Vec<PathBuf> {
        let begins = format!("learn-judge-{}-", std::process::id());
        let all = fs::read_dir(std::env::temp_dir()).unwrap().map(|entry| entry.unwrap().path());
        all.filter(|path| path.file_name().unwrap().to_string_lossy().starts_with(&begins)).collect()
    };
    let before = beside();
    assert!(other.program(&solution()).passed);
    let scratch = beside().into_iter().find(|path| !before.contains(path)).expect("a judge has a folder of its own");
    let note = scratch.join("note.h");
    fs::write(&note, "extern \"C\" __global__ void turn_round(int* data, int n) {}\n").unwrap();
    let note = note.display();

    let verdict = one.ask("02_sync/missing_barrier", "missing_barrier.cu", &format!("#include \"{note}\"\n"));
    assert_eq!(verdict.main_kind().map(Reason::as_str), Some("compile"), "{}", verdict.text);
    for body in [
        format!("    std::fs::read(\"{note}\")?;"),
        format!("    std::fs::write(\"{note}\", \"\")?;"),
        format!("    std::fs::remove_file(\"{note}\")?;"),
        format!("    for _ in std::fs::read_dir(\"{}\")? {{}}", scratch.display()),
    ] {
        let verdict = one.program(&main(&body));
        assert_eq!(verdict.main_kind().map(Reason::as_str), Some("exit"), "{body}: {}", verdict.text);
    }
    // The other's own judge sees it.
    let verdict = other.ask("02_sync/missing_barrier", "missing_barrier.cu", &format!("#include \"{note}\"\n"));
    assert_eq!(verdict.main_kind().map(Reason::as_str), Some("answer"), "{}", verdict.text);
    assert!(other.program(&solution()).passed);
}

#[test]
fn what_a_program_started_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let judge = Judge::new(Path::new(env!("CARGO_BIN_EXE_learn")), Limits::default());
    let mut student = Student { folder, judge };
    // A time that nobody else sleeps for.
    let seconds = format!("1000.{}", std::process::id());
    let body = format!(
        "    std::process::Command::new(\"sleep\").arg(\"{seconds}\").spawn()?;\n    loop {{ std::thread::park(); }}"
    );
    let verdict = student.program(&main(&body));
    assert_eq!(verdict.main_kind().map(Reason::as_str), Some("limit"), "{}", verdict.text);
    let running = fs::read_dir("/proc").unwrap().filter_map(|entry| fs::read(entry.ok()?.path().join("cmdline")).ok());
    let left = running.filter(|line| String::from_utf8_lossy(line).contains(&seconds)).count();
    assert_eq!(left, 0);
}
