//! Pointees of a kernel's parameters, as far as its mangled C++ name says (Itanium C++ ABI, "Mangling").
//!
//! A C name, or one with expressions in it, says nothing.

use crate::code::Pointee;

/// By parameter; those missing at the end are unknown.
pub fn of_parameters(mangled: &str) -> Vec<Pointee> {
    let all =
        mangled.strip_prefix("_Z").and_then(|rest| MangledReader { rest, seen: Vec::new(), deep: 0 }.parameters());
    let pointee = |ty: Ty| match ty {
        Ty::Pointer(to) => to.pointee(),
        _ => Pointee::Unknown,
    };
    all.unwrap_or_default().into_iter().map(pointee).collect()
}

#[derive(Clone, Debug)]
enum Ty {
    Basic(u64),
    Structure,
    Pointer(Box<Ty>),
    /// `void`, or a type that a name alone does not give the size of.
    Other,
}

impl Ty {
    fn pointee(&self) -> Pointee {
        match self {
            Ty::Basic(bytes) => Pointee::Bytes(*bytes),
            Ty::Pointer(_) => Pointee::Bytes(8),
            Ty::Structure => Pointee::Structure,
            Ty::Other => Pointee::Unknown,
        }
    }
}

struct MangledReader<'a> {
    rest: &'a str,
    /// The types that `S_`, `S0_` and so on stand for.
    seen: Vec<Ty>,
    /// Types that the one being read stands in.
    deep: u32,
}

/// Types in types: anybody may write a name.
const DEEPEST: u32 = 64;

impl<'a> MangledReader<'a> {
    fn take(&mut self, start: &str) -> bool {
        let rest = self.rest.strip_prefix(start);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn next(&mut self) -> Option<char> {
        let next = self.rest.chars().next()?;
        self.rest = &self.rest[next.len_utf8()..];
        Some(next)
    }

    fn parameters(mut self) -> Option<Vec<Ty>> {
        let mut arguments = None;
        if self.rest.starts_with('N') {
            arguments = self.nested(false)?;
        } else {
            self.take("L");
            self.name()?;
            if self.rest.starts_with('I') {
                self.seen.push(Ty::Other);
                arguments = Some(self.arguments()?);
            }
        }
        if let Some(arguments) = &arguments {
            // The mangled name of a template begins with the type of its result.
            self.ty(arguments)?;
        }
        let mut all = Vec::new();
        while !self.rest.is_empty() && !self.rest.starts_with('.') {
            all.push(self.ty(arguments.as_deref().unwrap_or_default())?);
        }
        Some(all)
    }

    /// `4name`.
    fn name(&mut self) -> Option<&'a str> {
        let digits = self.rest.find(|c: char| !c.is_ascii_digit())?;
        let length: usize = self.rest[..digits].parse().ok()?;
        let end = digits.checked_add(length)?;
        let name = self.rest.get(digits..end)?;
        self.rest = &self.rest[end..];
        Some(name)
    }

    /// `I...E`.
    fn arguments(&mut self) -> Option<Vec<Ty>> {
        self.take("I").then_some(())?;
        let mut all = Vec::new();
        while !self.take("E") {
            if self.take("L") {
                // A number.
                let (_, rest) = self.rest.split_once('E')?;
                self.rest = rest;
                all.push(Ty::Other);
            } else {
                all.push(self.ty(&[])?);
            }
        }
        Some(all)
    }

    /// `N...E`; the arguments of its last part. The whole is seen as a type only.
    fn nested(&mut self, is_type: bool) -> Option<Option<Vec<Ty>>> {
        self.take("N").then_some(())?;
        let (mut arguments, mut begun) = (None, false);
        while !self.take("E") {
            arguments = None;
            if self.rest.starts_with('I') {
                arguments = Some(self.arguments()?);
            } else if self.take("St") {
                begun = true;
                continue;
            } else if self.rest.starts_with('S') && !begun {
                self.substituted()?;
                begun = true;
                continue;
            } else {
                self.take("L");
                self.name()?;
            }
            begun = true;
            if is_type || !self.rest.starts_with('E') {
                self.seen.push(Ty::Structure);
            }
        }
        Some(arguments)
    }

    /// `S_`, `S0_`.
    fn substituted(&mut self) -> Option<Ty> {
        self.take("S").then_some(())?;
        let (number, rest) = self.rest.split_once('_')?;
        self.rest = rest;
        let at = if number.is_empty() { 0 } else { usize::from_str_radix(number, 36).ok()?.checked_add(1)? };
        self.seen.get(at).cloned()
    }

    /// `arguments` are the function's own, which `T_` stands for.
    fn ty(&mut self, arguments: &[Ty]) -> Option<Ty> {
        self.deep += 1;
        let found = if self.deep <= DEEPEST { self.one_type(arguments) } else { None };
        self.deep -= 1;
        found
    }

    fn one_type(&mut self, arguments: &[Ty]) -> Option<Ty> {
        let first = self.rest.chars().next()?;
        let found = match first {
            'P' | 'R' | 'O' => {
                self.next();
                Ty::Pointer(Box::new(self.ty(arguments)?))
            }
            'r' | 'V' | 'K' => {
                // Qualifiers of one type count as one.
                while self.rest.starts_with(['r', 'V', 'K']) {
                    self.next();
                }
                self.ty(arguments)?
            }
            'T' => {
                self.next();
                let (number, rest) = self.rest.split_once('_')?;
                self.rest = rest;
                let at = if number.is_empty() { 0 } else { number.parse::<usize>().ok()?.checked_add(1)? };
                arguments.get(at).cloned().unwrap_or(Ty::Other)
            }
            'N' => {
                self.nested(true)?;
                return Some(Ty::Structure);
            }
            'S' => {
                let is_standard = self.take("St");
                let found = if is_standard { self.structure()? } else { self.substituted()? };
                if is_standard {
                    self.seen.push(found.clone());
                }
                if !self.rest.starts_with('I') {
                    return Some(found);
                }
                self.arguments()?;
                Ty::Structure
            }
            '0'..='9' => {
                let found = self.structure()?;
                if self.rest.starts_with('I') {
                    self.seen.push(Ty::Other);
                    self.arguments()?;
                }
                found
            }
            _ => {
                self.next();
                return Some(match first {
                    'b' | 'c' | 'a' | 'h' => Ty::Basic(1),
                    's' | 't' => Ty::Basic(2),
                    'i' | 'j' | 'f' | 'w' => Ty::Basic(4),
                    // These have 8 bytes where CUDA runs on Linux.
                    'l' | 'm' | 'x' | 'y' | 'd' => Ty::Basic(8),
                    'n' | 'o' => Ty::Basic(16),
                    'v' => Ty::Other,
                    _ => return None,
                });
            }
        };
        self.seen.push(found.clone());
        Some(found)
    }

    /// A type with a name of its own; those of CUDA's are known that have one number.
    fn structure(&mut self) -> Option<Ty> {
        Some(match self.name()? {
            "__half" | "__nv_bfloat16" => Ty::Basic(2),
            "__nv_fp8_e4m3" | "__nv_fp8_e5m2" => Ty::Basic(1),
            _ => Ty::Structure,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Pointee::{Bytes, Structure, Unknown};

    #[test]
    fn a_mangled_name_tells_numbers_from_structures() {
        for (mangled, want) in [
            ("_Z4moveP1Pi", vec![Structure, Unknown]),
            ("_Z1kPiPKfPhPVy", vec![Bytes(4), Bytes(4), Bytes(1), Bytes(8)]),
            ("_Z3addPKfS0_Pf", vec![Bytes(4); 3]),
            ("_Z3runP4NodePiS1_S1_", vec![Structure, Bytes(4), Bytes(4), Bytes(4)]),
            ("_Z4copyPK6float4PS_PvPPi", vec![Structure, Structure, Unknown, Bytes(8)]),
            ("_Z5scaleIfEvPT_S1_j", vec![Bytes(4), Bytes(4), Unknown]),
            ("_Z1kI1PLi4EEvPT_Pi", vec![Structure, Bytes(4)]),
            ("_ZN4mine5scaleIiEEvPT_", vec![Bytes(4)]),
            ("_ZN4mine4fillEPNS_4PairEPd", vec![Structure, Bytes(8)]),
            ("_Z1kPN4cuda6atomicIiLNS_12thread_scopeE1EEEPi", vec![Structure, Bytes(4)]),
            ("_Z1kP6__half5ArrayIiEPS2_", vec![Bytes(2), Unknown, Structure]),
            ("_ZL4mainPi.1", vec![Bytes(4)]),
            ("reverse", vec![]),
            ("_Z1kPFvvE", vec![]),
            ("_Z", vec![]),
        ] {
            assert_eq!(of_parameters(mangled), want, "{mangled}");
        }
    }

    #[test]
    fn a_name_that_nobody_mangled_says_nothing() {
        let deep = format!("_Z1k{}i", "P".repeat(100_000));
        for name in [&deep, "_Z1kIiEvT18446744073709551615_", "_Z1kPiS3W5E11264SGSF_", "_Z1kIIIIII", "_Z9k", "_Z1kS_"] {
            assert!(of_parameters(name).iter().all(|it| *it == Unknown), "{}", &name[..20.min(name.len())]);
        }
    }
}
