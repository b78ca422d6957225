//! Words that somebody wrote, in messages: the part of them that is quoted, and suggestions for misspelt names.

/// The part of a text that a message quotes.
#[must_use]
pub fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The name of `known` that `found`, in any case, probably stands for.
#[must_use]
pub fn closest<'k>(found: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    let found = found.to_lowercase();
    known
        .into_iter()
        .map(|name| (strsim::jaro_winkler(&found, name), name))
        .filter(|(similarity, name)| {
            // In a short name one wrong letter leaves little similarity.
            (*similarity > 0.75 && found.len() > 1) || strsim::osa_distance(&found, name) == 1
        })
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}
