//! `class/slurm.sh` on a Slurm of one node, started here and stopped again: nothing of it is left on the machine.

use learn::compile::Compiler;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const PROGRAMS: [&str; 5] = ["munged", "slurmctld", "slurmd", "sbatch", "squeue"];

/// Returns the path of a program; daemons need not be on a user's path.
fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/sbin".into(), "/sbin".into()]);
    folders.map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Daemons with a configuration, a key and a state of their own in a temporary folder, on free ports of the loopback.
struct Cluster {
    folder: tempfile::TempDir,
    daemons: Vec<Child>,
}

impl Cluster {
    fn start() -> Cluster {
        let folder = tempfile::tempdir().unwrap();
        let mut cluster = Cluster { folder, daemons: Vec::new() };
        let at = cluster.path().to_path_buf();
        let named = |name: &str| at.join(name).display().to_string();
        fs::create_dir(at.join("state")).unwrap();
        fs::create_dir(at.join("spool")).unwrap();
        let node = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
        let node = node.trim().split('.').next().unwrap().to_string();
        let user = String::from_utf8(Command::new("id").arg("-un").output().unwrap().stdout).unwrap();
        let free = || TcpListener::bind("127.0.0.1:0").unwrap();
        let ports = [free(), free()].map(|listener| listener.local_addr().unwrap().port());
        // No accounting, and no control groups: a container has none to give.
        let text = format!(
            "ClusterName=class\nSlurmctldHost={node}(127.0.0.1)\nSlurmUser={user}\nSlurmdUser={user}\n\
             AuthType=auth/munge\nCredType=cred/munge\nAuthInfo=socket={munge}\n\
             SlurmctldPort={}\nSlurmdPort={}\nStateSaveLocation={state}\nSlurmdSpoolDir={spool}\n\
             SlurmctldPidFile={at}/slurmctld.pid\nSlurmdPidFile={at}/slurmd.pid\n\
             ProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\nJobAcctGatherType=jobacct_gather/none\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nReturnToService=2\n\
             SchedulerParameters=sched_interval=1,batch_sched_delay=0\n\
             NodeName={node} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN\n\
             PartitionName=class Nodes=ALL Default=YES State=UP\n",
            ports[0],
            ports[1],
            user = user.trim(),
            munge = named("munge"),
            state = named("state"),
            spool = named("spool"),
            at = at.display(),
        );
        fs::write(at.join("slurm.conf"), text).unwrap();
        fs::write(at.join("key"), [7; 128]).unwrap();
        Command::new("chmod").arg("400").arg(at.join("key")).status().unwrap();
        if version() >= (23, 11) {
            fs::write(at.join("cgroup.conf"), "CgroupPlugin=disabled\n").unwrap();
        }

        let options = [
            ("key-file", "key"),
            ("socket", "munge"),
            ("log-file", "munged.log"),
            ("pid-file", "munged.pid"),
            ("seed-file", "seed"),
        ];
        let options: Vec<String> = options.iter().map(|(name, file)| format!("--{name}={}", named(file))).collect();
        cluster.daemon("munged", &[&["--foreground".to_string()], &options[..]].concat());
        cluster.wait("munged makes its socket", || at.join("munge").exists());
        let conf = named("slurm.conf");
        cluster.daemon("slurmctld", &["-D".into(), "-f".into(), conf.clone()]);
        cluster.daemon("slurmd", &["-D".into(), "-N".into(), node, "-f".into(), conf]);
        cluster.wait("the node is idle", || cluster.tool("sinfo", &["-h", "-o", "%T"]) == "idle");
        cluster
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn daemon(&mut self, name: &str, words: &[String]) {
        let log = fs::File::create(self.path().join(format!("{name}.out"))).unwrap();
        // Also where this process is killed and cannot stop it.
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "TERM"]).arg(program(name).unwrap());
        command.args(words).stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
        self.daemons.push(command.spawn().unwrap());
    }

    /// A command whose Slurm is this one.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.path().join("slurm.conf")).current_dir(self.path());
        command
    }

    fn tool(&self, name: &str, words: &[&str]) -> String {
        let output = self.command(&program(name).unwrap()).args(words).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_string()
    }

    fn wait(&self, what: &str, is_so: impl Fn() -> bool) {
        let begin = Instant::now();
        while !is_so() {
            assert!(begin.elapsed() < Duration::from_secs(240), "not within 240 s: {what}\n{}", self.logs());
            sleep(Duration::from_millis(200));
        }
    }

    fn logs(&self) -> String {
        let read = |name: &str| fs::read_to_string(self.path().join(name)).unwrap_or_default();
        ["munged.out", "slurmctld.out", "slurmd.out"].map(read).concat()
    }

    /// `slurm.sh` as one types it on the login node, and until no job is left.
    fn script(&self, words: &[&str], environment: &[(&str, &str)]) -> Output {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("class/slurm.sh");
        let mut command = self.command(&script);
        command.env("LEARN", env!("CARGO_BIN_EXE_learn")).args(words);
        let output = command.envs(environment.iter().copied()).output().unwrap();
        self.wait("no job is left", || self.tool("squeue", &["-h"]).is_empty());
        output
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if self.daemons.len() == 3 {
            self.tool("scancel", &["--full", "--partition=class"]);
            let begin = Instant::now();
            while !self.tool("squeue", &["-h"]).is_empty() && begin.elapsed() < Duration::from_secs(20) {
                sleep(Duration::from_millis(200));
            }
        }
        // Asked first: then they end what they started themselves. One may have ended by itself.
        for daemon in self.daemons.iter().rev() {
            let _ =
                rustix::process::kill_process(rustix::process::Pid::from_child(daemon), rustix::process::Signal::TERM);
        }
        let begin = Instant::now();
        for mut daemon in self.daemons.drain(..).rev() {
            while matches!(daemon.try_wait(), Ok(None)) && begin.elapsed() < Duration::from_secs(10) {
                sleep(Duration::from_millis(50));
            }
            let _ = daemon.kill();
            let _ = daemon.wait();
        }
    }
}

/// `slurm-wlm 22.05.8`
fn version() -> (u32, u32) {
    let output = Command::new(program("slurmd").unwrap()).arg("-V").output().unwrap().stdout;
    let text = String::from_utf8(output).unwrap();
    let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok());
    (numbers.next().unwrap(), numbers.next().unwrap())
}

/// Right, wrong, half of it, and one who tries to read what is not theirs and to run for ever.
fn class(folder: &Path) {
    let answer = |exercise: &str, file: &str| {
        let catalog = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalog");
        fs::read_to_string(catalog.join(exercise).join(file)).unwrap()
    };
    let hand_in = |student: &str, file: &str, text: &str| {
        fs::create_dir_all(folder.join("class").join(student)).unwrap();
        fs::write(folder.join("class").join(student).join(file), text).unwrap();
    };
    let (barrier, lost) = ("02_sync/missing_barrier", "04_atomics/lost_update");
    hand_in("ada", "missing_barrier.cu", &answer(barrier, "solution.cu"));
    hand_in("ada", "lost_update.cu", &answer(lost, "solution.cu"));
    hand_in("bob", "missing_barrier.cu", &answer(barrier, "missing_barrier.cu"));
    hand_in("bob", "lost_update.cu", &answer(lost, "lost_update.cu"));
    hand_in("o'neil, jo", "lost_update.cu", &answer(lost, "solution.cu"));
    fs::write(folder.join("secret.txt"), "#define EXAM 42\n").unwrap();
    let reads = format!("#include \"{}\"\n", folder.join("secret.txt").display());
    hand_in("eve", "missing_barrier.cu", &(reads + &answer(barrier, "solution.cu")));
    let head = "extern \"C\" __global__ void count_even(const int* v, int n, int* count)";
    hand_in("eve", "lost_update.cu", &format!("{head} {{\n    for (;;) atomicAdd(count, 1);\n}}\n"));
    fs::write(folder.join("points.toml"), "[points]\nmissing_barrier = 2\nlost_update = 3\n").unwrap();
}

/// The rows without their seconds, which are never the same: the first field that is a number with two decimals.
fn untimed(csv: &str) -> Vec<String> {
    let is_seconds = |field: &&str| {
        let parts = field.split_once('.');
        parts
            .is_some_and(|(whole, rest)| rest.len() == 2 && whole.parse::<u32>().is_ok() && rest.parse::<u32>().is_ok())
    };
    let untimed = |line: &str| {
        let seconds = line.split(',').find(is_seconds).unwrap_or("seconds");
        line.replacen(&format!(",{seconds},"), ",", 1)
    };
    csv.lines().map(untimed).collect()
}

#[test]
fn a_class_graded_by_a_job_array_gets_the_grades_of_one_machine() {
    if let Some(missing) = PROGRAMS.iter().find(|name| program(name).is_none()) {
        let how = "apt-get install slurmctld slurmd slurm-client munge";
        skipped::because(skipped::SLURM, &format!("{missing} is missing: {how}"));
        return;
    }
    if skipped::unless(skipped::CUDA_COMPILER, &Compiler::find()) {
        return;
    }
    let cluster = Cluster::start();
    let at = cluster.path();
    class(at);
    let learn = |words: &[&str]| {
        let output = cluster.command(Path::new(env!("CARGO_BIN_EXE_learn"))).args(words).output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let mut options = vec!["--points", "points.toml"];
    let (mut direct, said) = learn(&[&["grade", "class"], &options[..]].concat());
    if said.contains("--no-sandbox") {
        options.push("--no-sandbox");
        direct = learn(&[&["grade", "class"], &options[..]].concat()).0;
    }
    assert!(
        direct.contains("ada,04_atomics/lost_update,true,,")
            && direct.contains("eve,04_atomics/lost_update,false,livelock,"),
        "{direct}{said}"
    );

    // Three tasks for four students: one of them has two.
    let output = cluster.script(&[&["class", "out"], &options[..]].concat(), &[("TASKS", "3")]);
    assert!(output.status.success(), "{output:?}");
    let log = |name: &str| fs::read_to_string(at.join("out/logs").join(name)).unwrap_or_default();
    let merged = fs::read_to_string(at.join("out/grades.csv"));
    let merged = merged.unwrap_or_else(|_| panic!("{}{}{}", log("merge.log"), log("0.log"), cluster.logs()));
    assert_eq!(untimed(&merged), untimed(&direct));
    assert_eq!(merged.lines().count(), 1 + 4 * 2, "{merged}");
    let whole = learn(&["merge", "out/grades.json"]).0;
    assert_eq!(untimed(&whole), untimed(&direct));
    assert_eq!(fs::read_to_string(at.join("out/grades.xml")).unwrap().matches("<testsuite ").count(), 4);

    // A task that is lost is named, and there are no grades without it.
    fs::remove_file(at.join("out/parts/1.json")).unwrap();
    fs::remove_file(at.join("out/grades.csv")).unwrap();
    let output = cluster.script(&["--merge", "out"], &[]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && said.contains("no grades from task 1 of 3"), "{said}");
    assert!(!at.join("out/grades.csv").exists());
    // By hand again, as that message says.
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("class/slurm.sh");
    let mut again = cluster.command(&program("sbatch").unwrap());
    again.env("TASKS", "3").env("LEARN", env!("CARGO_BIN_EXE_learn")).arg("--array=1").arg(&script);
    assert!(again.args(["class", "out"]).args(&options).output().unwrap().status.success());
    cluster.wait("task 1 is done", || cluster.tool("squeue", &["-h"]).is_empty());
    assert!(cluster.script(&["--merge", "out"], &[]).status.success());
    assert_eq!(untimed(&fs::read_to_string(at.join("out/grades.csv")).unwrap()), untimed(&direct));

    // A node without a compiler says so in its log, and merging which tasks are lost.
    let nothing = [("NVRTC", "/nonexistent"), ("NVCC", "/nonexistent"), ("TASKS", "2")];
    cluster.script(&["class", "bare"], &nothing);
    let log = |name: &str| fs::read_to_string(at.join("bare/logs").join(name)).unwrap_or_default();
    assert!(
        log("0.log").contains("cargo toolkit install") && log("0.log").contains("graded nothing"),
        "{}",
        log("0.log")
    );
    assert!(log("merge.log").contains("no grades from task 0 1 of 2"), "{}", log("merge.log"));
    let output = cluster.script(&["class", "out"], &[("LEARN", "/nonexistent/learn")]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && said.contains("cargo build --release --package learn"), "{said}");
}
