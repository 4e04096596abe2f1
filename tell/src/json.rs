//! Data as JSON, with files named as their readers know them.

use serde::Serialize;
use serde_json::Value;

/// As JSON, with the name of each file as `name` has it.
pub fn with_files_named(data: impl Serialize, name: &impl Fn(&str) -> String) -> Value {
    let mut value = serde_json::to_value(data).expect("plain data has a JSON form");
    name_files(&mut value, name);
    value
}

/// Only a source location has a `file`.
fn name_files(value: &mut Value, name: &impl Fn(&str) -> String) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                match value {
                    Value::String(file) if key == "file" => *file = name(file),
                    value => name_files(value, name),
                }
            }
        }
        Value::Array(all) => all.iter_mut().for_each(|one| name_files(one, name)),
        _ => {}
    }
}
