//! The types and the calls of the dashboard, from the OpenAPI document.

use super::openapi::{document, operation_id};
use super::{COMMAND, check};
use crate::endpoint::{Declaration, JSON};
use crate::endpoints::ALL;
use serde_json::Value;
use std::fmt::Write;

const FILE: &str = "dashboard/src/api-types.ts";

/// A comment with the words of a schema.
fn comment(schema: &Value) -> String {
    match schema["description"].as_str() {
        Some(words) => format!("/** {} */\n", words.trim().replace('\n', " ")),
        None => String::new(),
    }
}

/// Joins the alternatives of a type, each once.
fn union(types: impl Iterator<Item = String>) -> String {
    let mut alternatives: Vec<String> = Vec::new();
    for one in types {
        if !alternatives.contains(&one) {
            alternatives.push(one);
        }
    }
    alternatives.join(" | ")
}

fn list(schema: &Value, key: &str) -> Option<String> {
    schema[key].as_array().map(|values| union(values.iter().map(type_of)))
}

/// The type of the values that a schema allows.
fn type_of(schema: &Value) -> String {
    if let Some(path) = schema["$ref"].as_str() {
        return path.rsplit('/').next().unwrap_or_default().to_owned();
    }
    if let Some(value) = schema.get("const") {
        return value.to_string();
    }
    if let Some(values) = schema["enum"].as_array() {
        return union(values.iter().map(Value::to_string));
    }
    let alternatives = list(schema, "oneOf").or_else(|| list(schema, "anyOf"));
    match (alternatives, schema.get("properties")) {
        (Some(alternatives), None) => alternatives,
        (Some(alternatives), Some(_)) => format!("{} & ({alternatives})", object(schema)),
        (None, _) => match &schema["type"] {
            Value::Array(kinds) => union(kinds.iter().map(|kind| of_kind(kind, schema))),
            kind => of_kind(kind, schema),
        },
    }
}

fn of_kind(kind: &Value, schema: &Value) -> String {
    match kind.as_str() {
        Some("string") => "string".to_owned(),
        Some("boolean") => "boolean".to_owned(),
        Some("null") => "null".to_owned(),
        Some("integer" | "number") => "number".to_owned(),
        Some("array") => array(schema),
        Some("object") => object(schema),
        _ => "unknown".to_owned(),
    }
}

fn array(schema: &Value) -> String {
    if let Some(items) = schema["prefixItems"].as_array() {
        return format!("[{}]", items.iter().map(type_of).collect::<Vec<_>>().join(", "));
    }
    let item = type_of(&schema["items"]);
    match (schema["minItems"].as_u64(), schema["maxItems"].as_u64()) {
        (Some(least), Some(most)) if least == most => format!("[{}]", vec![item; most as usize].join(", ")),
        _ => format!("Array<{item}>"),
    }
}

fn object(schema: &Value) -> String {
    let Some(fields) = schema["properties"].as_object() else {
        return match &schema["additionalProperties"] {
            values @ Value::Object(_) => format!("Record<string, {}>", type_of(values)),
            _ => "Record<string, never>".to_owned(),
        };
    };
    let required = schema["required"].as_array();
    let mut text = "{\n".to_owned();
    for (name, field) in fields {
        let is_required = required.is_some_and(|names| names.iter().any(|one| one == name.as_str()));
        // A field that is left out when there is nothing to say is never null.
        let (mark, kind) = match is_required {
            true => ("", type_of(field)),
            false => ("?", type_of(field).replace(" | null", "")),
        };
        let _ = writeln!(text, "{}{name}{mark}: {kind};", comment(field));
    }
    text + "}"
}

/// A call as a function of the variable parts of the path, the query and the body.
fn function(document: &Value, declared: &Declaration) -> String {
    let operation = &document["paths"][declared.path][declared.method.name().to_lowercase()];
    let (mut takes, mut query) = (Vec::new(), Vec::new());
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let name = parameter["name"].as_str().unwrap_or_default();
        let kind = type_of(&parameter["schema"]).replace(" | null", "");
        match (parameter["in"] == "path", parameter["required"] == true) {
            (true, _) => takes.push(format!("{name}: {kind}")),
            (false, true) => query.push(format!("{name}: {kind}")),
            (false, false) => query.push(format!("{name}?: {kind} | undefined")),
        }
    }
    let path = declared.path.trim_start_matches('/').replace('{', "${encodeURIComponent(").replace('}', ")}");
    let mut address = format!("`{path}`");
    if !query.is_empty() {
        let is_optional = query.iter().all(|one| one.contains("?: "));
        takes.push(format!("query: {{ {} }}{}", query.join("; "), if is_optional { " = {}" } else { "" }));
        address = format!("addQuery({address}, query)");
    }
    let answer = match declared.content {
        Some(JSON) => type_of(&operation["responses"]["200"]["content"][JSON]["schema"]),
        Some(_) => return format!("({}): string => {address}", takes.join(", ")),
        None => "undefined".to_owned(),
    };
    let mut sent = String::new();
    if declared.largest_body.is_some() {
        takes.push(format!("body: {}", type_of(&operation["requestBody"]["content"][JSON]["schema"])));
        sent = ", body".to_owned();
    }
    let method = declared.method.name();
    format!("({}): Call<{answer}> => ({{ method: \"{method}\", path: {address}{sent} }})", takes.join(", "))
}

/// What stands before the types and the calls.
const CALL: &str = "
import { addQuery } from \"./routes\";

/** What is sent, to a path below the root of the pages. */
export interface Call<Answer> {
  method: \"GET\" | \"POST\" | \"DELETE\";
  path: string;
  body?: unknown;
  /** For the type alone. */
  answer?: Answer;
}
";

#[test]
fn the_types_and_calls_of_the_dashboard_are_those_of_the_document() {
    let document = document();
    let mut text = format!("// Written by `{COMMAND}` from `protocol/src`.\n{CALL}");
    for (name, schema) in document["components"]["schemas"].as_object().expect("schemas") {
        let _ = writeln!(text, "\n{}export type {name} = {};", comment(schema), type_of(schema));
    }
    for declared in ALL {
        let (words, name) = (declared.summary.trim(), operation_id(declared.name));
        let _ = writeln!(text, "\n/** {words} */\nexport const {name} = {};", function(&document, declared));
    }
    check(FILE, &text);
}
