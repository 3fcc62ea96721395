//! Go structs whose fields are values.

use crate::template::function::Function;
use crate::template::value::{Item, Kind, Map, Member, Object, Value};
use std::any::Any;
use std::rc::Rc;

/// A struct: fields in order, and methods.
#[derive(Debug)]
pub(crate) struct Structure {
    pub(crate) type_name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) fields: Vec<(&'static str, Value)>,
    pub(crate) methods: &'static [Function],
    /// What it prints as, if it says so itself.
    pub(crate) text: Option<Rc<str>>,
}

impl Object for Structure {
    fn type_name(&self) -> &'static str {
        self.type_name
    }

    fn kind(&self) -> Kind {
        self.kind
    }

    fn member(&self, name: &str) -> Option<Member> {
        if let Some(method) = self.methods.iter().find(|method| method.name == name) {
            return Some(Member::Method(method));
        }
        let (_, value) = self.fields.iter().find(|(field, _)| *field == name)?;
        Some(Member::Field(Item::from(value.clone())))
    }

    fn print(&self) -> String {
        if let Some(text) = &self.text {
            return text.to_string();
        }
        let fields: Vec<String> =
            self.fields.iter().map(|(_, value)| crate::template::format::text(value)).collect();
        format!("{{{}}}", fields.join(" "))
    }

    fn plain(&self) -> Value {
        Map::of_any(self.fields.iter().map(|(name, value)| ((*name).into(), value.clone().into())).collect())
            .into()
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
