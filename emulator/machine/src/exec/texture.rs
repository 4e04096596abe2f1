//! `tex`, `tld4` and `txq` (PTX ISA, "Texture Instructions"), with a texture object's handle in a register.
//!
//! Left out, and refused: named texture references, multisampled textures, offsets, depth comparison, residency,
//! results of half precision.

pub use super::op::image::{ImageOp, ImagePlace, Locate, LodOperand, Outside, Queried, Query, Sample};
use super::op::{IS_WHOLE, Op};
use crate::decode::{Decoder, Modifiers, Refused};
use crate::image::point::Geometry;
use crate::registers::{Reg, Width};
use ptx::ast::{Instruction, Operand, Type};

pub const OPCODES: &[&str] = &["tex", "tld4", "txq", "suq"];

pub fn decode(instruction: &Instruction, decoder: &mut Decoder) -> Result<Op, Refused> {
    if !IS_WHOLE {
        return Err(Refused::unsupported());
    }
    let mut modifiers = Modifiers::new(&instruction.modifiers);
    let op = match instruction.opcode.as_str() {
        "tex" | "tld4" => ImageOp::Sample(sample(instruction, decoder, &mut modifiers)?),
        _ => ImageOp::Query(query(instruction, decoder, &mut modifiers)?),
    };
    modifiers.finish()?;
    Ok(Op::Image(Box::new(op)))
}

fn sample(instruction: &Instruction, decoder: &mut Decoder, modifiers: &mut Modifiers) -> Result<Sample, Refused> {
    let gathers = match instruction.opcode.as_str() {
        "tld4" => Some(channel(modifiers)?),
        _ => None,
    };
    // The number of operands that select the mipmap level.
    let lods = match modifiers.take_one_of(&["base", "level", "grad"]) {
        None | Some("base") => 0,
        Some("level") => 1,
        Some(_) => 2,
    };
    let geometry = geometry(modifiers)?;
    let is_flat = matches!(geometry, Geometry::D2 | Geometry::A2);
    if !modifiers.take("v4") || gathers.is_some() && !is_flat && !geometry.is_cube() {
        return Err(Refused::unsupported());
    }
    let ty = modifiers.ty()?;
    let is_integer = match modifiers.ty()? {
        Type::S32 => true,
        Type::F32 => false,
        _ => return Err(Refused::unsupported()),
    };
    if !matches!(ty, Type::F32 | Type::S32 | Type::U32) || is_integer && (gathers.is_some() || geometry.is_cube()) {
        return Err(Refused::unsupported());
    }
    if instruction.operands.len() != 2 + lods {
        return Err(Refused::unsupported());
    }
    let place = place(&instruction.operands[1], geometry, decoder)?;
    let lod = match &instruction.operands[2..] {
        [level] => LodOperand::Level(decoder.source(level, Type::B32)?),
        [a, b] => LodOperand::Gradients([gradient(a, geometry, decoder)?, gradient(b, geometry, decoder)?]),
        _ => LodOperand::Base,
    };
    let mut dst = [Reg::NONE; 4];
    let Operand::Vector(written) = &instruction.operands[0] else { return Err(Refused::unsupported()) };
    if written.len() != 4 {
        return Err(Refused::malformed("a texture instruction has four results"));
    }
    for (reg, operand) in dst.iter_mut().zip(written) {
        *reg = decoder.dest(operand, ty)?;
    }
    let mut words = || [(); 4].map(|()| decoder.scratch(Width::Word));
    let (texel, seen) = (words(), words());
    Ok(Sample { place, is_integer, gathers, lod, dst, address: decoder.scratch(Width::Double), texel, seen })
}

fn channel(modifiers: &mut Modifiers) -> Result<usize, Refused> {
    let all = ["r", "g", "b", "a"];
    let taken = modifiers.take_one_of(&all).ok_or_else(Refused::unsupported)?;
    all.iter().position(|name| *name == taken).ok_or_else(Refused::unsupported)
}

/// Takes the geometry. Multisampled ones are none of those.
pub fn geometry(modifiers: &mut Modifiers) -> Result<Geometry, Refused> {
    modifiers.take_map(Geometry::parse).ok_or_else(Refused::unsupported)
}

/// `[handle, {layer, x, y, z}]`. Vectors of three coordinates have a fourth element that nobody reads.
pub fn place(operand: &Operand, geometry: Geometry, decoder: &mut Decoder) -> Result<ImagePlace, Refused> {
    let Operand::Bracket(parts) = operand else { return Err(Refused::unsupported()) };
    let [handle @ Operand::Register(_), coordinates] = &parts[..] else { return Err(Refused::unsupported()) };
    let handle = decoder.source(handle, Type::B64)?;
    let layers = usize::from(geometry.is_layered());
    let given = coordinates_of(coordinates, layers + geometry.axes(), decoder)?;
    let mut coordinate = |at: usize| decoder.source(&given[at], Type::B32);
    let layer = if layers == 1 { coordinate(0)? } else { Reg::NONE };
    let mut all = [Reg::NONE; 3];
    for (axis, reg) in all.iter_mut().enumerate().take(geometry.axes()) {
        *reg = coordinate(layers + axis)?;
    }
    Ok(ImagePlace { geometry, handle, layer, coordinates: all })
}

/// `{x, y, z}`: the change of each coordinate.
fn gradient(operand: &Operand, geometry: Geometry, decoder: &mut Decoder) -> Result<[Reg; 3], Refused> {
    let given = coordinates_of(operand, geometry.axes(), decoder)?;
    let mut all = [Reg::NONE; 3];
    for (reg, operand) in all.iter_mut().zip(&given).take(geometry.axes()) {
        *reg = decoder.source(operand, Type::B32)?;
    }
    Ok(all)
}

/// The elements of an operand: as many as are wanted, or one more where that makes four.
fn coordinates_of(operand: &Operand, wanted: usize, decoder: &mut Decoder) -> Result<Vec<Operand>, Refused> {
    let given = match operand {
        Operand::Vector(list) => list.clone(),
        Operand::Register(id) => decoder.elements(*id).unwrap_or_else(|| vec![operand.clone()]),
        one => vec![one.clone()],
    };
    if given.len() != wanted && given.len() != wanted.next_power_of_two() {
        return Err(Refused::malformed(format!("{} coordinates where {wanted} belong", given.len())));
    }
    Ok(given)
}

fn query(instruction: &Instruction, decoder: &mut Decoder, modifiers: &mut Modifiers) -> Result<Query, Refused> {
    let what = modifiers.take_map(|name| {
        Some(match name {
            "width" => Queried::Size(0),
            "height" => Queried::Size(1),
            "depth" | "array_size" => Queried::Size(2),
            "normalized_coords" => Queried::NormalizedCoordinates,
            _ => return None,
        })
    });
    let what = what.ok_or_else(Refused::unsupported)?;
    let is_surface = instruction.opcode == "suq";
    if is_surface && what == Queried::NormalizedCoordinates || !modifiers.take("b32") {
        return Err(Refused::unsupported());
    }
    decoder.arity(instruction, 2..=2)?;
    let dst = decoder.dest(&instruction.operands[0], Type::B32)?;
    let address = decoder.address(&instruction.operands[1])?;
    if address.named.is_some() || address.offset != 0 || address.base.width != Width::Double {
        return Err(Refused::unsupported());
    }
    Ok(Query { handle: address.base, is_surface, what, dst })
}

#[cfg(test)]
mod tests {
    use crate::exec::harness::refused;

    #[test]
    fn what_is_left_out_is_refused() {
        let four = "{%f1, %f2, %f3, %f4}";
        for text in [
            &format!("tex.2d.v4.f32.f32 {four}, [%d1, {{%f1}}]"),
            &format!("tex.2d.v4.f32.f32 {four}, [%r1, {{%f1, %f2}}]"),
            &format!("tex.2dms.v4.f32.s32 {four}, [%d1, {{%r1, %r2}}]"),
            &format!("tex.2d.v4.f32.f32 {four}, [%d1, {{%f1, %f2}}], {{%r1, %r2}}"),
            &format!("tex.cube.v4.f32.s32 {four}, [%d1, {{%r1, %r2, %r3, %r3}}]"),
            &format!("tex.2d.v4.f16.f32 {four}, [%d1, {{%f1, %f2}}]"),
            &format!("tld4.r.1d.v4.f32.f32 {four}, [%d1, {{%f1}}]"),
            &format!("tld4.2d.v4.f32.f32 {four}, [%d1, {{%f1, %f2}}]"),
            "tex.2d.v4.f32.f32 {%f1, %f2}, [%d1, {%f1, %f2}]",
            "txq.filter_mode.b32 %r1, [%d1]",
            "suq.normalized_coords.b32 %r1, [%d1]",
        ] {
            refused(text);
        }
    }
}
