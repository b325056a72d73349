//! The binary: everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(code) = jury::sandbox::runner_main() {
        return code;
    }
    jury::cli::main()
}
