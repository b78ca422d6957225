//! What an endpoint of the HTTP API is, and the macro that declares endpoints.
//!
//! From a declaration come the route of the coordinator, the call of a client, the fetcher of the dashboard, a row of
//! docs/reference/protocol.md and an operation of the OpenAPI document.

use crate::access::Scope;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The method of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Reads. A GET never writes.
    Get,
    /// Changes something.
    Post,
    /// Removes something.
    Delete,
}

impl Method {
    /// The method's name in HTTP.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Delete => "DELETE",
        }
    }
}

/// The content type of most answers.
pub const JSON: &str = "application/json";

/// A declared endpoint.
#[derive(Debug, Clone, Copy)]
pub struct Declaration {
    /// The name of the endpoint's type.
    pub name: &'static str,
    /// The method.
    pub method: Method,
    /// The path, with its variable parts in braces.
    pub path: &'static str,
    /// The scope that a caller needs; none for anybody.
    pub scope: Option<Scope>,
    /// What the endpoint does, in Markdown.
    pub summary: &'static str,
    /// Whether a call has a query.
    pub has_query: bool,
    /// The largest body in bytes; none if the endpoint takes no body.
    pub largest_body: Option<usize>,
    /// The content type of the answer; none for an answer without content.
    pub content: Option<&'static str>,
}

/// An endpoint with the types of its calls and answers.
pub trait Endpoint: Send + Sync + 'static {
    /// All else that is declared.
    const DECLARATION: Declaration;

    /// The variable parts of the path.
    type Path: PathParts;
    /// The query.
    type Query: Serialize + DeserializeOwned + Send;
    /// The body.
    type Body: Serialize + DeserializeOwned + Send + 'static;
    /// The answer.
    type Answer;

    /// The parts of a call's path.
    #[must_use]
    fn segments(path: &Self::Path) -> Vec<String> {
        let mut parts = path.parts().into_iter();
        let segment = |name: &str| match name.starts_with('{') {
            true => parts.next().unwrap_or_default(),
            false => name.to_owned(),
        };
        Self::DECLARATION.path[1..].split('/').map(segment).collect()
    }
}

/// The values of the variable parts of a path, in their order.
pub trait PathParts: DeserializeOwned + Send {
    /// Their number.
    const COUNT: usize;

    /// The values as text.
    fn parts(&self) -> Vec<String>;
}

impl PathParts for () {
    const COUNT: usize = 0;

    fn parts(&self) -> Vec<String> {
        Vec::new()
    }
}

impl PathParts for String {
    const COUNT: usize = 1;

    fn parts(&self) -> Vec<String> {
        vec![self.clone()]
    }
}

impl PathParts for (String, u64) {
    const COUNT: usize = 2;

    fn parts(&self) -> Vec<String> {
        vec![self.0.clone(), self.1.to_string()]
    }
}

/// The number of variable parts in a declared path.
pub(crate) const fn variables(path: &str) -> usize {
    let (mut count, mut at) = (0, 0);
    while at < path.len() {
        count += (path.as_bytes()[at] == b'{') as usize;
        at += 1;
    }
    count
}

/// An answer that is a file or a stream, not JSON.
#[derive(Debug)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub struct File;

/// Declares endpoints: `NAME: METHOD PATH (types of the variable parts), SCOPE, query TYPE, body TYPE [largest] => ANSWER as CONTENT TYPE`.
/// A path is below `/api/v1/`, or below `/` after the word `root`. The scope `Anybody` needs no token.
macro_rules! endpoints {
    (@path $path:literal) => { concat!("/api/v1/", $path) };
    (@path root $path:literal) => { concat!("/", $path) };
    (@scope Anybody) => { None };
    (@scope $scope:ident) => { Some(Scope::$scope) };
    (@type) => { () };
    (@type $type:ty) => { $type };
    (@type $($type:ty),+) => { ($($type),+) };
    (@has) => { false };
    (@has $query:ty) => { true };
    (@largest) => { None };
    (@largest $body:ty) => { Some(SMALL) };
    (@largest $body:ty, $largest:expr) => { Some($largest) };
    (@content) => { None };
    (@content $answer:ty) => { Some(JSON) };
    (@content $answer:ty, $content:expr) => { Some($content) };
    ($(
        $(#[doc = $summary:literal])+
        $name:ident: $method:ident $($root:ident)? $path:literal $(($($part:ty),+))?, $scope:ident
            $(, query $query:ty)? $(, body $body:ty $([$largest:expr])?)? $(=> $answer:ty $(as $content:expr)?)?;
    )+) => {
        $(
            $(#[doc = $summary])+
            #[derive(Debug, Clone, Copy)]
            pub struct $name;

            impl Endpoint for $name {
                const DECLARATION: Declaration = Declaration {
                    name: stringify!($name),
                    method: Method::$method,
                    path: endpoints!(@path $($root)? $path),
                    scope: endpoints!(@scope $scope),
                    summary: concat!($($summary),+),
                    has_query: endpoints!(@has $($query)?),
                    largest_body: endpoints!(@largest $($body $(, $largest)?)?),
                    content: endpoints!(@content $($answer $(, $content)?)?),
                };
                type Path = endpoints!(@type $($($part),+)?);
                type Query = endpoints!(@type $($query)?);
                type Body = endpoints!(@type $($body)?);
                type Answer = endpoints!(@type $($answer)?);
            }

            const _: () = assert!(
                variables($name::DECLARATION.path) == <<$name as Endpoint>::Path as PathParts>::COUNT,
                "a path needs a type for each of its variable parts",
            );
        )+

        /// Every endpoint.
        pub const ALL: &[Declaration] = &[$($name::DECLARATION),+];

        /// Every endpoint with its schemas.
        #[cfg(test)]
        pub(crate) fn operations(
            generators: &mut crate::tests::openapi::Generators,
        ) -> Vec<crate::tests::openapi::Operation> {
            vec![$(
                generators.operation::<
                    <$name as Endpoint>::Path,
                    <$name as Endpoint>::Query,
                    <$name as Endpoint>::Body,
                    <$name as Endpoint>::Answer,
                >($name::DECLARATION)
            ),+]
        }
    };
}
pub(crate) use endpoints;
