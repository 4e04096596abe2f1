//! `suld.b`, `sust.b` and `sured.b` (PTX ISA, "Surface Instructions") become the address of the access and an access of
//! global memory there. So bounds, undefined values and races are judged as for any access.
//!
//! Left out, and refused: `sust.p`, named surface references, surfaces of another geometry than those that textures
//! have.

use super::replacement::{Replacement, number};
use crate::exec::IS_WHOLE;
use crate::exec::surface::LOCATE;
use crate::image::point::Geometry;
use ptx::ast::{Base, Guard, Instruction, Operand, RegId, Type};

pub fn concerns(instruction: &Instruction) -> bool {
    IS_WHOLE && matches!(instruction.opcode.as_str(), "suld" | "sust" | "sured")
}

/// The modifiers of an access.
struct Access<'a> {
    geometry: &'a str,
    /// For `sured`.
    operation: Option<&'a str>,
    vector: Option<&'a str>,
    ty: Type,
    outside: &'a str,
}

impl Access<'_> {
    fn parse<'a>(opcode: &str, modifiers: &'a [String]) -> Option<Access<'a>> {
        let mut rest = modifiers.iter().map(String::as_str).peekable();
        rest.next().filter(|form| *form == "b")?;
        let operation = (opcode == "sured").then(|| rest.next()).flatten();
        let geometry = rest.next().filter(|name| Geometry::parse(name).is_some_and(|geometry| !geometry.is_cube()))?;
        // Cache operators change no value.
        while rest.next_if(|name| ["ca", "cg", "cs", "cv", "wb", "wt"].contains(name)).is_some() {}
        let vector = rest.next_if(|name| ["v2", "v4"].contains(name));
        let ty = rest.next().and_then(Type::parse)?;
        let outside = rest.next().filter(|name| ["trap", "clamp", "zero"].contains(name))?;
        rest.next().is_none().then_some(Access { geometry, operation, vector, ty, outside })
    }

    fn elements(&self) -> u32 {
        match self.vector {
            Some("v2") => 2,
            Some(_) => 4,
            None => 1,
        }
    }

    /// `ld.global.v4.b32`
    fn instruction(&self, opcode: &str) -> String {
        let vector = self.vector.map_or(String::new(), |vector| format!(".{vector}"));
        let ty = self.ty;
        match (opcode, self.operation) {
            ("suld", _) => format!("ld.global{vector}.{ty}"),
            ("sust", _) => format!("st.global{vector}.{ty}"),
            (_, operation) => format!("red.relaxed.gpu.global.{}.{ty}", operation.unwrap_or_default()),
        }
    }
}

/// Replaces an access to a surface. Returns `None` for any other instruction and for forms that are not supported.
pub fn of(instruction: &Instruction, steps: &mut Replacement) -> Option<()> {
    if !concerns(instruction) {
        return None;
    }
    let opcode = instruction.opcode.as_str();
    let access = Access::parse(opcode, &instruction.modifiers)?;
    let [first, second] = &instruction.operands[..] else { return None };
    let (place, values) = if opcode == "suld" { (second, first) } else { (first, second) };
    let Operand::Bracket(parts) = place else { return None };
    let values: Vec<Operand> = match values {
        Operand::Vector(all) => all.clone(),
        one => vec![one.clone()],
    };
    if !matches!(parts[0], Operand::Register(_)) || values.len() != access.elements() as usize {
        return None;
    }
    let Operand::Register(address) = steps.register(Type::B64) else { return None };
    let is_inside = match access.outside {
        "zero" => Some(predicate(steps)?),
        _ => None,
    };
    let bytes = access.ty.bytes() * access.elements();
    let locate = format!("{LOCATE}.{}.{bytes}.{}.{opcode}", access.geometry, access.outside);
    let inside = is_inside.map_or(Operand::Sink, Operand::Register);
    steps.push(&locate, vec![Operand::Register(address), inside, place.clone()]);
    if let Some(register) = is_inside {
        if opcode == "suld" {
            values.iter().for_each(|value| zero(value, steps));
        }
        steps.guard = Some(Guard { register, negated: false });
    }
    let at = Operand::Address { base: Base::Register(address), offset: 0 };
    let written = if values.len() == 1 { values[0].clone() } else { Operand::Vector(values) };
    let operands = if opcode == "suld" { vec![written, at] } else { vec![at, written] };
    steps.push(&access.instruction(opcode), operands);
    Some(())
}

/// A predicate that is false in lanes that the instruction's guard holds back.
fn predicate(steps: &mut Replacement) -> Option<RegId> {
    let predicate = steps.register(Type::Pred);
    let guard = steps.guard.take();
    steps.push("setp.ne.u32", vec![predicate.clone(), number(0), number(0)]);
    steps.guard = guard;
    match predicate {
        Operand::Register(id) => Some(id),
        _ => None,
    }
}

fn zero(to: &Operand, steps: &mut Replacement) {
    let Operand::Register(id) = to else { return };
    let bits = 8 * steps.registers[id.0 as usize].ty.bytes();
    steps.push(&format!("mov.b{bits}"), vec![to.clone(), number(0)]);
}
