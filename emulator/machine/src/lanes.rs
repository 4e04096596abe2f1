//! Pure lane-by-lane functions, compiled once for any processor and once for AVX2 and FMA.
//!
//! `binary(|a: u32, b: u32| a.wrapping_add(b))` is the whole of an instruction: the
//! closure is instantiated inside a loop over 32 lanes, in both forms, and the form is
//! chosen when the kernel is decoded. Every lane is computed, the mask decides what is
//! kept; so a closure must be total (no panics, whatever the bits). Questions about a warp's addresses,
//! which are asked at every access, are compiled in both forms too.
//!
//! This is one of the emulator's two modules with `unsafe` (the other holds device memory).

use crate::registers::{Mask, Reg, RegisterValue, Registers, WARP};

/// Operands of a lane-by-lane instruction. What each means is up to its [`LaneFn`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Args {
    /// Result.
    pub d: Reg,
    /// Second result: `p|q`, a carry out.
    pub e: Reg,
    pub a: Reg,
    pub b: Reg,
    pub c: Reg,
    /// Fourth source: a predicate, a carry in.
    pub q: Reg,
    /// The operation that combines a comparison's outcome with `q`.
    pub combine: Combine,
}

/// The Boolean operator of `setp` and its kin, between the outcome and the predicate `q`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Combine {
    /// There is no `q`.
    #[default]
    Alone,
    And,
    Or,
    Xor,
    AndNot,
    OrNot,
    XorNot,
}

/// Computes an instruction for the lanes in a mask.
#[derive(Clone, Copy)]
pub struct LaneFn(unsafe fn(&mut Registers, &Args, Mask));

impl LaneFn {
    #[inline(always)]
    pub fn run(&self, file: &mut Registers, args: &Args, mask: Mask) {
        // SAFETY: `kernels!` hands out the AVX2 form only on a processor that has it.
        unsafe { (self.0)(file, args, mask) }
    }
}

impl std::fmt::Debug for LaneFn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Kernel")
    }
}

/// True where the faster form may run.
#[cfg(target_arch = "x86_64")]
#[inline]
fn has_avx2() -> bool {
    static HAS: std::sync::LazyLock<bool> = std::sync::LazyLock::new(|| {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("f16c")
    });
    *HAS
}

/// A value of a type that has no fields: the closure itself, which a function pointer cannot carry.
#[inline(always)]
fn conjure<F: Copy>() -> F {
    const { assert!(size_of::<F>() == 0, "a lane function must not capture anything") };
    // SAFETY: reading no bytes is sound at any aligned address, and the caller has shown a value of `F`.
    unsafe { std::ptr::NonNull::<F>::dangling().read() }
}

/// `name<types>(closure signature) |file, args, mask, f| body`: makes `pub fn name(f) -> Kernel`.
///
/// x86-64 has the loop once per closure for AVX2. A processor without it is rare: its form shares one loop among all
/// closures of the same types and calls the closure lane by lane. A loop per closure for it, too, is what took most of
/// this crate's time to compile. Elsewhere there is one form, with a loop per closure.
macro_rules! kernels {
    ($($(#[$doc:meta])* $name:ident<$($ty:ident),*>($($value:ident: $in:ty),*) -> $out:ty,
        |$file:ident, $args:ident, $mask:ident, $f:ident| $body:block)*) => {$(
        $(#[$doc])*
        pub fn $name<$($ty: RegisterValue,)* F: Fn($($in),*) -> $out + Copy + 'static>(_f: F) -> LaneFn {
            #[inline(always)]
            fn body<$($ty: RegisterValue,)*>(
                $file: &mut Registers, $args: &Args, $mask: Mask, $f: impl Fn($($in),*) -> $out,
            ) $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
            fn own_loop<$($ty: RegisterValue,)* F: Fn($($in),*) -> $out + Copy + 'static>(
                file: &mut Registers, args: &Args, mask: Mask,
            ) {
                body::<$($ty,)*>(file, args, mask, conjure::<F>())
            }
            #[cfg(not(target_arch = "x86_64"))]
            fn own_loop<$($ty: RegisterValue,)* F: Fn($($in),*) -> $out + Copy + 'static>(
                file: &mut Registers, args: &Args, mask: Mask,
            ) {
                body::<$($ty,)*>(file, args, mask, conjure::<F>())
            }

            #[cfg(target_arch = "x86_64")]
            #[inline(never)]
            fn one_loop<$($ty: RegisterValue,)*>(
                file: &mut Registers, args: &Args, mask: Mask, f: fn($($in),*) -> $out,
            ) {
                body::<$($ty,)*>(file, args, mask, f)
            }
            #[cfg(target_arch = "x86_64")]
            fn shared<$($ty: RegisterValue,)* F: Fn($($in),*) -> $out + Copy + 'static>(
                file: &mut Registers, args: &Args, mask: Mask,
            ) {
                one_loop::<$($ty,)*>(file, args, mask, |$($value),*| conjure::<F>()($($value),*))
            }
            #[cfg(target_arch = "x86_64")]
            if !has_avx2() {
                return LaneFn(shared::<$($ty,)* F>);
            }
            LaneFn(own_loop::<$($ty,)* F>)
        }
    )*};
}

kernels! {
    /// `d = f(a)`.
    unary<D, A>(a: A) -> D, |file, args, mask, f| {
        let a = A::load(file, args.a.index);
        let mut d = [D::default(); WARP];
        for lane in 0..WARP {
            d[lane] = f(a[lane]);
        }
        D::store(file, args.d.index, d, mask);
    }

    /// `d = f(a, b)`.
    binary<D, A, B>(a: A, b: B) -> D, |file, args, mask, f| {
        let a = A::load(file, args.a.index);
        let b = B::load(file, args.b.index);
        let mut d = [D::default(); WARP];
        for lane in 0..WARP {
            d[lane] = f(a[lane], b[lane]);
        }
        D::store(file, args.d.index, d, mask);
    }

    /// `d = f(a, b, c)`.
    ternary<D, A, B, C>(a: A, b: B, c: C) -> D, |file, args, mask, f| {
        let a = A::load(file, args.a.index);
        let b = B::load(file, args.b.index);
        let c = C::load(file, args.c.index);
        let mut d = [D::default(); WARP];
        for lane in 0..WARP {
            d[lane] = f(a[lane], b[lane], c[lane]);
        }
        D::store(file, args.d.index, d, mask);
    }

    /// `(d, e) = f(a, b, q)`: `q` carry in (a predicate; absent reads as false), `e` carry out (absent: dropped).
    with_carry<D, A, B>(a: A, b: B, q: bool) -> (D, bool), |file, args, mask, f| {
        let a = A::load(file, args.a.index);
        let b = B::load(file, args.b.index);
        let carry = if args.q.is_some() { file.pred(args.q.index) } else { 0 };
        let mut d = [D::default(); WARP];
        let mut out = 0;
        for lane in 0..WARP {
            let (value, carried) = f(a[lane], b[lane], carry >> lane & 1 != 0);
            d[lane] = value;
            out |= u32::from(carried) << lane;
        }
        D::store(file, args.d.index, d, mask);
        if args.e.is_some() {
            file.set_pred(args.e.index, out, mask);
        }
    }

    /// `(d, e) = f(a, b, c, q)`: the same with a third source.
    with_carry3<D, A, B, C>(a: A, b: B, c: C, q: bool) -> (D, bool), |file, args, mask, f| {
        let a = A::load(file, args.a.index);
        let b = B::load(file, args.b.index);
        let c = C::load(file, args.c.index);
        let carry = if args.q.is_some() { file.pred(args.q.index) } else { 0 };
        let mut d = [D::default(); WARP];
        let mut out = 0;
        for lane in 0..WARP {
            let (value, carried) = f(a[lane], b[lane], c[lane], carry >> lane & 1 != 0);
            d[lane] = value;
            out |= u32::from(carried) << lane;
        }
        D::store(file, args.d.index, d, mask);
        if args.e.is_some() {
            file.set_pred(args.e.index, out, mask);
        }
    }

    /// `d = f(a, b, q)`: `q` a predicate (selp).
    with_pred<D, A, B>(a: A, b: B, q: bool) -> D, |file, args, mask, f| {
        let a = A::load(file, args.a.index);
        let b = B::load(file, args.b.index);
        let q = file.pred(args.q.index);
        let mut d = [D::default(); WARP];
        for lane in 0..WARP {
            d[lane] = f(a[lane], b[lane], q >> lane & 1 != 0);
        }
        D::store(file, args.d.index, d, mask);
    }

    /// `d = f(a, b, c, q)`: four values.
    quaternary<D, A, B, C, Q>(a: A, b: B, c: C, q: Q) -> D, |file, args, mask, f| {
        let a = A::load(file, args.a.index);
        let b = B::load(file, args.b.index);
        let c = C::load(file, args.c.index);
        let q = Q::load(file, args.q.index);
        let mut d = [D::default(); WARP];
        for lane in 0..WARP {
            d[lane] = f(a[lane], b[lane], c[lane], q[lane]);
        }
        D::store(file, args.d.index, d, mask);
    }

    /// `d = f(a, b)` and `e = !f(a, b)`, each combined with predicate `q`.
    compare<A, B>(a: A, b: B) -> bool, |file, args, mask, f| {
        let a = A::load(file, args.a.index);
        let b = B::load(file, args.b.index);
        let holds = outcomes(|lane| f(a[lane], b[lane]));
        write_outcomes(file, args, holds, mask);
    }
}

#[inline(always)]
fn outcomes(holds: impl Fn(usize) -> bool) -> Mask {
    (0..WARP).fold(0, |mask, lane| mask | u32::from(holds(lane)) << lane)
}

#[inline(always)]
fn write_outcomes(file: &mut Registers, args: &Args, holds: Mask, mask: Mask) {
    let q = if args.q.is_some() { file.pred(args.q.index) } else { 0 };
    let meet = |outcome: Mask| match args.combine {
        Combine::Alone => outcome,
        Combine::And => outcome & q,
        Combine::Or => outcome | q,
        Combine::Xor => outcome ^ q,
        Combine::AndNot => outcome & !q,
        Combine::OrNot => outcome | !q,
        Combine::XorNot => outcome ^ !q,
    };
    if args.d.is_some() {
        file.set_pred(args.d.index, meet(holds), mask);
    }
    if args.e.is_some() {
        file.set_pred(args.e.index, meet(!holds), mask);
    }
}

/// `d = f(a, b, c)` on predicates, 32 lanes at a time; absent sources read as zero.
pub fn predicates<F: Fn(Mask, Mask, Mask) -> Mask + Copy + 'static>(_f: F) -> LaneFn {
    fn body<F: Fn(Mask, Mask, Mask) -> Mask + Copy + 'static>(file: &mut Registers, args: &Args, mask: Mask) {
        let read = |reg: Reg| if reg.is_some() { file.pred(reg.index) } else { 0 };
        let d = conjure::<F>()(read(args.a), read(args.b), read(args.c));
        file.set_pred(args.d.index, d, mask);
    }
    LaneFn(body::<F>)
}

/// `name(addresses, arguments) |address, lane| condition`: makes a function that returns the lanes for which it holds.
macro_rules! questions {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),*) |$address:ident, $lane:ident| $holds:expr;)*) => {$(
        $(#[$doc])*
        #[inline]
        pub fn $name(addresses: &[u64; WARP], $($arg: u64),*) -> Mask {
            #[inline(always)]
            fn body(addresses: &[u64; WARP], $($arg: u64),*) -> Mask {
                outcomes(|$lane| {
                    let $address = addresses[$lane];
                    $holds
                })
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt,f16c")]
            fn avx2(addresses: &[u64; WARP], $($arg: u64),*) -> Mask {
                body(addresses, $($arg),*)
            }
            #[cfg(target_arch = "x86_64")]
            if has_avx2() {
                // SAFETY: the processor has what this form is compiled for.
                return unsafe { avx2(addresses, $($arg),*) };
            }
            body(addresses, $($arg),*)
        }
    )*};
}

questions! {
    /// Lanes that are not where a regular access would have them: lane 0 at `zero`, each other `step` bytes after the
    /// lane before it.
    astray(zero, step) |address, lane| address.wrapping_sub(zero) != (lane as u64).wrapping_mul(step);

    /// Lanes at one address.
    at_one(place) |address, _lane| address == place;

    /// Lanes more than `last` bytes after `base`, or before it, or with one of the bits of `odd` in their address.
    outside(base, last, odd) |address, _lane| (address.wrapping_sub(base) > last) | (address & odd != 0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registers::{FULL, Width};

    fn word(index: u32) -> Reg {
        Reg::new(index, Width::Word)
    }

    #[test]
    fn only_lanes_in_the_mask_change() {
        let mut file = Registers::default();
        file.reserve(4, 1);
        u32::store(&mut file, 0, std::array::from_fn(|lane| lane as u32), FULL);
        let args = Args { d: word(1), a: word(0), b: word(0), ..Args::default() };
        binary(|a: u32, b: u32| a + b).run(&mut file, &args, 0x8000_0002);
        let d = file.slot(1);
        assert_eq!((d[0], d[1], d[2], d[31]), (0, 2, 0, 62));
    }

    #[test]
    fn questions_about_addresses_are_answered_lane_by_lane() {
        let mut row: [u64; WARP] = std::array::from_fn(|lane| 4096 + 4 * lane as u64);
        (row[5], row[31]) = (7, u64::MAX);
        assert_eq!(astray(&row, 4096, 4), 1 << 5 | 1 << 31);
        assert_eq!(at_one(&row, 4100), 0b10);
        assert_eq!(outside(&row, 4100, 4 * 29, 0), 1 << 0 | 1 << 5 | 1 << 31);
        assert_eq!(outside(&row, 4096, 4 * 30, 4), 0xaaaa_aaaa);
    }

    #[test]
    fn a_comparison_writes_both_predicates() {
        let mut file = Registers::default();
        file.reserve(2, 3);
        u32::store(&mut file, 0, std::array::from_fn(|lane| lane as u32), FULL);
        u32::store(&mut file, 1, [4; WARP], FULL);
        file.set_pred(2, 0b11, FULL);
        let pred = |index| Reg::new(index, Width::Pred);
        let args = Args { d: pred(0), e: pred(1), a: word(0), b: word(1), q: pred(2), ..Args::default() };
        for (combine, d, e) in [
            (Combine::Alone, 0b1111, !0b1111),
            (Combine::And, 0b11, 0),
            (Combine::AndNot, 0b1100, !0b1111),
            (Combine::Or, 0b1111, !0b1100),
            (Combine::OrNot, !0, !0b11),
            (Combine::Xor, 0b1100, !0b1100),
            (Combine::XorNot, !0b1100, 0b1100),
        ] {
            compare(|a: u32, b: u32| a < b).run(&mut file, &Args { combine, ..args }, FULL);
            assert_eq!((file.pred(0), file.pred(1)), (d, e), "{combine:?}");
        }
    }
}
