//! What a request asks for, read from its method and address as the API server reads it.

use hyper::{Method, Uri};

/// Verb and object of a request (`RequestInfo` of `k8s.io/apiserver/pkg/endpoints/request`). Parts that the request does
/// not name are empty, all but the verb for an address that is no resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) verb: String,
    pub(super) group: String,
    pub(super) resource: String,
    pub(super) subresource: String,
    pub(super) namespace: String,
    pub(super) name: String,
}

impl Asked {
    pub(super) fn read(method: &Method, uri: &Uri) -> Self {
        let mut parts = uri.path().split('/').filter(|part| !part.is_empty());
        let group = match parts.next() {
            Some("api") => Some(""),
            Some("apis") => parts.next(),
            _ => None,
        };
        let rest: Vec<&str> = parts.skip(1).collect();
        let (Some(group), false) = (group, rest.is_empty()) else {
            return Self { verb: method.as_str().to_lowercase(), ..Self::default() };
        };
        let mut asked = Self { group: group.to_owned(), ..Self::of_parts(&rest) };
        asked.verb = asked.verb(method, uri.query().unwrap_or_default()).to_owned();
        asked
    }

    fn of_parts(parts: &[&str]) -> Self {
        let (namespace, parts) = match parts {
            // The namespace itself, its status and its finalization are no objects inside it.
            ["namespaces", name] | ["namespaces", name, "status" | "finalize"] => (*name, parts),
            ["namespaces", namespace, rest @ ..] if !rest.is_empty() => (*namespace, rest),
            _ => ("", parts),
        };
        let part = |number: usize| parts.get(number).copied().unwrap_or_default().to_owned();
        Self {
            namespace: namespace.to_owned(),
            resource: part(0),
            name: part(1),
            subresource: part(2),
            ..Self::default()
        }
    }

    fn verb(&self, method: &Method, query: &str) -> &'static str {
        let watches = query.split('&').any(|pair| matches!(pair, "watch=true" | "watch=1" | "watch"));
        match (method.as_str(), self.name.is_empty()) {
            ("GET" | "HEAD", _) if watches => "watch",
            ("GET" | "HEAD", true) => "list",
            ("GET" | "HEAD", false) => "get",
            ("POST", _) => "create",
            ("PUT", _) => "update",
            ("PATCH", _) => "patch",
            ("DELETE", true) => "deletecollection",
            ("DELETE", false) => "delete",
            _ => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(method: &str, uri: &str) -> [String; 6] {
        let asked = Asked::read(&method.parse().unwrap(), &uri.parse().unwrap());
        [asked.verb, asked.group, asked.resource, asked.subresource, asked.namespace, asked.name]
    }

    #[test]
    fn verbs_and_objects_are_those_of_the_audit_log() {
        let cases = [
            ("GET", "/api/v1/namespaces/d/pods/x", ["get", "", "pods", "", "d", "x"]),
            ("GET", "/apis/apps/v1/deployments?limit=500", ["list", "apps", "deployments", "", "", ""]),
            ("GET", "/api/v1/pods?allowWatchBookmarks=true&watch=true", ["watch", "", "pods", "", "", ""]),
            (
                "PATCH",
                "/apis/apps/v1/namespaces/d/deployments/x/status",
                ["patch", "apps", "deployments", "status", "d", "x"],
            ),
            (
                "DELETE",
                "/api/v1/namespaces/d/configmaps",
                ["deletecollection", "", "configmaps", "", "d", ""],
            ),
            ("DELETE", "/api/v1/namespaces/d", ["delete", "", "namespaces", "", "d", "d"]),
            ("PUT", "/api/v1/namespaces/d/finalize", ["update", "", "namespaces", "finalize", "d", "d"]),
            ("POST", "/api/v1/namespaces/d/pods/x/exec", ["create", "", "pods", "exec", "d", "x"]),
            ("GET", "/readyz", ["get", "", "", "", "", ""]),
            ("GET", "/apis/apps/v1", ["get", "", "", "", "", ""]),
        ];
        for (method, uri, asked) in cases {
            assert_eq!(read(method, uri), asked, "{method} {uri}");
        }
    }
}
