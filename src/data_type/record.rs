//! The data types `struct` and `structured`: elements of several fields.
//!
//! Specification: <https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/struct>
//! Legacy:        `structured`, whose fields are written as `[name, data_type]`, and which is little-endian unless the
//!                `bytes` codec says otherwise: <https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/structured>
//! Configuration: `{ "fields": [{ "name", "data_type" }] }`; at least one, their names different. May be nested.

use super::DataType;
use crate::{
    error::Error,
    kernel::records::Run,
    metadata::{Json, Located},
};
use alloc::{string::String, vec::Vec};

/// A field of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// The position of its first byte in the element.
    pub offset: u64,
    /// Its data type.
    pub data_type: DataType,
}

impl DataType {
    /// Returns whether this is the legacy name.
    pub fn is_structured(&self) -> bool {
        self.name == "structured"
    }

    /// Reads the fields. Elements consist of them without padding.
    pub(super) fn read_fields(&mut self, configuration: &Located) -> Result<(), Error> {
        configuration.check_members(&["fields"])?;
        let fields = configuration.member("fields");
        let expected = "an array of at least one field";
        let mut size: u64 = 0;
        for item in fields.items(expected)? {
            let parts;
            let (name, data_type) = if self.is_structured() {
                let expected = "[name, data_type]";
                parts = item.items(expected)?.collect::<Vec<_>>();
                let [name, data_type] = parts[..] else {
                    return Err(item.invalid(expected));
                };
                (name, data_type)
            } else {
                item.check_members(&["name", "data_type"])?;
                (item.member("name"), item.member("data_type"))
            };
            let Some(Json::String(text)) = name.value else {
                return Err(name.invalid("the name of a field"));
            };
            if text.is_empty() || self.field(text).is_some() {
                return Err(name.invalid("a name that is not empty, and of one field"));
            }
            let data_type = DataType::from_metadata(&data_type)?;
            let (name, offset) = (text.clone(), size);
            size = size.saturating_add(data_type.element_size());
            self.fields.push(Field {
                name,
                offset,
                data_type,
            });
        }
        if self.fields.is_empty() {
            return Err(fields.invalid(expected));
        }
        self.components = size;
        Ok(())
    }

    /// Returns the field with this name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Appends the runs of components of more than one byte in an element that begins at `offset`.
    pub fn push_runs(&self, offset: u64, runs: &mut Vec<Run>) {
        for field in &self.fields {
            field.data_type.push_runs(offset + field.offset, runs);
        }
        if self.component_size > 1 {
            runs.push(Run {
                offset: offset as u32,
                size: self.component_size.into(),
                count: self.components as u32,
            });
        }
    }
}
