//! The built dashboard, which `build.rs` embeds in the binary.

use axum::Router;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use protocol::hex::hex;
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "$OUT_DIR/dashboard"]
struct Files;

const INDEX: &str = "index.html";

/// How the index names files: relative to the root of the pages.
const FROM_ROOT: &str = "=\"./";

/// Files in this folder have a digest of their content in their name.
const HASHED: &str = "assets/";

/// The content policy: a page may only use what the binary serves, and nothing inline.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The addresses of pages, as `dashboard/src/routes.ts` has them. The index answers at each of them.
const PAGES: [&str; 12] = [
    "/",
    "/experiments/{id}",
    "/experiments/{id}/tune",
    "/studies/{id}",
    "/cells/{id}",
    "/games",
    "/games/{id}",
    "/workers",
    "/workers/{id}",
    "/control",
    "/access",
    "/compare",
];

/// Serves the files of the dashboard, and its index at the addresses of pages.
pub(crate) fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route("/", get(async |headers: HeaderMap| serve(INDEX, &headers))).route(
        "/{*path}",
        get(async |address: Uri, headers: HeaderMap| serve(&address.path()[1..], &headers)),
    )
}

fn serve(path: &str, request: &HeaderMap) -> Response {
    if let Some(file) = Files::get(path) {
        return answer(path, file, request);
    }
    let index = Files::get(INDEX).map(|index| from(path, index));
    // A missing script must not be answered with a page. A mistyped address of a page may be, so that people can navigate on.
    let first = path.split('/').next().unwrap_or(path);
    let last = path.rsplit('/').next().unwrap_or(path);
    match index {
        Some(index) if is_page(path) => answer(INDEX, index, request),
        Some(index) if !matches!(first, "api" | "assets") && !last.contains('.') => {
            (StatusCode::NOT_FOUND, answer(INDEX, index, &HeaderMap::new())).into_response()
        }
        _ => (StatusCode::NOT_FOUND, "no such file\n").into_response(),
    }
}

/// The index for a path below the root. It names files relative to that path: only the browser knows the prefix that a proxy
/// strips from addresses.
fn from(path: &str, mut index: EmbeddedFile) -> EmbeddedFile {
    let up = "../".repeat(path.matches('/').count());
    if !up.is_empty() {
        let text = String::from_utf8_lossy(&index.data).replace(FROM_ROOT, &format!("=\"{up}"));
        index.data = text.into_bytes().into();
    }
    index
}

/// Whether a page is at a path, which is written without the slash at its beginning.
fn is_page(path: &str) -> bool {
    let path = path.strip_suffix('/').filter(|rest| !rest.is_empty()).unwrap_or(path);
    PAGES.iter().any(|page| {
        let mut parts = path.split('/');
        let matches = |wanted| {
            parts.next().is_some_and(|part| part == wanted || (wanted == "{id}" && !part.is_empty()))
        };
        page[1..].split('/').all(matches) && parts.next().is_none()
    })
}

fn answer(path: &str, file: EmbeddedFile, request: &HeaderMap) -> Response {
    let tag = entity_tag(&file);
    let mut headers = HeaderMap::new();
    let mut set = |name, value: &str| {
        headers.insert(name, HeaderValue::from_str(value).expect("header values made here are ASCII"));
    };
    set(header::ETAG, &tag);
    let hashed = path.starts_with(HASHED);
    set(header::CACHE_CONTROL, if hashed { "public, max-age=31536000, immutable" } else { "no-cache" });
    set(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY);
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "no-referrer");
    if request.get(header::IF_NONE_MATCH).is_some_and(|known| names(known, &tag)) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let kind = file.metadata.mimetype();
    set(
        header::CONTENT_TYPE,
        &if kind.starts_with("text/") { format!("{kind}; charset=utf-8") } else { kind.to_owned() },
    );
    (headers, file.data).into_response()
}

/// A strong entity tag: 16 bytes of the content's digest.
fn entity_tag(file: &EmbeddedFile) -> String {
    format!("\"{}\"", hex(&file.metadata.sha256_hash()[..16]))
}

/// Whether an `If-None-Match` lists the tag. A proxy that compressed the answer may have made the tag weak.
fn names(header: &HeaderValue, tag: &str) -> bool {
    header.to_str().is_ok_and(|list| {
        list.split(',').map(str::trim).any(|known| known == "*" || known.trim_start_matches("W/") == tag)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::{Body, to_bytes};
    use axum::http::Request;
    use tower::ServiceExt;

    async fn ask(path: &str, if_none_match: Option<&str>) -> (StatusCode, HeaderMap, String) {
        let mut request = Request::get(path);
        if let Some(tag) = if_none_match {
            request = request.header(header::IF_NONE_MATCH, tag);
        }
        let response = router::<()>().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        (parts.status, parts.headers, String::from_utf8_lossy(&body).into_owned())
    }

    /// The index with bare file names, without the relative path to the root.
    fn at_root(index: &str) -> String {
        index.replace("../", "").replace("=\"./", "=\"")
    }

    #[tokio::test]
    async fn pages_are_the_index_under_a_policy_that_forbids_other_hosts() {
        let (_, _, index) = ask("/", None).await;
        assert!(index.starts_with("<!doctype html>"));
        for path in PAGES.iter().map(|page| page.replace("{id}", "v1.2")).chain(["/games/".to_owned()]) {
            let path = path.as_str();
            let (status, headers, body) = ask(path, None).await;
            assert_eq!(status, StatusCode::OK, "{path}");
            assert_eq!(headers[header::CONTENT_TYPE], "text/html; charset=utf-8");
            assert_eq!(headers[header::CACHE_CONTROL], "no-cache");
            assert!(
                headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap().starts_with("default-src 'none'")
            );
            assert_eq!(at_root(&body), at_root(&index), "{path}");
        }
    }

    /// Resolves the names of files in the index as a browser does, below a prefix that a proxy strips.
    #[tokio::test]
    async fn files_are_found_from_every_page_behind_any_prefix() {
        for prefix in ["", "/tune", "/a/b"] {
            for path in ["/", "/games", "/games/", "/games/1", "/experiments/x/tune", "/nothing/here/"] {
                let (_, _, body) = ask(path, None).await;
                let (folder, _) = path.rsplit_once('/').unwrap();
                let mut found = 0;
                for name in body.split('"').filter(|text| text.starts_with('.') || text.starts_with('/')) {
                    let mut place: Vec<&str> = prefix.split('/').chain(folder.split('/').skip(1)).collect();
                    let file = name.trim_start_matches("./").trim_start_matches("../");
                    assert!(!name.starts_with('/'), "{name} is beyond the prefix");
                    place.truncate(place.len() - name.matches("../").count());
                    assert_eq!(place.join("/"), prefix, "{name} from {path} below {prefix}");
                    let is_known = file.starts_with("api/") || Files::get(file).is_some();
                    assert!(is_known, "{file} from {path}");
                    found += 1;
                }
                assert!(found > 0, "{body}");
            }
        }
    }

    #[test]
    fn the_pages_are_those_of_the_dashboard() {
        let routes = include_str!("../../../dashboard/src/routes.ts");
        let (_, table) = routes.split_once("PATHS = {").unwrap();
        let (table, _) = table.split_once("} as const").unwrap();
        let paths: Vec<_> = table.split('"').skip(1).step_by(2).collect();
        assert_eq!(paths, PAGES);
    }

    #[tokio::test]
    async fn an_address_of_no_page_is_not_found_and_still_leads_on() {
        let (_, _, index) = ask("/", None).await;
        for path in ["/anything/else", "/experiments", "/experiments/", "/games/1/2", "//", "/controls"] {
            let (status, headers, body) = ask(path, None).await;
            assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
            assert_eq!(at_root(&body), at_root(&index), "{path}");
            assert!(headers.contains_key(header::CONTENT_SECURITY_POLICY));
        }
    }

    #[tokio::test]
    async fn addresses_of_the_api_are_never_answered_with_a_page() {
        for path in ["/api", "/api/", "/api/v1/overviews", "/api/v2/experiments/x"] {
            assert_eq!(ask(path, None).await.0, StatusCode::NOT_FOUND, "{path}");
        }
    }

    #[tokio::test]
    async fn missing_files_are_missing() {
        for path in ["/assets/index-gone.js", "/assets/index", "/favicon.ico", "/styles/x.css"] {
            assert_eq!(ask(path, None).await.0, StatusCode::NOT_FOUND, "{path}");
        }
    }

    #[tokio::test]
    async fn an_unchanged_page_is_not_sent_again() {
        let (_, headers, _) = ask("/", None).await;
        let tag = headers[header::ETAG].to_str().unwrap();
        for known in [tag.to_owned(), format!("W/{tag}"), format!("\"other\", {tag}")] {
            let (status, _, body) = ask("/", Some(&known)).await;
            assert_eq!((status, body.as_str()), (StatusCode::NOT_MODIFIED, ""), "{known}");
        }
        assert_eq!(ask("/", Some("\"other\"")).await.0, StatusCode::OK);
    }

    #[cfg(not(dashboard_missing))]
    #[tokio::test]
    async fn the_files_that_the_index_names_are_there_and_cached_for_good() {
        let (_, _, index) = ask("/", None).await;
        let assets: Vec<_> = index
            .split('"')
            .filter_map(|text| text.strip_prefix("./assets/"))
            .map(|name| format!("/assets/{name}"))
            .collect();
        assert_eq!(assets.len(), 2, "a script and a style sheet: {index}");
        for path in assets {
            let (status, headers, _) = ask(&path, None).await;
            assert_eq!(status, StatusCode::OK, "{path}");
            assert!(headers[header::CACHE_CONTROL].to_str().unwrap().contains("immutable"));
            let kind = headers[header::CONTENT_TYPE].to_str().unwrap();
            assert_eq!(
                kind,
                if path.ends_with(".js") {
                    "text/javascript; charset=utf-8"
                } else {
                    "text/css; charset=utf-8"
                }
            );
        }
    }
}
