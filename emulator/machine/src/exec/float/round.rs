//! One rounding, into any format and direction (PTX ISA, "Rounding Modifiers").
//!
//! A result is first computed in `f64` to its nearest *odd* neighbour: if the exact value is
//! no `f64`, the one of the two around it whose last bit is 1. That bit says "and a little
//! more". So a later rounding to at most 51 bits, in any direction, comes out as if from the
//! exact value. Sums, products, quotients and roots of `f32` and narrower formats all go this
//! way; `f64` itself has no wider type to lean on and goes through [`super::exact`].
//! Everything here is free of branches, so that a loop over 32 lanes vectorises.

/// `.rn`, `.rz`, `.rm`, `.rp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    Nearest,
    Zero,
    Down,
    Up,
}

impl Rounding {
    /// `.rn` and its kin.
    pub fn parse(name: &str) -> Option<Rounding> {
        Some(match name {
            "rn" => Rounding::Nearest,
            "rz" => Rounding::Zero,
            "rm" => Rounding::Down,
            "rp" => Rounding::Up,
            _ => return None,
        })
    }

    /// `.rni` and its kin: to an integer.
    pub fn parse_integral(name: &str) -> Option<Rounding> {
        Rounding::parse(name.strip_suffix('i')?)
    }
}

/// A rounding known when a lane function is compiled.
pub trait RoundingMode: Copy + 'static {
    const ROUNDING: Rounding;
}

#[derive(Clone, Copy)]
pub struct Nearest;
#[derive(Clone, Copy)]
pub struct TowardZero;
#[derive(Clone, Copy)]
pub struct Down;
#[derive(Clone, Copy)]
pub struct Up;

impl RoundingMode for Nearest {
    const ROUNDING: Rounding = Rounding::Nearest;
}
impl RoundingMode for TowardZero {
    const ROUNDING: Rounding = Rounding::Zero;
}
impl RoundingMode for Down {
    const ROUNDING: Rounding = Rounding::Down;
}
impl RoundingMode for Up {
    const ROUNDING: Rounding = Rounding::Up;
}

/// `$kernel` with `$mode` bound to the type that stands for `$rounding`.
macro_rules! by_rounding {
    ($rounding:expr, $mode:ident, $kernel:expr) => {
        match $rounding {
            $crate::exec::float::round::Rounding::Nearest => {
                type $mode = $crate::exec::float::round::Nearest;
                $kernel
            }
            $crate::exec::float::round::Rounding::Zero => {
                type $mode = $crate::exec::float::round::TowardZero;
                $kernel
            }
            $crate::exec::float::round::Rounding::Down => {
                type $mode = $crate::exec::float::round::Down;
                $kernel
            }
            $crate::exec::float::round::Rounding::Up => {
                type $mode = $crate::exec::float::round::Up;
                $kernel
            }
        }
    };
}
pub(in crate::exec) use by_rounding;

/// A binary format with an implicit leading bit, subnormals included.
pub trait FloatFormat: Copy + 'static {
    /// Bits behind the point.
    const FRACTION: i64;
    /// Exponent of the least normal number.
    const LEAST: i64;
    /// Largest finite number.
    const MOST: f64;
}

/// `f32`.
#[derive(Clone, Copy)]
pub struct Single;

impl FloatFormat for Single {
    const FRACTION: i64 = 23;
    const LEAST: i64 = -126;
    const MOST: f64 = f32::MAX as f64;
}

/// To the integer that `M` says; zeros, infinities and NaNs stay.
#[inline(always)]
pub fn integral<M: RoundingMode>(x: f64) -> f64 {
    match M::ROUNDING {
        Rounding::Nearest => x.round_ties_even(),
        Rounding::Zero => x.trunc(),
        Rounding::Down => x.floor(),
        Rounding::Up => x.ceil(),
    }
}

/// `x` as a number of format `F`: a whole multiple of what the last place weighs there.
#[inline(always)]
pub fn round<F: FloatFormat, M: RoundingMode>(x: f64) -> f64 {
    let exponent = (x.to_bits() >> 52 & 0x7ff) as i64 - 1023;
    let last = exponent.max(F::LEAST) - F::FRACTION;
    let power = |exponent: i64| f64::from_bits(((exponent + 1023) as u64) << 52);
    let rounded = integral::<M>(x * power(-last)) * power(last);
    let beyond = match M::ROUNDING {
        Rounding::Nearest => f64::INFINITY,
        Rounding::Zero => F::MOST,
        Rounding::Down => {
            if x < 0.0 {
                f64::INFINITY
            } else {
                F::MOST
            }
        }
        Rounding::Up => {
            if x < 0.0 {
                F::MOST
            } else {
                f64::INFINITY
            }
        }
    };
    let overflows = rounded.abs() > F::MOST && x.abs() < f64::INFINITY;
    if overflows { beyond.copysign(x) } else { rounded }
}

/// The odd neighbour of `value + error`, where `error` is what rounding to `value` left out.
#[inline(always)]
fn odd(value: f64, error: f64) -> f64 {
    let bits = value.to_bits();
    let away = (error > 0.0) == (value > 0.0);
    let stepped = if away { bits.wrapping_add(1) } else { bits.wrapping_sub(1) };
    // A comparison, not `!=`: the error of an infinite or invalid result is a NaN.
    let inexact = error.abs() > 0.0;
    f64::from_bits(if inexact && bits & 1 == 0 { stepped } else { bits })
}

/// `a + b`, to odd. Where the sum is zero, its sign is the one for rounding `M`.
#[inline(always)]
pub fn sum<M: RoundingMode>(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    let error = (a - a_part) + (b - b_part);
    let negative_zero = M::ROUNDING == Rounding::Down && sum == 0.0 && !(a.is_sign_positive() && b.is_sign_positive());
    if negative_zero { -0.0 } else { odd(sum, error) }
}

/// `a * b`: exact for factors of at most 26 bits.
#[inline(always)]
pub fn product(a: f64, b: f64) -> f64 {
    a * b
}

/// `a / b`, to odd.
#[inline(always)]
pub fn quotient(a: f64, b: f64) -> f64 {
    let quotient = a / b;
    let remainder = (-quotient).mul_add(b, a);
    odd(quotient, if b < 0.0 { -remainder } else { remainder })
}

/// The square root, to odd.
#[inline(always)]
pub fn root(x: f64) -> f64 {
    let root = x.sqrt();
    odd(root, (-root).mul_add(root, x))
}

/// `high * 2^32 + low`, to odd: a 64-bit integer by halves.
#[inline(always)]
pub fn integer(high: f64, low: u32) -> f64 {
    sum::<Nearest>(high * 4_294_967_296.0, f64::from(low))
}

#[cfg(test)]
mod tests;
