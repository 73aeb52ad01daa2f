//! The `tabulae` program: see [`tabulae::cli`].

fn main() -> std::process::ExitCode {
    tabulae::cli::main()
}
