//! The OpenAPI document.

use super::check;
use crate::access::Scope;
use crate::endpoint::Declaration;
use crate::endpoints::operations;
use crate::sync::ErrorBody;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The place of the document in the repository, from which the coordinator serves it.
const FILE: &str = "docs/reference/openapi.json";

/// Where the schemas of the document are.
const SCHEMAS: &str = "#/components/schemas/";

/// The schemas of an endpoint.
pub(crate) struct Operation {
    declaration: Declaration,
    /// The parts of the path, in their order.
    path: Value,
    query: Value,
    body: Value,
    answer: Value,
}

/// The schemas of what is sent and of what is answered: optional fields differ.
pub(crate) struct Generators {
    sent: SchemaGenerator,
    answered: SchemaGenerator,
}

impl Generators {
    fn new() -> Self {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        });
        Self {
            sent: settings.clone().for_deserialize().into_generator(),
            answered: settings.for_serialize().into_generator(),
        }
    }

    pub(crate) fn operation<P: JsonSchema, Q: JsonSchema, B: JsonSchema, A: JsonSchema>(
        &mut self,
        declaration: Declaration,
    ) -> Operation {
        let value = |schema: Schema| schema.to_value();
        Operation {
            declaration,
            path: value(P::json_schema(&mut self.sent)),
            query: value(Q::json_schema(&mut self.sent)),
            body: value(self.sent.subschema_for::<B>()),
            answer: value(self.answered.subschema_for::<A>()),
        }
    }
}

/// The names of the schemas to which a value refers.
fn references(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            let name = fields.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix(SCHEMAS));
            found.extend(name.map(str::to_owned));
            fields.values().for_each(|field| references(field, found));
        }
        Value::Array(values) => values.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

/// Replaces references to these schemas by references to those with `Sent` after the name.
fn rename(value: &mut Value, names: &BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            if let Some(Value::String(path)) = fields.get_mut("$ref")
                && path.strip_prefix(SCHEMAS).is_some_and(|name| names.contains(name))
            {
                path.push_str("Sent");
            }
            fields.values_mut().for_each(|field| rename(field, names));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| rename(value, names)),
        _ => {}
    }
}

/// The schemas that have another form where they are sent than where they are answered.
fn differing(sent: &Map<String, Value>, answered: &Map<String, Value>) -> BTreeSet<String> {
    let both = || sent.iter().filter(|(name, _)| answered.contains_key(*name));
    let mut names: BTreeSet<String> =
        both().filter(|(name, schema)| answered[*name] != **schema).map(|(name, _)| name.clone()).collect();
    loop {
        let known = names.len();
        for (name, schema) in both() {
            let mut used = BTreeSet::new();
            references(schema, &mut used);
            if !used.is_disjoint(&names) {
                names.insert(name.clone());
            }
        }
        if names.len() == known {
            return names;
        }
    }
}

/// The name of an operation: that of its endpoint, as JavaScript writes names.
pub(super) fn operation_id(name: &str) -> String {
    name[..1].to_lowercase() + &name[1..]
}

fn parameters(operation: &Operation) -> Vec<Value> {
    let declared = operation.declaration.path.split('/').filter_map(|part| part.strip_prefix('{'));
    let names: Vec<&str> = declared.map(|part| part.trim_end_matches('}')).collect();
    let schemas = match &operation.path["prefixItems"] {
        Value::Array(schemas) => schemas.clone(),
        _ => vec![operation.path.clone()],
    };
    let of_path = names.iter().zip(schemas).map(|(name, schema)| {
        let words = match *name {
            "key" => "An id or its first digits, or a name.",
            "name" => "A name.",
            "number" => "A number.",
            _ => "An id or its first digits.",
        };
        json!({ "name": name, "in": "path", "required": true, "description": words, "schema": schema })
    });
    let required = operation.query["required"].as_array().cloned().unwrap_or_default();
    let of_query = operation.query["properties"].as_object().into_iter().flatten().map(|(name, schema)| {
        let mut schema = schema.clone();
        let words = schema.as_object_mut().and_then(|schema| schema.remove("description"));
        json!({
            "name": name, "in": "query", "required": required.contains(&json!(name)),
            "description": words.unwrap_or_default(), "schema": schema,
        })
    });
    of_path.chain(of_query).collect()
}

fn described(operation: &Operation) -> Value {
    let Declaration { name, scope, summary, content, largest_body, .. } = operation.declaration;
    let summary = summary.trim();
    let title = summary.split_once([':', ';', '.']).map_or(summary, |(first, _)| first);
    let answer = match content {
        None => json!({ "description": "Done." }),
        Some(crate::endpoint::JSON) => {
            json!({ "description": "The answer.", "content": { "application/json": { "schema": operation.answer } } })
        }
        Some(content) => {
            let kind = content.split(';').next().unwrap_or_default();
            json!({ "description": "The answer.", "content": { kind: {} } })
        }
    };
    let mut described = json!({
        "operationId": operation_id(name),
        "summary": title,
        "description": summary,
        "parameters": parameters(operation),
        "responses": {
            if content.is_some() { "200" } else { "204" }: answer,
            "default": { "$ref": "#/components/responses/Error" },
        },
        "security": scope.map_or(json!([{}]), |scope| json!([{ "token": [scope] }])),
    });
    if largest_body.is_some() {
        described["requestBody"] =
            json!({ "required": true, "content": { "application/json": { "schema": operation.body } } });
    }
    described
}

/// The document.
pub(super) fn document() -> Value {
    let mut generators = Generators::new();
    let mut operations = operations(&mut generators);
    let error = generators.answered.subschema_for::<ErrorBody>();
    // The words of `Scopes`, for the dashboard.
    generators.answered.subschema_for::<Scope>();
    let (mut sent, mut schemas) =
        (generators.sent.take_definitions(true), generators.answered.take_definitions(true));
    let differing = differing(&sent, &schemas);
    for operation in &mut operations {
        for value in [&mut operation.path, &mut operation.query, &mut operation.body] {
            rename(value, &differing);
        }
    }
    sent.values_mut().for_each(|schema| rename(schema, &differing));
    for (name, schema) in sent {
        let name = if differing.contains(&name) { name + "Sent" } else { name };
        schemas.insert(name, schema);
    }
    let mut paths = Map::new();
    for operation in &operations {
        let Declaration { path, method, .. } = operation.declaration;
        let item = paths.entry(path).or_insert_with(|| json!({}));
        item[method.name().to_lowercase()] = described(operation);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Gauntlet",
            "version": crate::PROTOCOL_VERSION.to_string(),
            "description": "The HTTP API of a coordinator. Times are in milliseconds since 1970, rates are fractions from 0 \
                            to 1 from the case's point of view.",
        },
        "security": [{ "token": [] }],
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": {
                "Error": {
                    "description": "Every answer that is not 2xx. `code` is stable, `message` is for people, and \
                                    `retry_after_ms` is present when the call may be repeated.",
                    "content": { "application/json": { "schema": error } },
                },
            },
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token of `gauntlet token add` with the scope that an operation names: `work`, `read`, \
                                    `experiment` (includes `read`) or `admin` (includes all). Results may be open to callers \
                                    without a token.",
                },
            },
        },
    })
}

#[test]
fn the_document_is_that_of_the_declarations() {
    let text = serde_json::to_string_pretty(&document()).expect("JSON");
    check(FILE, &(text + "\n"));
}

#[test]
fn every_reference_of_the_document_resolves_and_every_operation_has_its_own_name() {
    let document = document();
    let mut used = BTreeSet::new();
    references(&document, &mut used);
    let schemas = document["components"]["schemas"].as_object().expect("schemas");
    let defined: BTreeSet<String> = schemas.keys().cloned().collect();
    assert!(used.is_subset(&defined), "not defined: {:?}", used.difference(&defined));
    let mut names = BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            let name = operation["operationId"].as_str().expect("a name");
            assert!(names.insert(name.to_owned()), "{name} is the name of two operations");
            let parameters = operation["parameters"].as_array().expect("parameters");
            let of_path = parameters.iter().filter(|parameter| parameter["in"] == "path").count();
            assert_eq!(of_path, path.matches('{').count(), "{method} {path}");
            for parameter in parameters {
                let words = parameter["description"].as_str().unwrap_or_default();
                assert!(!words.is_empty(), "{method} {path}: {} has no description", parameter["name"]);
            }
            assert!(operation["summary"].as_str().is_some_and(|words| !words.is_empty()), "{method} {path}");
        }
    }
    assert_eq!(names.len(), crate::endpoints::ALL.len());
}
