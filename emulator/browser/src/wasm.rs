//! The door to JavaScript: one room for texts, numbers for its place and length, and nothing imported.
//!
//! A page calls `room` with the length of its request, writes the request there, and calls `answer`. The answer lies at
//! `text`, as long as that call has said, until the next `room`.

use crate::Player;
use std::cell::RefCell;

#[derive(Default)]
struct WasmDesk {
    player: Player,
    text: Vec<u8>,
}

thread_local! {
    static DESK: RefCell<WasmDesk> = RefCell::default();
}

/// Makes room for a request of so many bytes, and says where.
#[unsafe(no_mangle)]
extern "C" fn room(bytes: usize) -> *mut u8 {
    DESK.with_borrow_mut(|desk| {
        desk.text = vec![0; bytes];
        desk.text.as_mut_ptr()
    })
}

/// Answers the request in the room; the answer's bytes.
#[unsafe(no_mangle)]
extern "C" fn answer() -> usize {
    DESK.with_borrow_mut(|desk| {
        let request = String::from_utf8_lossy(&desk.text).into_owned();
        desk.text = desk.player.answer(&request).into_bytes();
        desk.text.len()
    })
}

/// Returns the address of the answer.
#[unsafe(no_mangle)]
extern "C" fn text() -> *const u8 {
    DESK.with_borrow(|desk| desk.text.as_ptr())
}
