//! The files of the web page.

use std::{
    fs::FileType,
    path::{Path, PathBuf},
};

use axum::{
    Router,
    extract::{Request, State},
    http::StatusCode,
    middleware::{self, Next},
    response::{IntoResponse as _, Response},
};
use tower_http::services::ServeDir;

/// Serves a folder: its plain files, without those whose names begin with a dot, and
/// without what links lead to.
pub(super) fn router(folder: &Path) -> Router {
    let refuse = middleware::from_fn_with_state(folder.to_owned(), refuse_hidden);
    Router::new().fallback_service(ServeDir::new(folder)).layer(refuse)
}

async fn refuse_hidden(State(folder): State<PathBuf>, request: Request, next: Next) -> Response {
    if is_plain(folder, request.uri().path()).await {
        next.run(request).await
    } else {
        StatusCode::NOT_FOUND.into_response()
    }
}

/// Whether a path leads to a file or a folder by way of plain names.
async fn is_plain(mut place: PathBuf, path: &str) -> bool {
    let Some(path) = decoded(path) else { return false };
    let kind = async |place: &Path| -> Option<FileType> {
        tokio::fs::symlink_metadata(place).await.ok().map(|kind| kind.file_type())
    };
    for name in path.split('/').filter(|name| !name.is_empty()) {
        if name.starts_with('.') {
            return false;
        }
        place.push(name);
        match kind(&place).await {
            Some(it) if it.is_file() || it.is_dir() => {}
            _ => return false,
        }
    }
    // A folder is answered with its page.
    !kind(&place.join("index.html")).await.is_some_and(|kind| kind.is_symlink())
}

/// A path with its escapes (`%20`) as they are meant.
fn decoded(path: &str) -> Option<String> {
    let mut bytes = path.bytes();
    let mut decoded = Vec::with_capacity(path.len());
    while let Some(byte) = bytes.next() {
        decoded.push(if byte == b'%' {
            let mut digit = || bytes.next().and_then(|byte| char::from(byte).to_digit(16));
            u8::try_from(digit()? * 16 + digit()?).ok()?
        } else {
            byte
        });
    }
    String::from_utf8(decoded).ok().filter(|path| !path.contains(['\0', '\\']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_plain_files_are_served() {
        let folder = tempfile::tempdir().expect("a folder");
        let inside = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(inside("a b")).expect("a folder");
        std::fs::create_dir_all(inside(".git")).expect("a folder");
        for name in ["index.html", "a b/c.js", ".env", ".git/config"] {
            std::fs::write(inside(name), "").expect("a file");
        }
        let is_plain = async |path| is_plain(folder.path().to_owned(), path).await;
        for path in ["/", "/index.html", "/a%20b/c.js", "//a%20b//c.js"] {
            assert!(is_plain(path).await, "{path}");
        }
        for path in [
            "/.env",
            "/%2eenv",
            "/.git/config",
            "/a%20b/../.env",
            "/none",
            "/%",
            "/%f",
            "/%ff",
            "/index.html%00",
            "/a%20b/..%5c",
            "/index.html/x",
        ] {
            assert!(!is_plain(path).await, "{path}");
        }
        let long = format!("/{}", "x".repeat(5_000));
        assert!(!is_plain(&long).await);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("/etc", inside("etc")).expect("a link");
            std::os::unix::fs::symlink("/etc/passwd", inside("a b/index.html")).expect("a link");
            for path in ["/etc/passwd", "/etc", "/a%20b/index.html", "/a%20b/"] {
                assert!(!is_plain(path).await, "{path}");
            }
        }
    }
}
