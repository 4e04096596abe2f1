//! Any rounding of `f64` results: the exact value in 128-bit integers, then one rounding.
//!
//! The value is `magnitude * 2^exponent` with a sign. Bits that fall off the end in between
//! leave a 1 in the last place ("jamming"), far enough below the result's last bit to count
//! as "a little more" and nothing else. Only directed roundings come here (`.rn` is the
//! processor's own), so this may be slow. Special operands take the processor's answer.

#[cfg(test)]
use super::round::FloatFormat;
use super::round::Rounding;

#[derive(Clone, Copy, Debug)]
pub struct Exact {
    negative: bool,
    magnitude: u128,
    exponent: i32,
}

/// `x >> count`, with a last bit that tells whether ones were lost.
fn jam(x: u128, count: u32) -> u128 {
    match count {
        0 => x,
        1..=127 => x >> count | u128::from(x << (128 - count) != 0),
        _ => u128::from(x != 0),
    }
}

impl Exact {
    pub fn of(x: f64) -> Exact {
        let bits = x.to_bits();
        let (field, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
        let magnitude = if field == 0 { fraction } else { fraction | 1 << 52 };
        Exact { negative: x.is_sign_negative(), magnitude: u128::from(magnitude), exponent: field.max(1) - 1075 }
    }

    pub fn integer(negative: bool, magnitude: u64) -> Exact {
        Exact { negative, magnitude: u128::from(magnitude), exponent: 0 }
    }

    /// The same value with its leading bit at `place`; zero stays zero.
    fn normal(self, place: u32) -> Exact {
        if self.magnitude == 0 {
            return self;
        }
        let top = 127 - self.magnitude.leading_zeros();
        let shift = place as i32 - top as i32;
        let magnitude = if shift >= 0 { self.magnitude << shift } else { jam(self.magnitude, shift.unsigned_abs()) };
        Exact { magnitude, exponent: self.exponent - shift, ..self }
    }

    pub fn product(self, other: Exact) -> Exact {
        Exact {
            negative: self.negative != other.negative,
            magnitude: self.magnitude * other.magnitude,
            exponent: self.exponent + other.exponent,
        }
    }

    /// `rounding` decides the sign of a sum that is zero.
    pub fn sum(self, other: Exact, rounding: Rounding) -> Exact {
        if self.magnitude == 0 && other.magnitude == 0 {
            let negative = if self.negative == other.negative { self.negative } else { rounding == Rounding::Down };
            return Exact { negative, ..self };
        }
        if self.magnitude == 0 || other.magnitude == 0 {
            return if self.magnitude == 0 { other } else { self };
        }
        // Bit 126 leaves room for a carry; 73 bits or more stay below a 53-bit significand,
        // so jamming and cancelling never meet: what cancels deeply was aligned within one place.
        let (a, b) = (self.normal(126), other.normal(126));
        let (large, small) = if (a.exponent, a.magnitude) < (b.exponent, b.magnitude) { (b, a) } else { (a, b) };
        let aligned = jam(small.magnitude, large.exponent.abs_diff(small.exponent));
        if large.negative == small.negative {
            return Exact { magnitude: large.magnitude + aligned, ..large };
        }
        let magnitude = large.magnitude - aligned;
        let negative = if magnitude == 0 { rounding == Rounding::Down } else { large.negative };
        Exact { negative, magnitude, ..large }
    }

    /// The divisor is not zero.
    pub fn quotient(self, divisor: Exact) -> Exact {
        let (a, b) = (self.normal(127), divisor.normal(52));
        let (quotient, rest) = (a.magnitude / b.magnitude, a.magnitude % b.magnitude);
        Exact {
            negative: self.negative != divisor.negative,
            magnitude: quotient << 1 | u128::from(rest != 0),
            exponent: a.exponent - b.exponent - 1,
        }
    }

    /// Returns the square root of a number that is not negative.
    pub fn root(self) -> Exact {
        let mut x = self.normal(126);
        if x.exponent % 2 != 0 {
            x = Exact { magnitude: x.magnitude >> 1, exponent: x.exponent + 1, ..x };
        }
        let root = x.magnitude.isqrt();
        let inexact = root * root != x.magnitude;
        Exact { magnitude: root << 1 | u128::from(inexact), exponent: x.exponent / 2 - 1, ..x }
    }

    pub fn round(self, rounding: Rounding) -> f64 {
        let sign = u64::from(self.negative) << 63;
        f64::from_bits(sign | self.rounded_magnitude(rounding, 52, -1022, 1023))
    }

    /// The bits, without the sign, of the result in a format of so many fraction bits and these exponents.
    fn rounded_magnitude(self, rounding: Rounding, fraction: i32, least: i32, most: i32) -> u64 {
        if self.magnitude == 0 {
            return 0;
        }
        let top = 127 - self.magnitude.leading_zeros() as i32;
        let last = (self.exponent + top).max(least) - fraction;
        let shift = last - self.exponent;
        let mut kept =
            if shift <= 0 { self.magnitude << -shift } else { self.magnitude.checked_shr(shift as u32).unwrap_or(0) };
        let (lost, half) = match shift {
            ..=0 => (0, 1),
            1..=127 => (self.magnitude & ((1 << shift) - 1), 1 << (shift - 1)),
            // All of it lies below half of the last place.
            _ => (1, 2),
        };
        let away = match rounding {
            Rounding::Nearest => lost > half || (lost == half && kept & 1 == 1),
            Rounding::Zero => false,
            Rounding::Down => lost != 0 && self.negative,
            Rounding::Up => lost != 0 && !self.negative,
        };
        kept += u128::from(away);
        // A significand that carried into the next power of two carries into the exponent here.
        let bits = (((last - least + fraction) as u64) << fraction) + kept as u64;
        let infinity = ((most - least + 2) as u64) << fraction;
        if bits < infinity {
            return bits;
        }
        match (rounding, self.negative) {
            (Rounding::Nearest, _) | (Rounding::Down, true) | (Rounding::Up, false) => infinity,
            _ => infinity - 1,
        }
    }

    /// The same rounding for another format, by its bits.
    #[cfg(test)]
    pub fn round_to<F: FloatFormat>(self, rounding: Rounding) -> (bool, u64) {
        let most = 1 - F::LEAST as i32;
        (self.negative, self.rounded_magnitude(rounding, F::FRACTION as i32, F::LEAST as i32, most))
    }
}

fn finite(values: &[f64]) -> bool {
    values.iter().all(|value| value.is_finite())
}

pub fn add(a: f64, b: f64, rounding: Rounding) -> f64 {
    if !finite(&[a, b]) {
        return a + b;
    }
    Exact::of(a).sum(Exact::of(b), rounding).round(rounding)
}

pub fn mul(a: f64, b: f64, rounding: Rounding) -> f64 {
    if !finite(&[a, b]) {
        return a * b;
    }
    Exact::of(a).product(Exact::of(b)).round(rounding)
}

pub fn fma(a: f64, b: f64, c: f64, rounding: Rounding) -> f64 {
    if !finite(&[a, b, c]) {
        // The product of finite factors must not overflow on its way to a special addend.
        return if finite(&[a, b]) { c } else { a.mul_add(b, c) };
    }
    Exact::of(a).product(Exact::of(b)).sum(Exact::of(c), rounding).round(rounding)
}

pub fn div(a: f64, b: f64, rounding: Rounding) -> f64 {
    if !finite(&[a, b]) || b == 0.0 {
        return a / b;
    }
    Exact::of(a).quotient(Exact::of(b)).round(rounding)
}

pub fn sqrt(x: f64, rounding: Rounding) -> f64 {
    if !x.is_finite() || x <= 0.0 {
        return x.sqrt();
    }
    Exact::of(x).root().round(rounding)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every kind of number: random bits, and exponents close enough to meet.
    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            any::<u64>().prop_map(f64::from_bits),
            (any::<u64>(), 1000u64..1060)
                .prop_map(|(bits, exponent)| f64::from_bits(bits & 0x800f_ffff_ffff_ffff | exponent << 52)),
            (0u64..8, any::<bool>()).prop_map(|(bits, sign)| f64::from_bits(bits | u64::from(sign) << 63)),
        ]
    }

    fn same(a: f64, b: f64) -> bool {
        a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
    }

    /// Down and up bracket the nearest result and are neighbours unless it is exact.
    fn bracketed(f: impl Fn(Rounding) -> f64, nearest: f64) {
        let [near, zero, down, up] = [Rounding::Nearest, Rounding::Zero, Rounding::Down, Rounding::Up].map(f);
        assert!(same(near, nearest), "{near:e} {nearest:e}");
        if nearest.is_nan() {
            return;
        }
        assert!(down <= near && near <= up, "{down:e} {near:e} {up:e}");
        assert!(down == up || down.next_up() == up, "{down:e} {up:e}");
        assert!(same(zero, if nearest.is_sign_negative() { up } else { down }) || zero == 0.0, "{zero:e}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]
        #[test]
        fn nearest_is_the_processors_own(a in number(), b in number(), c in number()) {
            bracketed(|rounding| add(a, b, rounding), a + b);
            bracketed(|rounding| mul(a, b, rounding), a * b);
            bracketed(|rounding| fma(a, b, c, rounding), a.mul_add(b, c));
            bracketed(|rounding| div(a, b, rounding), a / b);
            bracketed(|rounding| sqrt(a, rounding), a.sqrt());
        }
    }

    #[test]
    fn directed_results() {
        use Rounding::*;
        let (least, most) = (f64::from_bits(1), f64::MAX);
        for (got, want) in [
            (add(1.0, least, Up), 1.0f64.next_up()),
            (add(1.0, -least, Down), 1.0f64.next_down()),
            (add(1.0, -least, Zero), 1.0f64.next_down()),
            (add(most, most, Zero), most),
            (add(-most, -most, Up), -most),
            (add(-most, -most, Down), f64::NEG_INFINITY),
            (add(1.0, -1.0, Down), -0.0),
            (add(1.0, -1.0, Zero), 0.0),
            (add(0.0, 0.0, Down), 0.0),
            (add(-0.0, 0.0, Down), -0.0),
            (add(-0.0, -0.0, Up), -0.0),
            (mul(least, least, Up), least),
            (mul(-least, least, Down), -least),
            (mul(-least, least, Up), -0.0),
            (fma(least, least, -1.0, Up), (-1.0f64).next_up()),
            (fma(most, most, f64::NEG_INFINITY, Zero), f64::NEG_INFINITY),
            (div(1.0, 3.0, Up), (1.0f64 / 3.0).next_up()),
            (div(1.0, 3.0, Zero), 1.0 / 3.0),
            (div(1.0, 0.0, Zero), f64::INFINITY),
            (sqrt(2.0, Up), 2.0f64.sqrt()),
            (sqrt(2.0, Down), 2.0f64.sqrt().next_down()),
            (sqrt(-0.0, Down), -0.0),
        ] {
            assert!(same(got, want), "{got:e} {want:e}");
        }
    }
}
