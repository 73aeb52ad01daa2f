//! Starts the game without a console window: the program that people double-click
//! on Windows. `tabulae.exe`, which also works in terminals, opens a console of its
//! own when it is double-clicked.
#![cfg_attr(windows, windows_subsystem = "windows")]

use std::{
    env,
    process::{Command, ExitCode},
};

fn main() -> ExitCode {
    let started = env::current_exe().and_then(|launcher| {
        let folder = launcher.parent().unwrap_or(&launcher);
        let mut program = Command::new(folder.join("bin").join("tabulae"));
        #[cfg(windows)]
        {
            /// From Microsoft's "Process Creation Flags".
            const CREATE_NO_WINDOW: u32 = 0x0800_0000;
            std::os::windows::process::CommandExt::creation_flags(&mut program, CREATE_NO_WINDOW);
        }
        program.args(env::args_os().skip(1)).spawn()
    });
    match started {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("tabulae: bin/tabulae cannot be started: {error}");
            ExitCode::FAILURE
        }
    }
}
