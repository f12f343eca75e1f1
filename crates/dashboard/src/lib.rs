//! The page that every node serves: its cluster, models and requests, and a chat.
//!
//! `page/` holds hand-written modules and a style sheet, compiled into the binary as they are: there is no build step, and
//! nothing is fetched from anywhere else. The page knows the API and nothing else: state comes from `/events`, orders go to
//! the routes that `/docs` describes.

use axum::Router;
use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        /// By name.
        const FILES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../page/", $name)))),*];
    };
}

files![
    "index.html",
    "style.css",
    "icon.svg",
    "main.js",
    "access.js",
    "api.js",
    "chart.js",
    "chat.js",
    "cluster.js",
    "dom.js",
    "feed.js",
    "format.js",
    "markdown.js",
    "models.js",
    "say.js",
    "topology.js",
];

/// Nothing from elsewhere is loaded, called, or lets itself be put around this page.
const POLICY: &str =
    "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// `/` and what it is made of, below `/page/`.
pub fn routes() -> Router {
    Router::new()
        .route("/", get(|| async { file("index.html") }))
        .route("/page/{name}", get(|Path(name): Path<String>| async move { file(&name) }))
}

fn file(name: &str) -> Response {
    let Some((_, text)) = FILES.iter().find(|(own, _)| *own == name) else {
        return (StatusCode::NOT_FOUND, "no such part of the page").into_response();
    };
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/javascript; charset=utf-8",
    };
    let headers = [
        (header::CONTENT_TYPE, kind),
        // Another version of the node serves another page.
        (header::CACHE_CONTROL, "no-cache"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (headers, *text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;
    use axum::http::Request;
    use tower::ServiceExt;

    #[test]
    fn the_page_is_light_and_whole() {
        let bytes: usize = FILES.iter().map(|(_, text)| text.len()).sum();
        assert!(bytes <= 300_000, "{bytes} bytes");
        for (name, text) in FILES {
            assert!(!text.contains("http://") || name.ends_with(".svg"), "{name} names another place");
            let imports = text.lines().filter(|line| line.starts_with("import ")).filter_map(|line| {
                line.split('"').nth(1).map(|path| path.trim_start_matches("./").to_owned())
            });
            for import in imports {
                assert!(
                    FILES.iter().any(|(own, _)| *own == import),
                    "{name} imports {import}, which is not served"
                );
            }
        }
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            let served = FILES.iter().any(|(own, _)| *own == name);
            assert!(served || name.ends_with(".d.ts") || name.ends_with(".json"), "{name} is not served");
        }
    }

    #[tokio::test]
    async fn parts_are_served_by_name_alone() {
        let check = async |path: &str, expected: u16, kind: &str| {
            let answer = routes().oneshot(Request::get(path).body(Body::empty()).unwrap()).await.unwrap();
            let told = answer.headers()["content-type"].to_str().unwrap().to_owned();
            assert_eq!((answer.status().as_u16(), told.as_str()), (expected, kind), "{path}");
        };
        check("/", 200, "text/html; charset=utf-8").await;
        check("/page/main.js", 200, "text/javascript; charset=utf-8").await;
        check("/page/style.css", 200, "text/css; charset=utf-8").await;
        check("/page/..%2Fsrc%2Flib.rs", 404, "text/plain; charset=utf-8").await;
    }
}
