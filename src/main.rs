//! The `tabulae` program: see [`tabulae::cli`].

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    tabulae::cli::main()
}

/// In a browser: the page's program, or with no 3D table in it, the engine that
/// a worker of the page runs.
#[cfg(target_arch = "wasm32")]
fn main() {
    #[cfg(feature = "app")]
    tabulae::app::launch::web::begin();
    #[cfg(not(feature = "app"))]
    tabulae::engines::serve();
}
