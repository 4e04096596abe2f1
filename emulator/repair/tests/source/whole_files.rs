//! Edits in every line of the lessons' kernels.

use crate::text::{barrier, place};
use finding::{AtomicAccess, Edit, Scope};
use repair::source::{SourceFile, apply};
use std::path::PathBuf;

/// The sources of the lessons' kernels, and their headers.
fn sources() -> Vec<PathBuf> {
    let pattern = concat!(env!("CARGO_MANIFEST_DIR"), "/../../cuda/lesson*/**/*.cu*");
    glob::glob(pattern).expect("a pattern").map(|path| path.expect("a folder that can be read")).collect()
}

/// A barrier in every gap of every kernel: nothing else changes, and what comes out has the same gaps between more
/// statements.
#[test]
fn what_is_inserted_changes_nothing_else() {
    let mut inserted = 0;
    for path in sources() {
        let text = std::fs::read_to_string(&path).unwrap();
        let source = SourceFile::parse(&text).unwrap();
        let gaps = source.boundaries(1, u32::MAX);
        for position in gaps.iter().flat_map(|gap| gap.positions("k.cu")) {
            let edits = source.text_edits("k", &[barrier(position)]).unwrap();
            assert!(edits.iter().all(|edit| edit.start == edit.end), "{}: {edits:?}", path.display());
            let new: String = edits.iter().map(|edit| edit.text.as_str()).collect();
            let new = new.replace("__syncthreads();", "").replace(['{', '}'], "");
            assert_eq!(new.trim(), "", "{}", path.display());
            let result = apply(&text, &edits);
            assert_eq!(result.matches("__syncthreads();").count(), text.matches("__syncthreads();").count() + 1);
            inserted += 1;
        }
        let all = gaps.iter().map(|gap| barrier(gap.positions("k.cu")[0].clone()));
        let edits = source.text_edits("k", &all.collect::<Vec<_>>()).unwrap();
        let result = apply(&text, &edits);
        let more = SourceFile::parse(&result).unwrap().boundaries(1, u32::MAX).len();
        assert!(more >= 2 * gaps.len(), "{}: {more}, {}:\n{result}", path.display(), gaps.len());
    }
    assert!(inserted > 500, "{inserted}");
}

/// Every edit at every line of the lessons' kernels: refused, or a text that is read again and has the same kernels.
#[test]
fn no_edit_breaks_a_text() {
    let mut fit = std::collections::BTreeMap::new();
    for path in sources() {
        let text = std::fs::read_to_string(&path).unwrap();
        let source = SourceFile::parse(&text).unwrap();
        let kernel = text.split("__global__ void ").nth(1).and_then(|rest| rest.split('(').next()).unwrap_or_default();
        for (line, words) in (1u32..).zip(text.lines()) {
            let begin = words.len() - words.trim_start().len() + 1;
            for column in [begin as u32, words.len() as u32 / 2 + 1] {
                let at = place(line, column);
                let edits = [
                    Edit::MakeAtomic { at: at.clone(), access: AtomicAccess::Load },
                    Edit::MakeAtomic { at: at.clone(), access: AtomicAccess::Store },
                    Edit::MakeAtomic { at: at.clone(), access: AtomicAccess::Update { operation: None } },
                    Edit::WidenScope { at: at.clone(), to: Scope::System },
                    Edit::ChangeMask { at: at.clone(), mask: 1 },
                    Edit::ChangeWidth { at: at.clone(), width: 2 },
                    Edit::BoundIndex { at: at.clone(), below: Some(2) },
                    Edit::RemoveBarrier { at: at.clone() },
                    Edit::Hoist {
                        at: at.clone(),
                        above: place(source.branches(line).first().map_or(line, |branch| branch.at.line), 1),
                    },
                    Edit::UseReturned { at: place(line + 1, 1), of: at },
                ];
                for edit in edits {
                    let Ok(changed) = source.text_edits(kernel, std::slice::from_ref(&edit)) else { continue };
                    let result = apply(&text, &changed);
                    assert_ne!(result, text, "{}: {edit:?}", path.display());
                    let again = SourceFile::parse(&result).unwrap_or_else(|_| panic!("{}: {edit:?}", path.display()));
                    assert_eq!(again.parameters(kernel), source.parameters(kernel), "{}: {edit:?}", path.display());
                    *fit.entry(edit.kind()).or_insert(0) += 1;
                }
            }
        }
    }
    assert!(fit.len() >= 9, "{fit:?}");
}
