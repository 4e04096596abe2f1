//! The small language of values: C's operators on 128-bit integers and on doubles.

use super::value::Value;

/// The meaning of names in an expression.
pub trait Names {
    fn variable(&self, name: &str) -> Option<Value>;
    /// `name[index]`.
    fn element(&self, name: &str, index: i128) -> Option<Value>;
}

/// Evaluates the whole of `text`.
pub fn evaluate(text: &str, names: &dyn Names) -> Result<Value, String> {
    let mut parser = Parser { rest: text.trim(), names };
    let value = parser.choice()?;
    if parser.rest.is_empty() { Ok(value) } else { Err(format!("`{}` is left over in `{text}`", parser.rest)) }
}

struct Parser<'a> {
    rest: &'a str,
    names: &'a dyn Names,
}

/// Binary operators, each with how tightly it binds, as in C. Longer ones first: `<` must not take the first half of
/// `<<`.
const OPERATORS: [(&str, usize); 16] = [
    ("==", 3),
    ("!=", 3),
    ("<=", 4),
    (">=", 4),
    ("<<", 5),
    (">>", 5),
    ("|", 0),
    ("^", 1),
    ("&", 2),
    ("<", 4),
    (">", 4),
    ("+", 6),
    ("-", 6),
    ("*", 7),
    ("/", 7),
    ("%", 7),
];

impl Parser<'_> {
    fn take(&mut self, token: &str) -> bool {
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.take(token) { Ok(()) } else { Err(format!("`{token}` expected before `{}`", self.rest)) }
    }

    /// `condition ? a : b`. Both sides are evaluated; an error in either counts.
    fn choice(&mut self) -> Result<Value, String> {
        let condition = self.binary(0)?;
        if !self.take("?") {
            return Ok(condition);
        }
        let yes = self.choice()?;
        self.expect(":")?;
        let no = self.choice()?;
        Ok(if condition == Value::Int(0) { no } else { yes })
    }

    /// Operands, and the operators between them that bind at least so tightly.
    fn binary(&mut self, least: usize) -> Result<Value, String> {
        let mut left = self.unary()?;
        while let Some((operator, level)) = self.operator().filter(|(_, level)| *level >= least) {
            self.take(operator);
            let right = self.binary(level + 1)?;
            left = apply(operator, left, right)?;
        }
        Ok(left)
    }

    fn operator(&self) -> Option<(&'static str, usize)> {
        OPERATORS.into_iter().find(|(operator, _)| self.rest.starts_with(operator))
    }

    fn unary(&mut self) -> Result<Value, String> {
        if self.take("-") {
            return Ok(match self.unary()? {
                Value::Int(value) => Value::Int(-value),
                Value::Float(value) => Value::Float(-value),
            });
        }
        if self.take("~") {
            let value = self.unary()?;
            return Ok(Value::Int(!int(value)?));
        }
        if self.take("(") {
            let value = self.choice()?;
            self.expect(")")?;
            return Ok(value);
        }
        let end =
            self.rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.')).unwrap_or(self.rest.len());
        let mut word = &self.rest[..end];
        // `1e-6`: the sign belongs to the number.
        if word.starts_with(|c: char| c.is_ascii_digit()) && !word.starts_with("0x") && word.ends_with('e') {
            let after = &self.rest[end..];
            let digits = after.strip_prefix(['-', '+']).unwrap_or(after);
            let more = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
            word = &self.rest[..end + (after.len() - digits.len()) + more];
        }
        self.rest = self.rest[word.len()..].trim_start();
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return number(word);
        }
        if self.take("[") {
            let index = self.choice()?;
            self.expect("]")?;
            let index = int(index)?;
            return self.names.element(word, index).ok_or_else(|| format!("there is no {word}[{index}]"));
        }
        if self.take("(") {
            let mut arguments = vec![self.choice()?];
            while self.take(",") {
                arguments.push(self.choice()?);
            }
            self.expect(")")?;
            return call(word, &arguments);
        }
        match word {
            "inf" => Ok(Value::Float(f64::INFINITY)),
            "nan" => Ok(Value::Float(f64::NAN)),
            _ => self.names.variable(word).ok_or_else(|| format!("`{word}` is not known")),
        }
    }
}

fn number(word: &str) -> Result<Value, String> {
    let bad = || format!("`{word}` is no number");
    let hex = |digits: &str| u128::from_str_radix(digits, 16).map_err(|_| bad());
    // `0f3F800000` and `0d3FF0000000000000` are the bits of a float, as in PTX.
    if let Some(digits) = word.strip_prefix("0f").filter(|digits| digits.len() == 8) {
        return Ok(Value::Float(f32::from_bits(hex(digits)? as u32).into()));
    }
    if let Some(digits) = word.strip_prefix("0d").filter(|digits| digits.len() == 16) {
        return Ok(Value::Float(f64::from_bits(hex(digits)? as u64)));
    }
    if let Some(digits) = word.strip_prefix("0x") {
        return Ok(Value::Int(hex(digits)? as i128));
    }
    if word.contains(['.', 'e']) {
        return word.parse().map(Value::Float).map_err(|_| bad());
    }
    word.parse().map(Value::Int).map_err(|_| bad())
}

fn int(value: Value) -> Result<i128, String> {
    match value {
        Value::Int(value) => Ok(value),
        Value::Float(value) => Err(format!("{value} is no integer")),
    }
}

fn apply(operator: &str, left: Value, right: Value) -> Result<Value, String> {
    let truth = |holds: bool| Ok(Value::Int(holds.into()));
    if let (Value::Int(a), Value::Int(b)) = (left, right) {
        if matches!(operator, "/" | "%") && b == 0 {
            return Err(format!("{a} {operator} 0"));
        }
        let shift = b.clamp(0, 127) as u32;
        return Ok(Value::Int(match operator {
            "|" => a | b,
            "^" => a ^ b,
            "&" => a & b,
            "<<" => a << shift,
            ">>" => a >> shift,
            "+" => a.wrapping_add(b),
            "-" => a.wrapping_sub(b),
            "*" => a.wrapping_mul(b),
            "/" => a / b,
            "%" => a % b,
            "==" => (a == b).into(),
            "!=" => (a != b).into(),
            "<=" => (a <= b).into(),
            ">=" => (a >= b).into(),
            "<" => (a < b).into(),
            _ => (a > b).into(),
        }));
    }
    let (a, b) = (left.as_float(), right.as_float());
    match operator {
        "+" => Ok(Value::Float(a + b)),
        "-" => Ok(Value::Float(a - b)),
        "*" => Ok(Value::Float(a * b)),
        "/" => Ok(Value::Float(a / b)),
        "==" => truth(a == b),
        "!=" => truth(a != b),
        "<=" => truth(a <= b),
        ">=" => truth(a >= b),
        "<" => truth(a < b),
        ">" => truth(a > b),
        _ => Err(format!("`{operator}` is for integers")),
    }
}

fn call(name: &str, arguments: &[Value]) -> Result<Value, String> {
    Ok(match (name, arguments) {
        ("min", &[Value::Int(a), Value::Int(b)]) => Value::Int(a.min(b)),
        ("max", &[Value::Int(a), Value::Int(b)]) => Value::Int(a.max(b)),
        ("abs", &[Value::Int(a)]) => Value::Int(a.abs()),
        ("popc", &[Value::Int(a)]) => Value::Int(a.count_ones().into()),
        ("sqrt", &[a]) => Value::Float(a.as_float().sqrt()),
        ("sin", &[a]) => Value::Float(a.as_float().sin()),
        ("cos", &[a]) => Value::Float(a.as_float().cos()),
        ("tanh", &[a]) => Value::Float(a.as_float().tanh()),
        ("exp2", &[a]) => Value::Float(a.as_float().exp2()),
        ("log2", &[a]) => Value::Float(a.as_float().log2()),
        _ => return Err(format!("there is no function `{name}` of {} such values", arguments.len())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct One;
    impl Names for One {
        fn variable(&self, name: &str) -> Option<Value> {
            (name == "i").then_some(Value::Int(5))
        }
        fn element(&self, name: &str, index: i128) -> Option<Value> {
            (name == "a" && index < 9).then_some(Value::Int(10 * index))
        }
    }

    #[test]
    fn operators_bind_as_in_c() {
        for (text, want) in [
            ("1+2*3", 7),
            ("(1+2)*3", 9),
            ("1 << 2 + 1", 8),
            ("6&3|8", 10),
            ("i < 6 ? 1 : 2", 1),
            ("i<<1 < 6 ? 1 : 2", 2),
            ("-i % 3", -2),
            ("~0 & 0xff", 255),
            ("a[i-1] + min(2, 3)", 42),
            ("popc(0xf0) == 4", 1),
        ] {
            assert_eq!(evaluate(text, &One), Ok(Value::Int(want)), "{text}");
        }
        assert_eq!(evaluate("1.5e-1 * 2", &One), Ok(Value::Float(0.3)));
        assert_eq!(evaluate("0f3F800000 - 1", &One), Ok(Value::Float(0.0)));
    }

    #[test]
    fn what_is_not_an_expression_is_an_error() {
        for text in ["", "1 +", "j", "a[9]", "1/0", "1.5 & 1", "(1", "1 2", "f(1)", "0xzz"] {
            assert!(evaluate(text, &One).is_err(), "{text}");
        }
    }
}
