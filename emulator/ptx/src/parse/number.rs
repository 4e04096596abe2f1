//! Literals (PTX ISA, "Constants").

use super::expression::ConstantValue;

/// The value of a number as the lexer cuts it; `None` where it is none or does not fit.
pub(super) fn parse(text: &str) -> Option<ConstantValue> {
    let unsigned = text.ends_with(['U', 'u']);
    let digits = text.strip_suffix(['U', 'u']).unwrap_or(text);
    let integer = |digits: &str, radix| {
        let plain = digits.bytes().all(|b| b.is_ascii_alphanumeric()); // `from_str_radix` takes a sign.
        let value = u64::from_str_radix(digits, radix).ok().filter(|_| plain)?;
        Some(ConstantValue::Integer { bits: value, unsigned: unsigned || value > i64::MAX as u64 })
    };
    let bytes = text.as_bytes();
    match (bytes.first()?, bytes.get(1).map(u8::to_ascii_lowercase)) {
        (b'0', Some(b'x')) => integer(&digits[2..], 16),
        (b'0', Some(b'b')) => integer(&digits[2..], 2),
        (b'0', Some(b'f')) if text.len() == 10 => {
            u32::from_str_radix(hexadecimal(&text[2..])?, 16).ok().map(ConstantValue::F32)
        }
        (b'0', Some(b'd')) if text.len() == 18 => {
            u64::from_str_radix(hexadecimal(&text[2..])?, 16).ok().map(ConstantValue::F64)
        }
        _ if text.bytes().any(|b| matches!(b, b'.' | b'e' | b'E')) => {
            let decimal = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-'));
            text.parse::<f64>().ok().filter(|_| decimal).map(|value| ConstantValue::F64(value.to_bits()))
        }
        (b'0', Some(b'0'..=b'9')) => integer(digits, 8),
        _ => integer(digits, 10),
    }
}

fn hexadecimal(digits: &str) -> Option<&str> {
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_form() {
        let signed = |bits: u64| Some(ConstantValue::Integer { bits, unsigned: false });
        let unsigned = |bits: u64| Some(ConstantValue::Integer { bits, unsigned: true });
        for (text, want) in [
            ("0", signed(0)),
            ("12", signed(12)),
            ("12U", unsigned(12)),
            ("0U", unsigned(0)),
            ("017", signed(15)),
            ("0b101", signed(5)),
            ("0xfF", signed(255)),
            ("0X1FU", unsigned(31)),
            ("9223372036854775808", unsigned(1 << 63)),
            ("18446744073709551615", unsigned(u64::MAX)),
            ("18446744073709551616", None),
            ("0f3F800000", Some(ConstantValue::F32(0x3f80_0000))),
            ("0d3ff0000000000000", Some(ConstantValue::F64(0x3ff0_0000_0000_0000))),
            ("1.5", Some(ConstantValue::F64(1.5f64.to_bits()))),
            ("1.", Some(ConstantValue::F64(1f64.to_bits()))),
            ("1e5", Some(ConstantValue::F64(1e5f64.to_bits()))),
            ("1.5e-3", Some(ConstantValue::F64(1.5e-3f64.to_bits()))),
            ("08", None),
            ("0x", None),
            ("0b2", None),
            ("0f3F80", None),
            ("12abc", None),
            ("1e", None),
            ("U", None),
            ("0x+1", None),
        ] {
            assert_eq!(parse(text), want, "{text}");
        }
    }
}
