//! Claims of a kernel file's `// PTX` lines about the PTX that nvcc made of it, and whether they hold.
//!
//! A bug in the source is only a bug if the compiler keeps it. The grammar is in `cuda/README.md`.

use crate::table::kernel_file::KernelFile;
use emulator::ptx;
use emulator::ptx::ast::{Function, Immediate, Instruction, Module, Operand};

/// The way in which the PTX was compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// `-O3`: a claim holds word for word.
    Optimised,
    /// `-G`: state spaces and operands are not looked at, since every value lives in local memory and every address is
    /// generic.
    Debug,
}

/// One `// PTX` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub kernel: String,
    items: Vec<ClaimItem>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum ClaimItem {
    /// The next instruction of this form.
    Then(Pattern),
    /// None before the next item's.
    Not(Pattern),
    /// None in the whole kernel.
    Never(Pattern),
}

/// `atom|red.global.add 1`
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pattern {
    opcodes: Vec<String>,
    modifiers: Vec<String>,
    last_operand: Option<i64>,
    text: String,
}

/// Every claim in the comment that opens a kernel file.
pub fn claims(source: &str) -> Result<Vec<Claim>, String> {
    source
        .lines()
        .map_while(|line| line.strip_prefix("//"))
        .filter_map(|comment| comment.trim_start().strip_prefix("PTX "))
        .map(|claim| {
            let (kernel, items) = claim.split_once(':').ok_or_else(|| format!("no kernel's name in `PTX {claim}`"))?;
            let items = items.split(';').map(|item| ClaimItem::parse(item.trim())).collect::<Result<_, _>>()?;
            Ok(Claim { kernel: kernel.trim().to_string(), items })
        })
        .collect()
}

/// Checks every claim of `file` against `ptx`, which this build of it gave. `Err` names the first that does not hold.
///
/// At `-O3` a broken kernel's claim must also fail for its correct twin, or it does not name the bug.
pub fn verify(file: &KernelFile, ptx: &str, build: Build) -> Result<Vec<Claim>, String> {
    let at = |why: String| format!("{}: {why}", file.source_path);
    let module = ptx::parse(ptx).map_err(|error| at(error.to_string()))?;
    let claims = claims(file.source).map_err(at)?;
    for claim in &claims {
        claim.holds(&module, build).map_err(at)?;
        if build == Build::Optimised
            && let Some(stem) = claim.kernel.strip_suffix("_broken")
            && claim.holds_for(&format!("{stem}_correct"), &module, build).is_ok()
        {
            return Err(at(format!("what is claimed of {} holds for its correct twin too", claim.kernel)));
        }
    }
    Ok(claims)
}

impl ClaimItem {
    fn parse(text: &str) -> Result<ClaimItem, String> {
        Ok(match text.split_once(' ') {
            Some(("not", pattern)) => ClaimItem::Not(Pattern::parse(pattern)?),
            Some(("never", pattern)) => ClaimItem::Never(Pattern::parse(pattern)?),
            _ => ClaimItem::Then(Pattern::parse(text)?),
        })
    }
}

impl Pattern {
    fn parse(text: &str) -> Result<Pattern, String> {
        let (instruction, operand) = match text.split_once(' ') {
            Some((instruction, operand)) => {
                let operand =
                    operand.trim().parse().map_err(|_| format!("`{operand}` in `{text}` is no whole number"))?;
                (instruction, Some(operand))
            }
            None => (text, None),
        };
        let mut words = instruction.split('.').map(String::from);
        let opcodes: Vec<String> = words.next().unwrap_or_default().split('|').map(String::from).collect();
        let modifiers: Vec<String> = words.collect();
        if opcodes.iter().chain(&modifiers).any(String::is_empty) {
            return Err(format!("`{text}` is no instruction"));
        }
        Ok(Pattern { opcodes, modifiers, last_operand: operand, text: text.to_string() })
    }

    fn names_a_space(&self) -> bool {
        self.modifiers.iter().any(|word| is_space(word))
    }

    fn matches(&self, instruction: &Instruction, build: Build) -> bool {
        if !self.opcodes.contains(&instruction.opcode) {
            return false;
        }
        // A search that goes on where the last one ended: in this order, others between them.
        let mut there = instruction.modifiers.iter();
        let wanted = self.modifiers.iter().filter(|word| build == Build::Optimised || !is_space(word));
        let has_modifiers = wanted.into_iter().all(|word| there.any(|modifier| modifier == word));
        has_modifiers
            && (build == Build::Debug
                || self.last_operand.is_none_or(|value| {
                    instruction.operands.last() == Some(&Operand::Immediate(Immediate::Int(value)))
                }))
    }
}

fn is_space(word: &str) -> bool {
    ["global", "shared", "local", "const", "param"].contains(&word)
}

impl Claim {
    /// `Err` names the item that does not hold.
    pub fn holds(&self, module: &Module, build: Build) -> Result<(), String> {
        self.holds_for(&self.kernel, module, build)
    }

    /// True if another kernel of the module fulfils this claim.
    pub fn holds_for(&self, kernel: &str, module: &Module, build: Build) -> Result<(), String> {
        let function = module
            .functions
            .iter()
            .find(|function| function.is_kernel && function.name == kernel)
            .ok_or_else(|| format!("there is no kernel `{kernel}`"))?;
        let mut instructions = Vec::new();
        inline(function, module, &mut vec![&function.name], &mut instructions);

        let mut rest = &instructions[..];
        let mut absent: Vec<&Pattern> = Vec::new();
        for item in &self.items {
            match item {
                ClaimItem::Not(pattern) | ClaimItem::Never(pattern)
                    if build == Build::Debug && pattern.names_a_space() => {}
                ClaimItem::Not(pattern) => absent.push(pattern),
                ClaimItem::Never(pattern) => none(pattern, &instructions, build, "in the kernel")?,
                ClaimItem::Then(pattern) => {
                    let at = rest
                        .iter()
                        .position(|instruction| pattern.matches(instruction, build))
                        .ok_or_else(|| format!("`{kernel}` has no `{}` where it is claimed", pattern.text))?;
                    let place = format!("before `{}`", pattern.text);
                    absent.drain(..).try_for_each(|pattern| none(pattern, &rest[..at], build, &place))?;
                    rest = &rest[at + 1..];
                }
            }
        }
        absent.into_iter().try_for_each(|pattern| none(pattern, rest, build, "up to the end"))
    }
}

fn none(pattern: &Pattern, among: &[&Instruction], build: Build, place: &str) -> Result<(), String> {
    match among.iter().find(|instruction| pattern.matches(instruction, build)) {
        None => Ok(()),
        Some(found) => Err(format!("line {} of the PTX has a `{}` {place}", found.line, pattern.text)),
    }
}

/// The function's instructions, each call followed by those of the function called. A recursive call is left alone.
fn inline<'a>(function: &'a Function, module: &'a Module, open: &mut Vec<&'a str>, out: &mut Vec<&'a Instruction>) {
    for instruction in function.body.iter().flat_map(|body| &body.instructions) {
        out.push(instruction);
        if instruction.opcode != "call" {
            continue;
        }
        let callee = instruction.operands.iter().find_map(|operand| match operand {
            // A function may be declared before it is defined.
            Operand::Symbol { name, .. } => module.functions.iter().find(|f| f.name == *name && f.body.is_some()),
            _ => None,
        });
        if let Some(callee) = callee.filter(|callee| !open.contains(&callee.name.as_str())) {
            open.push(&callee.name);
            inline(callee, module, open, out);
            open.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PTX: &str = "
.version 8.0
.target sm_75
.address_size 64
.func helper();
.func helper()
{
    bar.sync 0;
    ret;
}
.visible .entry plain(.param .u64 p)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [p];
    ld.global.nc.u32 %r1, [%rd1];
    add.s32 %r2, %r1, 1;
    st.global.u32 [%rd1], %r2;
    ret;
}
.visible .entry calls(.param .u64 p)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [p];
    ld.u32 %r1, [%rd1];
    call.uni helper, ();
    atom.inc.u32 %r2, [%rd1], 1;
    ret;
}
";

    fn result(claim: &str, build: Build) -> Result<(), String> {
        let module = ptx::parse(PTX).unwrap();
        claims(&format!("// PTX       {claim}\n")).unwrap()[0].holds(&module, build)
    }

    #[test]
    fn items_match_in_order_and_modifiers_may_have_others_between() {
        assert_eq!(result("plain: ld.global.u32; add; st.global", Build::Optimised), Ok(()));
        assert!(result("plain: st.global; add", Build::Optimised).is_err());
        assert!(result("plain: ld.u32.global", Build::Optimised).is_err());
        assert!(result("plain: ld.shared", Build::Optimised).is_err());
        assert_eq!(result("plain: atom|add", Build::Optimised), Ok(()));
    }

    #[test]
    fn not_is_about_the_gap_and_never_about_the_kernel() {
        assert_eq!(result("plain: ld.global; not bar; st.global; never bar", Build::Optimised), Ok(()));
        assert!(result("plain: ld.global; not add; st.global", Build::Optimised).is_err());
        assert_eq!(result("plain: add; not add; st.global", Build::Optimised), Ok(()));
        assert!(result("plain: add; not st", Build::Optimised).is_err());
        assert!(result("plain: st; never add", Build::Optimised).is_err());
    }

    #[test]
    fn calls_are_followed() {
        assert_eq!(result("calls: ld; bar.sync; atom", Build::Optimised), Ok(()));
        assert!(result("calls: ld.u32; not bar; atom", Build::Optimised).is_err());
    }

    #[test]
    fn the_last_operand_can_be_told() {
        assert_eq!(result("calls: atom.inc 1", Build::Optimised), Ok(()));
        assert!(result("calls: atom.inc -1", Build::Optimised).is_err());
        assert_eq!(result("calls: atom.inc -1", Build::Debug), Ok(()));
    }

    #[test]
    fn a_debug_build_has_no_state_spaces() {
        assert!(result("calls: ld.global.u32", Build::Optimised).is_err());
        assert_eq!(result("calls: ld.param; ld.global.u32", Build::Debug), Ok(()));
        assert_eq!(result("plain: never st.global", Build::Debug), Ok(()));
        assert!(result("plain: never add", Build::Debug).is_err());
    }

    #[test]
    fn malformed_claims_are_refused() {
        for bad in ["plain ld", "plain: ", "plain: ld..u32", "plain: atom.inc one", "plain: ld; ; st"] {
            assert!(claims(&format!("// PTX       {bad}\n")).is_err(), "{bad}");
        }
        assert_eq!(claims("// Idea x\nint y;\n// PTX       not a claim\n"), Ok(vec![]));
    }
}
