//! The driver's data of a host thread: its number, its stack of contexts, and whether it runs a host function.
//!
//! Nothing here has a destructor. A program may call CUDA in an exit handler, after the thread's own destructors have
//! run.

use std::cell::{Cell, RefCell};
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicU64, Ordering};

thread_local! {
    static NUMBER: Cell<u64> = const { Cell::new(0) };
    static STACK: RefCell<Stack> = const { RefCell::new(Stack::new()) };
    /// Set while this thread runs a host function of a stream, which may not call CUDA.
    static IN_HOST_FUNCTION: Cell<bool> = const { Cell::new(false) };
}

/// A number that only the calling thread has, from 1.
pub(crate) fn number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    if NUMBER.get() == 0 {
        NUMBER.set(NEXT.fetch_add(1, Ordering::Relaxed));
    }
    NUMBER.get()
}

pub(crate) fn is_in_host_function() -> bool {
    IN_HOST_FUNCTION.get()
}

/// Runs a host function of a stream on the calling thread.
pub(crate) fn run_host_function(function: impl FnOnce()) {
    IN_HOST_FUNCTION.set(true);
    function();
    IN_HOST_FUNCTION.set(false);
}

/// Access to the calling thread's stack of contexts.
pub(crate) fn with_stack<T>(body: impl FnOnce(&mut Stack) -> T) -> T {
    STACK.with_borrow_mut(body)
}

/// The contexts of a thread.
pub(crate) struct Stack {
    /// The current one. Most threads have no other, and so leave no memory behind.
    top: Option<u64>,
    below: ManuallyDrop<Vec<u64>>,
}

impl Stack {
    const fn new() -> Stack {
        Stack { top: None, below: ManuallyDrop::new(Vec::new()) }
    }

    /// 0 if there is none.
    pub(crate) fn current(&self) -> u64 {
        self.top.unwrap_or(0)
    }

    pub(crate) fn push(&mut self, context: u64) {
        self.below.extend(self.top.replace(context));
    }

    pub(crate) fn pop(&mut self) -> Option<u64> {
        let below = self.below.pop();
        std::mem::replace(&mut self.top, below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_one_pushed_is_current() {
        let mut stack = Stack::new();
        assert_eq!((stack.current(), stack.pop()), (0, None));
        [7, 8, 9].into_iter().for_each(|context| stack.push(context));
        assert_eq!(stack.current(), 9);
        assert_eq!([stack.pop(), stack.pop(), stack.pop(), stack.pop()], [Some(9), Some(8), Some(7), None]);
        assert_eq!(stack.current(), 0);
    }

    #[test]
    fn threads_have_numbers_of_their_own_and_nothing_to_destroy() {
        let here = number();
        assert_eq!(number(), here);
        assert_ne!(std::thread::spawn(number).join().unwrap(), here);
        assert!(!std::mem::needs_drop::<RefCell<Stack>>());
    }
}
