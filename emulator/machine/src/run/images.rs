//! Texture reads, addresses in surfaces, and queries of both.
//!
//! A texture read loads each texel that has a weight, as any load of global memory: so bounds, undefined values and
//! races are judged there. A texel of weight 0 is not loaded. On a GPU texture reads go through a cache that a kernel's
//! own writes may not reach; the race checker is what tells.

use super::access::{self, AccessContext, ImageMisuse, InvalidAccess};
use super::warp::Warp;
use crate::exec::memory::{Load, MOST_ELEMENTS, Semantics};
use crate::exec::texture::{ImageOp, ImagePlace, Locate, LodOperand, Outside, Queried, Query, Sample};
use crate::exec::{Alu, IS_WHOLE};
use crate::image::filter::{self, Texel};
use crate::image::level::{LevelOfDetail, levels};
use crate::image::point::{Coordinates, Footprint, footprint};
use crate::image::{Image, Sampler};
use crate::lanes::{Args, unary};
use crate::memory::space::Space;
use crate::registers::{Mask, Reg, Registers, WARP, lanes};
use crate::watch::{Watch, flow};
use finding::AccessKind;

/// Runs an instruction for the lanes in `mask`. On an error, the lanes outside [`InvalidAccess::remaining`] are done.
pub fn run<W: Watch>(
    cx: &mut AccessContext<W>,
    warp: &mut Warp<W>,
    op: &ImageOp,
    mask: Mask,
) -> Result<(), InvalidAccess> {
    // Not decoded in the browser, whose pages carry each byte of this.
    if !IS_WHOLE {
        return Ok(());
    }
    let handles = handles(&warp.regs, op.handle());
    let mut rest = mask;
    while rest != 0 {
        let first = rest.trailing_zeros() as usize;
        let handle = handles[first];
        let same = lanes(rest).filter(|&lane| handles[lane] == handle).fold(0, |all, lane| all | 1 << lane);
        let done = of_object(cx, warp, op, handle, same);
        done.map_err(|invalid| InvalidAccess { remaining: rest, ..invalid })?;
        rest &= !same;
    }
    Ok(())
}

fn handles(regs: &Registers, reg: Reg) -> [u64; WARP] {
    std::array::from_fn(|lane| regs.get(reg, lane))
}

/// For lanes that have the same handle.
fn of_object<W: Watch>(
    cx: &mut AccessContext<W>,
    warp: &mut Warp<W>,
    op: &ImageOp,
    handle: u64,
    mask: Mask,
) -> Result<(), InvalidAccess> {
    let lane = mask.trailing_zeros() as usize;
    let images = &cx.launch.memory.images;
    let is_surface = match op {
        ImageOp::Sample(_) => false,
        ImageOp::Locate(_) => true,
        ImageOp::Query(it) => it.is_surface,
    };
    let found = if is_surface { images.surface(handle) } else { images.texture(handle).map(|(image, _)| image) };
    let kind = if let ImageOp::Locate(it) = op { it.kind } else { AccessKind::Load };
    let Some(image) = found else {
        return Err(invalid(lane, 1, kind, ImageMisuse::NoObject { is_surface, handle }));
    };
    match op {
        ImageOp::Sample(it) => sample(cx, warp, it, image, mask),
        ImageOp::Locate(it) => locate(cx, warp, it, image, mask),
        ImageOp::Query(it) => {
            query(cx, warp, it, image, mask);
            Ok(())
        }
    }
}

fn invalid(lane: usize, bytes: u64, kind: AccessKind, misuse: ImageMisuse) -> InvalidAccess {
    let (space, remaining) = (Space::Global, 0);
    InvalidAccess { lane, space, address: 0, bytes, misaligned: false, kind, remaining, image: Some(misuse) }
}

/// The texels of one lane in one mipmap level.
#[derive(Clone, Copy, Default)]
struct LevelRead {
    level: usize,
    footprint: Footprint,
}

fn sample<W: Watch>(
    cx: &mut AccessContext<W>,
    warp: &mut Warp<W>,
    op: &Sample,
    image: &Image,
    mask: Mask,
) -> Result<(), InvalidAccess> {
    let Some(sampler) = &image.sampler else { return Ok(()) };
    let reads: Vec<[LevelRead; 2]> = (0..WARP).map(|lane| reads(&warp.regs, op, image, sampler, lane, mask)).collect();
    if W::ON {
        op.seen.iter().for_each(|&reg| cx.watch.define(&mut warp.watch, &warp.regs, reg, mask));
    }
    let mut texels = vec![Vec::new(); WARP];
    for nth_level in 0..2 {
        for nth in 0..8 {
            load_texels(cx, warp, op, image, (&reads, nth_level, nth), &mut texels)?;
        }
    }
    write(cx, warp, op, (image, sampler), &texels, mask);
    Ok(())
}

/// Loads texel number `nth` of each lane's footprint, in the first or the second of its levels.
fn load_texels<W: Watch>(
    cx: &mut AccessContext<W>,
    warp: &mut Warp<W>,
    op: &Sample,
    image: &Image,
    (reads, nth_level, nth): (&[[LevelRead; 2]], usize, usize),
    texels: &mut [Vec<Texel>],
) -> Result<(), InvalidAccess> {
    let touched = |lane: usize| reads[lane][nth_level].footprint[nth];
    let of_lanes = || (0..WARP).map(|lane| (lane, touched(lane))).filter(|(_, it)| it.weight != 0);
    let inside = of_lanes().filter(|(_, it)| it.at.is_some()).fold(0, |all, (lane, _)| all | 1 << lane);
    let texel_bytes = image.texel_bytes();
    load(cx, warp, op, image, inside, |lane| {
        image.levels[reads[lane][nth_level].level].address_of(touched(lane).at.unwrap_or_default(), texel_bytes)
    })?;
    for (lane, touched) in of_lanes() {
        let bits = touched.at.map(|_| op.texel.map(|reg| warp.regs.get(reg, lane) as u32));
        texels[lane].push(Texel { nth, is_of_second_level: nth_level == 1, weight: touched.weight, bits });
    }
    Ok(())
}

/// Writes the results.
fn write<W: Watch>(
    cx: &mut AccessContext<W>,
    warp: &mut Warp<W>,
    op: &Sample,
    (image, sampler): (&Image, &Sampler),
    texels: &[Vec<Texel>],
    mask: Mask,
) {
    if W::ON {
        for (channel, &reg) in op.dst.iter().enumerate() {
            let of = op.seen[op.gathers.unwrap_or(channel)];
            cx.watch.alu(&mut warp.watch, &warp.regs, &made_of(reg, [of, Reg::NONE]), mask);
        }
    }
    for lane in lanes(mask) {
        let result = filter::result(image, sampler, &texels[lane], op.gathers);
        op.dst.iter().zip(result).for_each(|(&reg, value)| warp.regs.set(reg, lane, value.into()));
    }
}

fn reads(regs: &Registers, op: &Sample, image: &Image, sampler: &Sampler, lane: usize, mask: Mask) -> [LevelRead; 2] {
    if mask >> lane & 1 == 0 {
        return [LevelRead::default(); 2];
    }
    let (layer, at) = coordinates(regs, &op.place, lane);
    let place = at.map(f32::from_bits);
    let coordinates = match op.is_integer {
        true => Coordinates::Integer(at.map(|bits| bits as i32)),
        false => Coordinates::Float(place),
    };
    let (geometry, gathers) = (op.place.geometry, op.gathers.is_some());
    let get = |reg: Reg| if reg.is_some() { regs.get(reg, lane) as u32 } else { 0 };
    let chosen = match op.lod {
        // A gather is of the largest level.
        _ if gathers => [(0, 256), (0, 0)],
        LodOperand::Base => levels(image, sampler, LevelOfDetail::Base, geometry, place),
        LodOperand::Level(reg) if op.is_integer => {
            levels(image, sampler, LevelOfDetail::Integer(get(reg) as i32), geometry, place)
        }
        LodOperand::Level(reg) => {
            levels(image, sampler, LevelOfDetail::Level(f32::from_bits(get(reg))), geometry, place)
        }
        LodOperand::Gradients(gradients) => {
            let gradients = gradients.map(|gradient| gradient.map(|reg| f32::from_bits(get(reg))));
            levels(image, sampler, LevelOfDetail::Gradients(gradients), geometry, place)
        }
    };
    chosen.map(|(level, whole)| match whole {
        0 => LevelRead::default(),
        _ => {
            let part = (&image.levels[level], whole);
            LevelRead { level, footprint: footprint(image, part, sampler, geometry, layer, coordinates, gathers) }
        }
    })
}

fn coordinates(regs: &Registers, place: &ImagePlace, lane: usize) -> (u32, [u32; 3]) {
    let get = |reg: Reg| if reg.is_some() { regs.get(reg, lane) as u32 } else { 0 };
    (get(place.layer), place.coordinates.map(get))
}

/// Loads one texel in each lane of `mask`, and records what the result is made of.
fn load<W: Watch>(
    cx: &mut AccessContext<W>,
    warp: &mut Warp<W>,
    op: &Sample,
    image: &Image,
    mask: Mask,
    address: impl Fn(usize) -> u64,
) -> Result<(), InvalidAccess> {
    if mask == 0 {
        return Ok(());
    }
    lanes(mask).for_each(|lane| warp.regs.set(op.address, lane, address(lane)));
    if W::ON {
        cx.watch.define(&mut warp.watch, &warp.regs, op.address, mask);
    }
    let mut dst = [Reg::NONE; MOST_ELEMENTS];
    dst[..4].copy_from_slice(&op.texel);
    let load = Load {
        space: Space::Global,
        base: op.address,
        offset: 0,
        ty: image.channel.ty(),
        bytes: image.channel.bytes(),
        extend: 0,
        dst,
        elements: image.channels,
        semantics: Semantics::WEAK,
    };
    access::load(cx, warp, &load, mask)?;
    if W::ON {
        for (&seen, &texel) in op.seen.iter().zip(&op.texel).take(image.channels as usize) {
            cx.watch.alu(&mut warp.watch, &warp.regs, &made_of(seen, [seen, texel]), mask);
        }
    }
    Ok(())
}

/// The instruction that makes `d` of other registers, for the watcher: an undefined bit of them undefines all of `d`.
fn made_of(d: Reg, [a, b]: [Reg; 2]) -> Alu {
    Alu { kernel: unary(|a: u32| a), args: Args { d, a, b, ..Args::default() }, flow: flow::all }
}

fn locate<W: Watch>(
    cx: &mut AccessContext<W>,
    warp: &mut Warp<W>,
    op: &Locate,
    image: &Image,
    mask: Mask,
) -> Result<(), InvalidAccess> {
    let mut inside = 0;
    for lane in lanes(mask) {
        let at = coordinates(&warp.regs, &op.place, lane);
        match (located(op, image, at), op.outside) {
            (Ok(address), _) => {
                warp.regs.set(op.dst, lane, address);
                inside |= 1 << lane;
            }
            (Err(_), Outside::Zero) => {}
            (Err(outside), _) => return Err(invalid(lane, op.bytes.into(), op.kind, outside)),
        }
    }
    if op.is_inside.is_some() {
        warp.regs.set_pred(op.is_inside.index, inside, mask);
    }
    if W::ON {
        [op.dst, op.is_inside].into_iter().for_each(|reg| cx.watch.define(&mut warp.watch, &warp.regs, reg, mask));
    }
    Ok(())
}

/// The address of an access. The first coordinate counts bytes.
fn located(op: &Locate, image: &Image, (layer, at): (u32, [u32; 3])) -> Result<u64, ImageMisuse> {
    let (texel, level) = (image.texel_bytes(), image.base());
    let geometry = op.place.geometry;
    let mut inside = [0; 3];
    let mut settle = |axis: usize, at: i64, size: i64, to: usize| {
        inside[to] = match op.outside {
            Outside::Clamp => at.clamp(0, size.max(1) - 1),
            _ if (0..size).contains(&at) => at,
            _ => return Err(ImageMisuse::Outside { axis, at, size }),
        };
        Ok(())
    };
    // The last byte where an access may begin, and one more.
    let room = i64::from(level.size(0)) * i64::from(texel) - i64::from(op.bytes) + 1;
    let x = i64::from(at[0] as i32);
    settle(0, x, room, 0).map_err(|_| ImageMisuse::Outside { axis: 0, at: x, size: room - 1 + i64::from(op.bytes) })?;
    for (axis, &at) in at.iter().enumerate().take(geometry.axes()).skip(1) {
        settle(axis, i64::from(at as i32), level.size(axis).into(), axis)?;
    }
    if geometry.is_layered() {
        settle(3, i64::from(layer as i32), level.size(2).into(), 2)?;
    }
    let [x, y, z] = inside;
    Ok(level.address_of([0, y as u32, z as u32], texel).wrapping_add(x as u64))
}

fn query<W: Watch>(cx: &mut AccessContext<W>, warp: &mut Warp<W>, op: &Query, image: &Image, mask: Mask) {
    let value = match op.what {
        Queried::Size(axis) => image.base().extent[axis],
        Queried::NormalizedCoordinates => {
            image.sampler.is_some_and(|sampler| sampler.has_normalized_coordinates).into()
        }
    };
    if W::ON {
        cx.watch.define(&mut warp.watch, &warp.regs, op.dst, mask);
    }
    lanes(mask).for_each(|lane| warp.regs.set(op.dst, lane, value.into()));
}
