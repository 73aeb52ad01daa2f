//! The `tabulae` executable; see [`tabulae::cli`].

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    tabulae::cli::main()
}

/// In a browser: the app on the page, or without the feature `app` the engine
/// that a web worker of the page runs.
#[cfg(target_arch = "wasm32")]
fn main() {
    #[cfg(feature = "app")]
    tabulae::app::launch::web::begin();
    #[cfg(not(feature = "app"))]
    tabulae::engines::serve();
}
