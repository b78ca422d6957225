//! The program `gauntlet`.

use std::process::ExitCode;

fn main() -> ExitCode {
    gauntlet::main()
}
