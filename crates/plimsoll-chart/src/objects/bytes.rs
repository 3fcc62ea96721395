//! The content of a file, as a slice of bytes.

use crate::chart::Content;
use crate::template::value::{Item, Kind, Member, Object, Text, Value};
use std::any::Any;

/// Bytes. Only a few functions make a text of them.
#[derive(Debug)]
pub(crate) struct Bytes(pub(crate) Content);

impl Object for Bytes {
    fn type_name(&self) -> &'static str {
        "[]uint8"
    }

    fn kind(&self) -> Kind {
        Kind::Slice
    }

    fn member(&self, _: &str) -> Option<Member> {
        None
    }

    fn print(&self) -> String {
        let numbers: Vec<String> = self.0.iter().map(u8::to_string).collect();
        format!("[{}]", numbers.join(" "))
    }

    fn plain(&self) -> Value {
        Value::from(data_encoding::BASE64.encode(&self.0))
    }

    fn length(&self) -> Option<usize> {
        Some(self.0.len())
    }

    fn items(&self) -> Option<Vec<Item>> {
        Some(self.0.iter().map(|byte| Item::from(Value::Byte(*byte))).collect())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The text that a function such as `toString` makes of bytes.
pub(crate) fn text_of(value: &Value) -> Option<Text> {
    match value {
        Value::Object(object) => {
            let bytes: &Bytes = object.as_any().downcast_ref()?;
            Some(Text::from_bytes(bytes.0.to_vec()))
        }
        _ => None,
    }
}
