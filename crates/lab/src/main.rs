//! The program `tabulae-lab`; see [`tabulae_lab`].

fn main() -> std::process::ExitCode {
    tabulae_lab::commands::main()
}
