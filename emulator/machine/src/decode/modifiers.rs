//! An instruction's modifiers, taken one by one; one that nobody takes is refused, never dropped.

use super::refused::Refused;
use ptx::ast::Type;

/// The modifiers not yet taken, in order.
#[derive(Clone, Debug)]
pub struct Modifiers<'a> {
    rest: Vec<&'a str>,
}

impl<'a> Modifiers<'a> {
    pub fn new(modifiers: &'a [String]) -> Modifiers<'a> {
        Modifiers { rest: modifiers.iter().map(String::as_str).collect() }
    }

    /// Takes `name` if it is there.
    pub fn take(&mut self, name: &str) -> bool {
        self.take_one_of(&[name]).is_some()
    }

    /// True if `name` is there and not yet taken.
    pub fn has(&self, name: &str) -> bool {
        self.rest.contains(&name)
    }

    /// Takes the first modifier that is one of `names`.
    pub fn take_one_of(&mut self, names: &[&str]) -> Option<&'a str> {
        let at = self.rest.iter().position(|modifier| names.contains(modifier))?;
        Some(self.rest.remove(at))
    }

    /// Takes the first modifier for which `choose` has an answer.
    pub fn take_map<T>(&mut self, choose: impl Fn(&str) -> Option<T>) -> Option<T> {
        let (at, found) = self.rest.iter().enumerate().find_map(|(at, modifier)| Some((at, choose(modifier)?)))?;
        self.rest.remove(at);
        Some(found)
    }

    /// Takes the first type, where there may be none.
    pub fn take_type(&mut self) -> Option<Type> {
        self.take_map(Type::parse)
    }

    /// Takes the first type.
    pub fn ty(&mut self) -> Result<Type, Refused> {
        // Types that PTX has and the tree does not name (`e4m3`, `tf32`, ...) are unsupported, not malformed.
        self.take_type().ok_or_else(Refused::unsupported)
    }

    /// Refuses what is left.
    pub fn finish(self) -> Result<(), Refused> {
        match self.rest.first() {
            None => Ok(()),
            Some(modifier) => Err(Refused::Unsupported(format!("modifier .{modifier}"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_modifier_left_over_is_refused() {
        let list = ["lo", "s32", "wild"].map(String::from);
        let mut modifiers = Modifiers::new(&list);
        assert!(modifiers.take("lo") && !modifiers.take("hi"));
        assert_eq!(modifiers.ty(), Ok(Type::S32));
        assert_eq!(modifiers.finish(), Err(Refused::Unsupported("modifier .wild".into())));
    }
}
