//! The texts of a report, for tests of its sentences: arguments by number.

use emulator::finding::{Access, Finding};
use report::Reader;

pub trait Words {
    fn message(&self) -> String;
    fn place(&self) -> String;
    fn why(&self) -> String;
    fn fix(&self) -> String;
}

impl Words for Finding {
    fn message(&self) -> String {
        report::message(self, &Reader::default())
    }

    fn place(&self) -> String {
        report::place(self, &Reader::default())
    }

    fn why(&self) -> String {
        report::why(self, &Reader::default())
    }

    fn fix(&self) -> String {
        report::fix(self, &Reader::default())
    }
}

pub trait Acted {
    fn action(&self) -> String;
}

impl Acted for Access {
    fn action(&self) -> String {
        report::action(self, &Reader::default())
    }
}
