//! Panics as values, with their place, and without noise on the terminal.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs `work`; a panic becomes its message and place.
pub(super) fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    install();
    CATCHING.set(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    CATCHING.set(false);
    result.map_err(|_| LAST.take())
}

/// Adds a hook, once, that takes down panics which [`catch`] will catch; others go on as before.
fn install() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |info| {
            if CATCHING.get() {
                LAST.set(describe(info));
            } else {
                before(info);
            }
        }));
    });
}

fn describe(info: &PanicHookInfo) -> String {
    let payload: &dyn Any = info.payload();
    let message = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("panic");
    match info.location() {
        Some(location) => format!("{message} ({}:{})", location.file(), location.line()),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_message_and_place() {
        let caught = catch(|| panic!("board {} is odd", 7)).unwrap_err();
        assert!(caught.starts_with("board 7 is odd ("), "{caught}");
        assert!(caught.contains("caught.rs:"), "{caught}");
        assert_eq!(catch(|| 3), Ok(3));
    }
}
