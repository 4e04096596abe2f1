//! `printf` and `assert` on the device (CUDA C++ Programming Guide, "Formatted Output", "Assertion").
//!
//! `vprintf` gets the format string and a packed argument buffer: every argument at its
//! natural alignment, `float` promoted to `double`, small integers to `int`.

use crate::memory::space::{self, Space};

/// Reads a thread's memory by generic address; `None` where nothing is.
pub trait GenericMemory {
    fn byte(&self, address: u64) -> Option<u8>;

    fn string(&self, address: u64) -> Vec<u8> {
        // A missing terminator must not print all of memory.
        const LONGEST: u64 = 1 << 16;
        (0..LONGEST).map_while(|at| self.byte(address.checked_add(at)?).filter(|&byte| byte != 0)).collect()
    }

    fn number(&self, address: u64, bytes: u64) -> Option<u64> {
        (0..bytes).try_fold(0, |number, at| Some(number | u64::from(self.byte(address.checked_add(at)?)?) << (8 * at)))
    }
}

/// One conversion of a format string: `%-08.3lld`.
#[derive(Debug, Default, PartialEq)]
struct Conversion {
    minus: bool,
    plus: bool,
    space: bool,
    hash: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// Bytes of an integer: of an `h` or `hh` the low ones of an `int`.
    size: u64,
    letter: u8,
}

/// Formats what one thread prints, and counts the arguments that it used. A conversion that C does not know is
/// printed as it stands.
pub fn format(format: &[u8], arguments: u64, memory: &impl GenericMemory) -> (Vec<u8>, u64) {
    let mut out = Vec::new();
    let (mut next, mut count) = (arguments, 0);
    let mut take = |size: u64| {
        let bytes = size.max(4);
        let at = next.next_multiple_of(bytes);
        next = at + bytes;
        count += 1;
        memory.number(at, bytes).unwrap_or(0) & u64::MAX >> (64 - 8 * size)
    };
    let mut rest = format;
    while let Some((&byte, after)) = rest.split_first() {
        if byte != b'%' {
            out.push(byte);
            rest = after;
            continue;
        }
        if after.first() == Some(&b'%') {
            out.push(b'%');
            rest = &after[1..];
            continue;
        }
        let Some((conversion, length)) = parse(after, || take(4) as i32) else {
            out.push(b'%');
            rest = after;
            continue;
        };
        rest = &after[length..];
        let text = match conversion.letter {
            b'd' | b'i' => {
                let bits = 64 - 8 * conversion.size;
                let value = (take(conversion.size) << bits) as i64 >> bits;
                conversion.number(value.unsigned_abs().to_string(), value < 0, "")
            }
            b'u' => conversion.number(take(conversion.size).to_string(), false, ""),
            b'x' => conversion.number(format!("{:x}", take(conversion.size)), false, "0x"),
            b'X' => conversion.number(format!("{:X}", take(conversion.size)), false, "0X"),
            b'o' => conversion.number(format!("{:o}", take(conversion.size)), false, "0"),
            b'p' => conversion.pad(format!("0x{:x}", take(8)).into_bytes()),
            b'c' => conversion.pad(vec![take(1) as u8]),
            b's' => {
                let mut text = match take(8) {
                    // As a GPU prints it.
                    0 => b"(null)".to_vec(),
                    address => memory.string(address),
                };
                text.truncate(conversion.precision.unwrap_or(usize::MAX));
                conversion.pad(text)
            }
            _ => conversion.float(f64::from_bits(take(8))),
        };
        out.extend(text);
    }
    (out, count)
}

/// Reads a conversion after its `%`; `star` fetches the value of a `*`.
fn parse(text: &[u8], mut star: impl FnMut() -> i32) -> Option<(Conversion, usize)> {
    let mut conversion = Conversion { size: 4, ..Conversion::default() };
    let mut at = 0;
    while let Some(&flag) = text.get(at) {
        match flag {
            b'-' => conversion.minus = true,
            b'+' => conversion.plus = true,
            b' ' => conversion.space = true,
            b'#' => conversion.hash = true,
            b'0' => conversion.zero = true,
            _ => break,
        }
        at += 1;
    }
    let mut number = |at: &mut usize| {
        if text.get(*at) == Some(&b'*') {
            *at += 1;
            return i64::from(star());
        }
        let mut value = 0i64;
        while let Some(digit) = text.get(*at).filter(|byte| byte.is_ascii_digit()) {
            value = (value * 10 + i64::from(digit - b'0')).min(4096);
            *at += 1;
        }
        value
    };
    let width = number(&mut at);
    conversion.minus |= width < 0;
    conversion.width = width.unsigned_abs().min(4096) as usize;
    if text.get(at) == Some(&b'.') {
        at += 1;
        let precision = number(&mut at);
        conversion.precision = usize::try_from(precision.min(4096)).ok();
    }
    loop {
        match text.get(at)? {
            // `h` is 2 bytes, `hh` is 1.
            b'h' => conversion.size = (conversion.size / 2).max(1),
            b'l' | b'z' | b'j' | b't' => conversion.size = 8,
            _ => break,
        }
        at += 1;
    }
    conversion.letter = *text.get(at)?;
    b"diuxXopcsfFeEgGaA".contains(&conversion.letter).then_some((conversion, at + 1))
}

impl Conversion {
    fn pad(&self, text: Vec<u8>) -> Vec<u8> {
        let fill = vec![b' '; self.width.saturating_sub(text.len())];
        if self.minus { [text, fill].concat() } else { [fill, text].concat() }
    }

    fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (_, true, _) => "+",
            (.., true) => " ",
            _ => "",
        }
    }

    fn number(&self, digits: String, negative: bool, prefix: &str) -> Vec<u8> {
        let sign = if matches!(self.letter, b'd' | b'i') { self.sign(negative) } else { "" };
        let prefix = if self.hash && digits != "0" { prefix } else { "" };
        let least = self.precision.unwrap_or(1);
        let mut digits = if self.precision == Some(0) && digits == "0" { String::new() } else { digits };
        let zeros = if self.zero && !self.minus && self.precision.is_none() {
            self.width.saturating_sub(sign.len() + prefix.len()).max(least)
        } else {
            least
        };
        digits = "0".repeat(zeros.saturating_sub(digits.len())) + &digits;
        self.pad(format!("{sign}{prefix}{digits}").into_bytes())
    }

    fn float(&self, value: f64) -> Vec<u8> {
        let precision = self.precision.unwrap_or(6);
        let magnitude = value.abs();
        let text = if !value.is_finite() {
            if value.is_nan() { "nan".into() } else { "inf".into() }
        } else {
            match self.letter.to_ascii_lowercase() {
                b'f' => format!("{magnitude:.precision$}"),
                b'e' => exponent(magnitude, precision),
                b'a' => hexadecimal(magnitude),
                _ => self.shortest(magnitude, precision.max(1)),
            }
        };
        let text = if self.letter.is_ascii_uppercase() { text.to_uppercase() } else { text };
        let sign = self.sign(value.is_sign_negative());
        let zeros = match self.zero && !self.minus && value.is_finite() {
            true => self.width.saturating_sub(sign.len() + text.len()),
            false => 0,
        };
        self.pad(format!("{sign}{}{text}", "0".repeat(zeros)).into_bytes())
    }

    /// `%g`: the shorter of `%e` and `%f`, without trailing zeros.
    fn shortest(&self, value: f64, precision: usize) -> String {
        let written = exponent(value, precision - 1);
        let power: i32 = written.split_once('e').and_then(|(_, power)| power.parse().ok()).unwrap_or(0);
        let trim = |text: String| match text.contains('.') && !self.hash {
            true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
            false => text,
        };
        if power < -4 || power >= precision as i32 {
            let (digits, power) = written.split_once('e').unwrap_or((&written, "+00"));
            format!("{}e{power}", trim(digits.into()))
        } else {
            trim(format!("{value:.*}", (precision as i32 - 1 - power) as usize))
        }
    }
}

/// C's `1.500000e+02` from Rust's `1.500000e2`.
fn exponent(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    format!("{digits}e{}{:02}", if power < 0 { '-' } else { '+' }, power.abs())
}

/// `%a`.
fn hexadecimal(value: f64) -> String {
    let bits = value.to_bits();
    let (exponent, fraction) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
    let (lead, power) = match exponent {
        0 if fraction == 0 => (0, 0),
        0 => (0, -1022),
        _ => (1, exponent as i64 - 1023),
    };
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() { "" } else { "." };
    format!("0x{lead}{point}{digits}p{power:+}")
}

/// One line as the runtime prints it for a failed `assert`.
pub fn assertion(block: [u32; 3], thread: [u32; 3], file: &[u8], line: u64, function: &[u8], text: &[u8]) -> Vec<u8> {
    let lossy = String::from_utf8_lossy;
    format!(
        "{}:{line}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.\n",
        lossy(file),
        lossy(function),
        block[0],
        block[1],
        block[2],
        thread[0],
        thread[1],
        thread[2],
        lossy(text)
    )
    .into_bytes()
}

/// The space and its address, for readers of generic memory.
pub fn split(address: u64) -> (Space, u64) {
    let space = space::of_generic(address);
    (space, address.wrapping_sub(space::window(space)))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Flat(Vec<u8>);

    impl GenericMemory for Flat {
        fn byte(&self, address: u64) -> Option<u8> {
            self.0.get(address as usize).copied()
        }
    }

    fn printed(text: &str, arguments: &[u64]) -> String {
        let mut bytes: Vec<u8> = arguments.iter().flat_map(|argument| argument.to_le_bytes()).collect();
        bytes.extend(b"name\0");
        String::from_utf8(format(text.as_bytes(), 0, &Flat(bytes)).0).unwrap()
    }

    #[test]
    fn conversions_as_c_prints_them() {
        let minus = (-7i64) as u64;
        for (text, arguments, want) in [
            ("%lld|", &[minus][..], "-7|"),
            ("%d%%", &[42], "42%"),
            ("%5lld|%-5lld|%05lld", &[42, 42, 42], "   42|42   |00042"),
            ("%+lld %#llx %llo", &[3, 255, 8], "+3 0xff 10"),
            ("%.3lld", &[7], "007"),
            ("%f", &[1.5f64.to_bits()], "1.500000"),
            ("%8.2f|%e", &[1.5f64.to_bits(), 150f64.to_bits()], "    1.50|1.500000e+02"),
            ("%g %g %g", &[0.0001f64.to_bits(), 1e10f64.to_bits(), 100000f64.to_bits()], "0.0001 1e+10 100000"),
            ("%a", &[1.5f64.to_bits()], "0x1.8p+0"),
            ("%f", &[f64::INFINITY.to_bits()], "inf"),
            ("%p", &[4096], "0x1000"),
            ("%s|", &[0], "(null)|"),
            ("%c", &[65], "A"),
            ("%s!", &[8], "name!"),
            ("100%", &[], "100%"),
            ("%y", &[], "%y"),
            ("%hd|", &[70_000], "4464|"),
            ("%hhu|", &[300], "44|"),
            ("%hhd|", &[255], "-1|"),
            ("%hx|", &[0xf_ffff], "ffff|"),
        ] {
            assert_eq!(printed(text, arguments), want, "{text}");
        }
    }

    #[test]
    fn arguments_are_counted() {
        let count = |text: &str| format(text.as_bytes(), 0, &Flat(vec![0; 64])).1;
        for (text, want) in [("plain", 0), ("%d%%", 1), ("%d %f %s", 3), ("%*.*f", 3), ("%y", 0)] {
            assert_eq!(count(text), want, "{text}");
        }
    }

    #[test]
    fn small_arguments_are_packed() {
        // Two ints and a double: 4 + 4 + 8 bytes.
        assert_eq!(printed("%d %u %.1f", &[u64::from(u32::MAX) << 32 | 5, 2.5f64.to_bits()]), "5 4294967295 2.5");
    }
}
