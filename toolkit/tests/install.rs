//! Installations that end well and badly, with small wheels of the tests' own and no network.
//!
//! The `nvcc` in these wheels is a shell script: it stands for a program that has to be runnable after unpacking.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, thread, time::Duration};

use anyhow::Result;
use kernel_build::toolkit::{MARKER, is_complete};
use sha2::{Digest, Sha256};
use tempfile::TempDir;
use toolkit::wheels::Wheel;
use toolkit::{Fetch, Installed, install, uninstall};
use zip::write::{SimpleFileOptions, ZipWriter};

const NVCC: &str = "#!/bin/sh\necho 'Cuda compilation tools, release 13.0, V13.0.88'\n";

/// Larger than the limits that the tests of a full disk set, and nearly nothing when compressed.
const LARGE: usize = 4 << 20;

/// Wheels in a folder, as pip would find them, and a count of how often they were asked for.
struct Shelf {
    folder: TempDir,
    wheels: Vec<Wheel>,
    fetched: AtomicUsize,
}

impl Shelf {
    /// Two wheels: one with the programs and a large library, one with a header.
    fn new() -> Self {
        let mut shelf = Shelf::empty();
        let large = vec![0; LARGE];
        shelf.add(
            "test-nvcc",
            &[
                ("nvidia/cu13/bin/nvcc", NVCC.as_bytes()),
                ("nvidia/cu13/lib/large.a", &large),
                ("test_nvcc-1.0.dist-info/licenses/License.txt", b"terms"),
                ("test_nvcc-1.0.dist-info/RECORD", b"list"),
            ],
        );
        shelf.add("test-runtime", &[("nvidia/cu13/include/cuda.h", b"int x;")]);
        shelf
    }

    fn empty() -> Self {
        Shelf { folder: tempfile::tempdir().unwrap(), wheels: Vec::new(), fetched: AtomicUsize::new(0) }
    }

    fn add(&mut self, name: &str, files: &[(&str, &[u8])]) {
        let path = self.file(name);
        let mut zip = ZipWriter::new(File::create(&path).unwrap());
        for (name, bytes) in files {
            zip.start_file(*name, SimpleFileOptions::default().unix_permissions(0o644)).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap();
        let sha256 = format!("{:x}", Sha256::digest(fs::read(&path).unwrap()));
        self.wheels.push(Wheel { name: name.into(), version: "1.0".into(), sha256 });
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(format!("{}-1.0-py3-none-any.whl", name.replace('-', "_")))
    }
}

impl Fetch for Shelf {
    fn fetch(&self, _: &[Wheel], folder: &Path) -> Result<()> {
        self.fetched.fetch_add(1, Ordering::SeqCst);
        // Long enough for a second installation to arrive meanwhile.
        thread::sleep(Duration::from_millis(50));
        for entry in fs::read_dir(self.folder.path())? {
            let entry = entry?;
            fs::copy(entry.path(), folder.join(entry.file_name()))?;
        }
        Ok(())
    }
}

/// Returns the names in the target's parent, apart from the lock.
fn left_beside(target: &Path) -> Vec<String> {
    let entries = fs::read_dir(target.parent().unwrap()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| !name.ends_with(".lock")).collect()
}

/// Installs and expects an error; says that nothing at all is left.
fn refused(shelf: &Shelf) -> String {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("cuda");
    let error = install(&shelf.wheels, shelf, &target).unwrap_err();
    assert_eq!(left_beside(&target), [""; 0]);
    format!("{error:#}")
}

/// The folder comes from the environment where another test runs this one, in a process of its own.
#[test]
fn a_whole_set_of_wheels_becomes_a_toolkit() {
    let place = tempfile::tempdir().unwrap();
    let target = env::var_os("TOOLKIT_TEST_TARGET").map_or_else(|| place.path().join("cuda"), PathBuf::from);
    let shelf = Shelf::new();
    if let Err(error) = install(&shelf.wheels, &shelf, &target) {
        panic!("{error:#}");
    }
    assert_eq!(left_beside(&target), ["cuda"]);
    let marker = fs::read_to_string(target.join(MARKER)).unwrap();
    assert!(marker.contains(&shelf.wheels[1].sha256), "{marker}");
    assert!(Command::new(target.join("bin/nvcc")).status().unwrap().success(), "the run bit is back");
    assert_eq!(fs::read(target.join("lib/large.a")).unwrap().len(), LARGE);
    assert_eq!(fs::read_to_string(target.join("licenses/test-nvcc/License.txt")).unwrap(), "terms");
    assert!(!target.join("RECORD").exists());

    assert_eq!(install(&shelf.wheels, &shelf, &target).unwrap(), Installed::Already);
    assert_eq!(shelf.fetched.load(Ordering::SeqCst), 1);

    assert!(uninstall(&target).unwrap());
    assert!(!uninstall(&target).unwrap(), "nothing is left to remove");
    assert_eq!(left_beside(&target), [""; 0]);
}

#[test]
fn a_toolkit_from_before_a_wheel_was_added_gets_it() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("cuda");
    let mut shelf = Shelf::new();
    assert_eq!(install(&shelf.wheels, &shelf, &target).unwrap(), Installed::Now);
    let large = target.join("lib/large.a");
    let before = fs::metadata(&large).unwrap().modified().unwrap();

    shelf.add("test-nvrtc", &[("nvidia/cu13/lib/libnvrtc.so.13", b"x"), ("nvidia/cu13/lib/libnvrtc.alt.so.13", b"y")]);
    let good = shelf.wheels.clone();
    shelf.wheels[2].sha256 = "0".repeat(64);
    let message = format!("{:#}", install(&shelf.wheels, &shelf, &target).unwrap_err());
    assert!(message.contains("wrong sha256"), "{message}");
    assert!(is_complete(&target) && !target.join("lib/libnvrtc.so.13").exists());

    shelf.wheels = good;
    assert_eq!(install(&shelf.wheels, &shelf, &target).unwrap(), Installed::Completed);
    assert_eq!(fs::read(target.join("lib/libnvrtc.so.13")).unwrap(), b"x");
    assert!(!target.join("lib/libnvrtc.alt.so.13").exists());
    assert_eq!(fs::metadata(&large).unwrap().modified().unwrap(), before, "the rest is as it was");
    assert_eq!(left_beside(&target), ["cuda"]);
    assert_eq!(install(&shelf.wheels, &shelf, &target).unwrap(), Installed::Already);
}

#[test]
fn a_file_with_another_hash_is_refused() {
    let shelf = Shelf::new();
    let mut bytes = fs::read(shelf.file("test-runtime")).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(shelf.file("test-runtime"), bytes).unwrap();
    let message = refused(&shelf);
    assert!(message.contains("nothing was installed"), "{message}");
    assert!(message.contains("test_runtime-1.0-py3-none-any.whl"), "{message}");
    assert!(message.contains("wrong sha256"), "{message}");
}

#[test]
fn a_file_that_was_cut_short_is_refused() {
    let shelf = Shelf::new();
    let file = File::options().write(true).open(shelf.file("test-nvcc")).unwrap();
    file.set_len(file.metadata().unwrap().len() - 10).unwrap();
    assert!(refused(&shelf).contains("wrong sha256"));
}

#[test]
fn a_wheel_that_does_not_come_is_named() {
    let shelf = Shelf::new();
    fs::remove_file(shelf.file("test-runtime")).unwrap();
    assert!(refused(&shelf).contains("no wheel came for test-runtime 1.0"));
}

#[test]
fn an_nvcc_that_does_not_run_here_is_not_installed() {
    let mut shelf = Shelf::empty();
    shelf.add("test-nvcc", &[("nvidia/cu13/bin/nvcc", b"\x7fELF for another machine")]);
    assert!(refused(&shelf).contains("the unpacked nvcc does not work"));
}

#[test]
fn no_wheel_writes_outside_its_tree() {
    let mut shelf = Shelf::empty();
    shelf.add("test-nvcc", &[("nvidia/cu13/../../../../escaped", b"")]);
    assert!(refused(&shelf).contains("a path that leaves it"));
}

#[test]
fn a_folder_of_someone_elses_is_left_as_it_is() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("mine");
    fs::create_dir(&target).unwrap();
    fs::write(target.join("thesis.txt"), "years").unwrap();
    let shelf = Shelf::new();
    assert!(install(&shelf.wheels, &shelf, &target).is_err());
    assert!(uninstall(&target).is_err());
    assert_eq!(fs::read_to_string(target.join("thesis.txt")).unwrap(), "years");
}

#[test]
fn of_two_installations_at_once_one_waits_for_the_other() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("cuda");
    let shelf = Shelf::new();
    let results: Vec<Installed> = thread::scope(|scope| {
        let start = || scope.spawn(|| install(&shelf.wheels, &shelf, &target).unwrap());
        let running = [start(), start()];
        running.map(|thread| thread.join().unwrap()).into()
    });
    assert!(results.contains(&Installed::Now) && results.contains(&Installed::Already), "{results:?}");
    assert_eq!(shelf.fetched.load(Ordering::SeqCst), 1);
    assert!(is_complete(&target));
}

/// Runs the whole installation in a process of its own, by way of a shell that may first take something away from it.
fn install_under(shell: &str, target: &Path) -> Output {
    Command::new("sh")
        .arg("-c")
        .arg(format!("{shell} exec \"$0\" --exact a_whole_set_of_wheels_becomes_a_toolkit --nocapture"))
        .arg(env::current_exe().unwrap())
        .env("TOOLKIT_TEST_TARGET", target)
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A limit on the size of files stops the large library at a quarter or a half, with an error from `write`.
#[test]
fn no_room_for_a_file_leaves_nothing_and_says_so() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("cuda");
    let output = install_under("trap '' XFSZ; ulimit -f 2048;", &target);
    let text = text(&output);
    assert!(!output.status.success(), "{text}");
    assert!(text.contains("nothing was installed"), "{text}");
    assert!(text.contains("Free some space"), "{text}");
    assert!(text.contains("large.a"), "{text}");
    assert_eq!(left_beside(&target), [""; 0]);
}

/// The same limit, and the signal that comes with it kills the process in the middle of the file.
#[test]
fn a_killed_installation_is_not_used_and_the_next_one_clears_it_away() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("cuda");
    let output = install_under("ulimit -c 0; ulimit -f 2048;", &target);
    assert!(output.status.code().is_none(), "killed, not failed: {}", text(&output));
    assert!(!is_complete(&target));
    assert!(matches!(&left_beside(&target)[..], [name] if name.contains("staging")), "{:?}", left_beside(&target));

    let shelf = Shelf::new();
    assert_eq!(install(&shelf.wheels, &shelf, &target).unwrap(), Installed::Now);
    assert_eq!(left_beside(&target), ["cuda"]);
}

/// A file system of one megabyte, where this user may mount one.
#[test]
fn a_full_disk_leaves_nothing_and_says_so() {
    let place = tempfile::tempdir().unwrap();
    let disk = place.path().join("disk");
    fs::create_dir(&disk).unwrap();
    let mount = format!("mount -t tmpfs -o size=1m none '{}'", disk.display());
    let allowed = Command::new("unshare").args(["--user", "--map-root-user", "--mount", "sh", "-c", &mount]).output();
    if !allowed.is_ok_and(|output| output.status.success()) {
        skipped::because(skipped::MOUNTS, "this user may not mount a small file system");
        return;
    }
    let list = format!("ls -A '{}'", disk.display());
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c"])
        .arg(format!(
            "{mount} && ! \"$0\" --exact a_whole_set_of_wheels_becomes_a_toolkit --nocapture && echo \"left: \
             $({list})\""
        ))
        .arg(env::current_exe().unwrap())
        .env("TOOLKIT_TEST_TARGET", disk.join("cuda"))
        .output()
        .unwrap();
    let text = text(&output);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("No space left on device"), "{text}");
    assert!(text.contains("Free some space"), "{text}");
    assert!(text.contains("left: .cuda.lock\n"), "{text}");
}
