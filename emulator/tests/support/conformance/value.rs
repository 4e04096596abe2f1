//! Element types, and numbers on their way into and out of buffers.

use half::{bf16, f16};

/// A number in an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    Int(i128),
    Float(f64),
}

impl Value {
    pub fn as_float(self) -> f64 {
        match self {
            Value::Int(value) => value as f64,
            Value::Float(value) => value,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    U8,
    S8,
    U16,
    S16,
    U32,
    S32,
    U64,
    S64,
    F16,
    Bf16,
    F32,
    F64,
}

/// The allowed difference of two values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tolerance {
    /// Bit for bit; any NaN is as good as another.
    Exact,
    /// Steps between neighbouring numbers of the type.
    Ulps(u64),
    Absolute(f64),
}

impl Type {
    pub fn parse(name: &str) -> Option<Type> {
        Some(match name {
            "u8" => Type::U8,
            "s8" => Type::S8,
            "u16" => Type::U16,
            "s16" => Type::S16,
            "u32" => Type::U32,
            "s32" => Type::S32,
            "u64" => Type::U64,
            "s64" => Type::S64,
            "f16" => Type::F16,
            "bf16" => Type::Bf16,
            "f32" => Type::F32,
            "f64" => Type::F64,
            _ => return None,
        })
    }

    pub fn bytes(self) -> usize {
        match self {
            Type::U8 | Type::S8 => 1,
            Type::U16 | Type::S16 | Type::F16 | Type::Bf16 => 2,
            Type::U32 | Type::S32 | Type::F32 => 4,
            Type::U64 | Type::S64 | Type::F64 => 8,
        }
    }

    fn is_float(self) -> bool {
        matches!(self, Type::F16 | Type::Bf16 | Type::F32 | Type::F64)
    }

    /// Integers wrap to the type's width, floats round to nearest even.
    pub fn encode(self, value: Value) -> Result<Vec<u8>, String> {
        let bits = match (self, value) {
            (Type::F16, value) => f16::from_f64(value.as_float()).to_bits().into(),
            (Type::Bf16, value) => bf16::from_f64(value.as_float()).to_bits().into(),
            (Type::F32, value) => (value.as_float() as f32).to_bits().into(),
            (Type::F64, value) => value.as_float().to_bits(),
            (_, Value::Int(value)) => value as u64,
            (_, Value::Float(value)) => return Err(format!("{value} is no integer")),
        };
        Ok(bits.to_le_bytes()[..self.bytes()].to_vec())
    }

    pub fn decode(self, bytes: &[u8]) -> Value {
        let mut wide = [0; 8];
        wide[..self.bytes()].copy_from_slice(&bytes[..self.bytes()]);
        let bits = u64::from_le_bytes(wide);
        match self {
            Type::U8 | Type::U16 | Type::U32 | Type::U64 => Value::Int(bits.into()),
            Type::S8 => Value::Int((bits as i8).into()),
            Type::S16 => Value::Int((bits as i16).into()),
            Type::S32 => Value::Int((bits as i32).into()),
            Type::S64 => Value::Int((bits as i64).into()),
            Type::F16 => Value::Float(f16::from_bits(bits as u16).to_f64()),
            Type::Bf16 => Value::Float(bf16::from_bits(bits as u16).to_f64()),
            Type::F32 => Value::Float(f32::from_bits(bits as u32).into()),
            Type::F64 => Value::Float(f64::from_bits(bits)),
        }
    }

    pub fn agrees(self, got: &[u8], want: &[u8], tolerance: Tolerance) -> bool {
        if got == want {
            return true;
        }
        let (Value::Float(x), Value::Float(y)) = (self.decode(got), self.decode(want)) else { return false };
        if x.is_nan() || y.is_nan() {
            return x.is_nan() && y.is_nan();
        }
        match tolerance {
            Tolerance::Exact => false,
            Tolerance::Ulps(most) => self.rank(got).abs_diff(self.rank(want)) <= most.into(),
            Tolerance::Absolute(most) => (x - y).abs() <= most,
        }
    }

    /// The number's place among all of its type, so that neighbours differ by one.
    fn rank(self, bytes: &[u8]) -> i128 {
        let magnitude = bytes.iter().rev().fold(0i128, |bits, &byte| bits << 8 | i128::from(byte));
        let sign = 1i128 << (8 * self.bytes() - 1);
        if magnitude & sign != 0 { sign - magnitude } else { magnitude }
    }

    /// The number with its bits: "0.1 (0x3dcccccd)".
    pub fn show(self, bytes: &[u8]) -> String {
        let hex: String = bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect();
        match self.decode(bytes) {
            Value::Float(value) => format!("{value:?} (0x{hex})"),
            Value::Int(value) if self.is_float() || (-9..10).contains(&value) => format!("{value}"),
            Value::Int(value) => format!("{value} (0x{hex})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_agree_by_bits_by_steps_or_by_distance() {
        let f = |value: f32| value.to_bits().to_le_bytes().to_vec();
        let next = f(f32::from_bits(1.0f32.to_bits() + 1));
        assert!(!Type::F32.agrees(&next, &f(1.0), Tolerance::Exact));
        assert!(Type::F32.agrees(&next, &f(1.0), Tolerance::Ulps(1)));
        assert!(!Type::F32.agrees(&f(-0.0), &f(0.0), Tolerance::Exact));
        assert!(Type::F32.agrees(&f(-0.0), &f(0.0), Tolerance::Ulps(0)));
        assert!(!Type::F32.agrees(&f(1.5), &f(1.0), Tolerance::Absolute(0.4)));
        assert!(!Type::F32.agrees(&f(f32::NAN), &f(1.0), Tolerance::Absolute(1e9)));
        assert!(Type::F32.agrees(&0x7f80_0001u32.to_le_bytes(), &f(f32::NAN), Tolerance::Exact));
    }

    #[test]
    fn integers_wrap_and_never_come_close() {
        assert_eq!(Type::U8.encode(Value::Int(-1)).unwrap(), [0xff]);
        assert_eq!(Type::S16.decode(&[0xfe, 0xff]), Value::Int(-2));
        assert!(!Type::U32.agrees(&[1, 0, 0, 0], &[2, 0, 0, 0], Tolerance::Ulps(9)));
        assert!(Type::U32.encode(Value::Float(1.5)).is_err());
    }
}
