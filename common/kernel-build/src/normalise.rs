//! Makes nvcc's PTX the same on every machine: same source, same nvcc, same bytes.
//!
//! Three things in the PTX depend on where it was made, and only those are changed.
//!
//! - `.file` lines carry absolute paths. Project files become relative to the repository's root, the toolkit's headers
//!   `<cuda>/include/...`, and the host compiler's `<host>/name.h`.
//! - Names of internal functions carry a "module id", eight hexadecimal digits that nvcc derives from the working
//!   folder too: `_ZN28_INTERNAL_dca20d19_5_t1_cu_...`. It becomes one derived from the source's relative path. The
//!   same names stand in the debug strings, spelled as lists of numbers.
//! - With `-G` debug sections describe every variable, and name the working folder. They are left out, and with them
//!   the `debug` of `.target`, which promises them; the strings stay, because `.loc` refers to them.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

use sha2::{Digest, Sha256};

/// The texts that nvcc puts right before the module id.
const BEFORE_ID: [&[u8]; 2] = [b"_INTERNAL_", b"_GLOBAL__N__"];

/// For statics under `-rdc=true`: `__nv_static_28__dca20d19_5_t1_cu_...`.
const BEFORE_STATIC: &[u8] = b"__nv_static_";

enum PtxLine {
    Text(Vec<u8>),
    /// The bytes of a debug string, which nvcc prints as `.b8` lists.
    Bytes(Vec<u8>),
}

/// The file that nvcc was given, and what the PTX is to call it, relative to the root.
#[derive(Clone, Copy)]
pub struct CompiledFile<'a> {
    pub file: &'a Path,
    pub called: &'a str,
}

/// `root` is absolute.
pub fn ptx(text: &str, root: &Path, nvcc: &Path, source: CompiledFile<'_>) -> String {
    // The folder above nvcc's `bin`.
    let toolkit = lexical(nvcc.ancestors().nth(2).unwrap_or(nvcc));
    let mut lines = read(text, root, &toolkit, source);
    let id = lines.iter().find_map(|line| match line {
        PtxLine::Text(bytes) | PtxLine::Bytes(bytes) => module_id(bytes),
    });
    if let Some(id) = id {
        let stable = format!("{:x}", Sha256::digest(source.called.as_bytes()));
        for line in &mut lines {
            let (PtxLine::Text(bytes) | PtxLine::Bytes(bytes)) = line;
            replace_id(bytes, &id, &stable.as_bytes()[..8]);
        }
    }
    let mut out = String::with_capacity(text.len());
    for line in &lines {
        match line {
            PtxLine::Text(bytes) => {
                out.push_str(&String::from_utf8_lossy(bytes));
                out.push('\n');
            }
            PtxLine::Bytes(bytes) => print_bytes(bytes, &mut out),
        }
    }
    out
}

/// Returns nvcc's message, with the machine's folders taken out as in PTX.
pub fn message(text: &str, root: &Path, nvcc: &Path) -> String {
    let folder = |path: &Path, below: &str| format!("{}/{below}", path.display());
    let bin = nvcc.parent().unwrap_or(nvcc);
    let toolkit = lexical(nvcc.ancestors().nth(2).unwrap_or(nvcc));
    // nvcc spells its own headers as `bin/..//include/`.
    text.replace(&folder(bin, "..//"), "<cuda>/")
        .replace(&folder(&toolkit, ""), "<cuda>/")
        .replace(&folder(root, ""), "")
}

fn read(text: &str, root: &Path, toolkit: &Path, source: CompiledFile<'_>) -> Vec<PtxLine> {
    let mut lines = Vec::new();
    let mut input = text.lines().peekable();
    while let Some(line) = input.next() {
        if is_left_out(line) {
            input.by_ref().find(|line| line.trim() == "}");
            continue;
        }
        let line = if line.starts_with(".target") { line.trim_end_matches(", debug") } else { line };
        let portable = file_line(line, root, toolkit, source);
        lines.push(PtxLine::Text(portable.unwrap_or_else(|| line.to_string()).into_bytes()));
        if line.starts_with("$L__info_string") {
            let mut bytes = Vec::new();
            while let Some(list) = input.next_if(|next| next.starts_with(".b8 ")) {
                bytes.extend(list[4..].split(',').filter_map(|byte| byte.trim().parse::<u8>().ok()));
            }
            lines.push(PtxLine::Bytes(bytes));
        }
    }
    lines
}

/// The head of a debug section other than the strings.
fn is_left_out(line: &str) -> bool {
    let name = line.trim_start().strip_prefix(".section").map(str::trim);
    name.is_some_and(|name| name.starts_with(".debug_") && name != ".debug_str")
}

/// Forty to a line, as nvcc does.
fn print_bytes(bytes: &[u8], out: &mut String) {
    for chunk in bytes.chunks(40) {
        let list: Vec<String> = chunk.iter().map(u8::to_string).collect();
        out.push_str(".b8 ");
        out.push_str(&list.join(","));
        out.push('\n');
    }
}

/// `.file 1 "path"` with the path made portable; a time stamp and size behind it are dropped.
fn file_line(line: &str, root: &Path, toolkit: &Path, source: CompiledFile<'_>) -> Option<String> {
    if !line.trim_start().starts_with(".file") {
        return None;
    }
    let (head, rest) = line.split_once('"')?;
    let path = lexical(&root.join(unescaped(rest.split('"').next()?)));
    // A full toolkit has its headers in targets/<platform>/include, the fetched one in include.
    let below = path.strip_prefix(toolkit).ok().and_then(Path::to_str);
    let header = below.and_then(|below| below.split_once("include/")).map(|(_, header)| header);
    let portable = if let Some(header) = header {
        format!("<cuda>/include/{header}")
    } else if path == lexical(&root.join(source.file)) {
        source.called.to_string()
    } else if let Ok(below) = path.strip_prefix(root) {
        escaped(below)
    } else {
        format!("<host>/{}", path.file_name().unwrap_or_default().to_string_lossy())
    };
    Some(format!("{head}\"{portable}\""))
}

/// nvcc writes each byte of a name that is no ASCII as three octal digits: `a\303\261o` for `año`.
fn unescaped(text: &str) -> PathBuf {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((&first, others)) = rest.split_first() {
        let digits = others.get(..3).and_then(|digits| str::from_utf8(digits).ok()).filter(|_| first == b'\\');
        let octal = digits.and_then(|digits| u8::from_str_radix(digits, 8).ok());
        bytes.push(octal.unwrap_or(first));
        rest = if octal.is_some() { &others[3..] } else { others };
    }
    OsString::from_vec(bytes).into()
}

/// As nvcc would write it.
fn escaped(path: &Path) -> String {
    let bytes = path.as_os_str().as_bytes().iter();
    bytes.map(|&byte| if byte.is_ascii() { char::from(byte).to_string() } else { format!("\\{byte:03o}") }).collect()
}

/// `a/b/../c` as `a/c`, so that one file has one name. By the letter: links are not followed.
pub(crate) fn lexical(path: &Path) -> PathBuf {
    let mut flat = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                flat.pop();
            }
            Component::CurDir => {}
            other => flat.push(other),
        }
    }
    flat
}

fn module_id(bytes: &[u8]) -> Option<[u8; 8]> {
    let id_at = |start: usize| -> Option<[u8; 8]> {
        let id: [u8; 8] = bytes.get(start..start + 8)?.try_into().ok()?;
        let whole = id.iter().all(u8::is_ascii_hexdigit) && bytes.get(start + 8) == Some(&b'_');
        whole.then_some(id)
    };
    (0..bytes.len()).find_map(|start| {
        let rest = &bytes[start..];
        if let Some(before) = BEFORE_ID.iter().find(|before| rest.starts_with(before)) {
            return id_at(start + before.len());
        }
        let digits = rest.strip_prefix(BEFORE_STATIC)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let end = start + BEFORE_STATIC.len() + digits;
        bytes[end..].starts_with(b"__").then(|| id_at(end + 2))?
    })
}

/// Replaces `_<id>_`; the underscores keep a number that happens to have these digits as it is.
fn replace_id(bytes: &mut [u8], id: &[u8; 8], stable: &[u8]) {
    for start in 1..bytes.len().saturating_sub(8) {
        if bytes[start..].starts_with(id) && bytes[start - 1] == b'_' && bytes[start + 8] == b'_' {
            bytes[start..start + 8].copy_from_slice(stable);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str) -> String {
        let source = CompiledFile { file: Path::new("/var/scratch/t.cu"), called: "cuda/l/t.cu" };
        ptx(text, Path::new("/srv/course"), Path::new("/opt/nv/bin/nvcc"), source)
    }

    #[test]
    fn debug_sections_go_and_their_strings_stay() {
        let text = ".target sm_80, debug\n\t.section\t.debug_info\n\t{\n.b8 47,116\n\t}\n\t.section\t.debug_str\n\
            \t{\n.b8 1\n\t}\n";
        assert_eq!(run(text), ".target sm_80\n\t.section\t.debug_str\n\t{\n.b8 1\n\t}\n");
    }

    #[test]
    fn messages_name_no_machine() {
        let text =
            "cuda/a.cu(2): error: x\n/opt/nv/bin/..//include/b.h(3): note\n/opt/nv/include/c.h\n/me/repo/d.cu(1)\n";
        assert_eq!(
            message(text, Path::new("/me/repo"), Path::new("/opt/nv/bin/nvcc")),
            "cuda/a.cu(2): error: x\n<cuda>/include/b.h(3): note\n<cuda>/include/c.h\nd.cu(1)\n"
        );
    }

    #[test]
    fn no_path_of_this_machine_is_left() {
        for (given, want) in [
            ("/srv/course/cuda/l/t.cu", "cuda/l/t.cu"),
            ("cuda/l/t.cu", "cuda/l/t.cu"),
            ("/var/scratch/t.cu", "cuda/l/t.cu"),
            ("/srv/course/cuda/l/../h.cuh", "cuda/h.cuh"),
            ("/opt/nv/bin/..//include/crt/a.hpp", "<cuda>/include/crt/a.hpp"),
            ("/opt/nv/bin/../targets/x86_64-linux/include/a.h", "<cuda>/include/a.h"),
            ("/usr/include/c++/12/bits/move.h", "<host>/move.h"),
        ] {
            assert_eq!(run(&format!("\t.file\t1 \"{given}\", 17, 4")), format!("\t.file\t1 \"{want}\"\n"));
        }
    }

    #[test]
    fn a_folder_may_have_any_name() {
        let source = CompiledFile { file: Path::new("cuda/l/t.cu"), called: "cuda/l/t.cu" };
        let in_folder = |line: &str| ptx(line, Path::new("/srv/año nuevo"), Path::new("/opt/nv/bin/nvcc"), source);
        let given = r#"	.file	1 "/srv/a\303\261o nuevo/cuda/t\303\251.cu""#;
        assert_eq!(in_folder(given), "\t.file\t1 \"cuda/t\\303\\251.cu\"\n");
        assert_eq!(unescaped(r"a\b\9"), Path::new(r"a\b\9"));
    }

    #[test]
    fn the_module_id_is_the_same_in_names_and_in_debug_strings() {
        let name = "_ZN26_INTERNAL_ID_4_t_cu_a1xE";
        let text = |id: &str| {
            let name = name.replace("ID", id);
            let mut text = format!("call {name};\nmov.f32 %f1, 0f{id};\n$L__info_string0:\n");
            print_bytes(format!("{name}\0").as_bytes(), &mut text);
            text
        };
        let (one, two) = (run(&text("dca20d19")), run(&text("1a41619d")));
        assert_eq!(one.replace("0fdca20d19", ""), two.replace("0f1a41619d", ""));
        assert!(one.contains("0fdca20d19"), "a number with the same digits is no id");
        let stable = one.split("_INTERNAL_").nth(1).unwrap()[..8].to_string();
        assert_eq!(one, text(&stable).replace(&format!("0f{stable}"), "0fdca20d19"));
    }

    #[test]
    fn statics_of_relocatable_code_and_unnamed_namespaces_carry_the_id_too() {
        assert_eq!(module_id(b"x __nv_static_28__dca20d19_5_t1_cu_a_x"), Some(*b"dca20d19"));
        assert_eq!(module_id(b"_GLOBAL__N__dca20d19_5_t1_cu"), Some(*b"dca20d19"));
        assert_eq!(module_id(b"_INTERNAL_short_"), None);
        assert_eq!(module_id(b"_INTERNAL_dca2"), None);
        assert_eq!(module_id(b"mov.u32 %r1, 1;"), None);
    }

    #[test]
    fn anything_else_passes_unchanged() {
        let text = "\n.version 9.0\n\t.loc\t1 3 0\n$L__info_string0:\n.b8 95,0\n\n\t}\n";
        assert_eq!(run(text), text);
    }
}
