//! What a report says, for tests of its sentences: arguments by number.

use emulator::finding::{Access, Finding};
use report::Names;

pub trait Words {
    fn message(&self) -> String;
    fn place(&self) -> String;
    fn why(&self) -> String;
    fn help(&self) -> String;
}

impl Words for Finding {
    fn message(&self) -> String {
        report::message(self, &Names::default())
    }

    fn place(&self) -> String {
        report::place(self, &Names::default())
    }

    fn why(&self) -> String {
        report::why(self, &Names::default())
    }

    fn help(&self) -> String {
        report::help(self, &Names::default())
    }
}

pub trait Acted {
    fn action(&self) -> String;
}

impl Acted for Access {
    fn action(&self) -> String {
        report::action(self, &Names::default())
    }
}
