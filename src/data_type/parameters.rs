//! The configurations of data types.

use super::DataType;
use crate::{
    error::Error,
    metadata::{Extension, Json, quoted, read_integer},
};

/// What the configuration of a data type says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameters {
    /// Nothing: there is none.
    None,
    /// `unit` and `scale_factor`: what an integer counts. The smallest one is "not a time".
    Time,
    /// `length_bytes`: the size of an element.
    Length,
    /// `fields`: what an element consists of.
    Fields,
}

/// Specification: [numpy.datetime64](https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/numpy.datetime64).
const UNITS: [&str; 15] = [
    "Y", "M", "W", "D", "h", "m", "s", "ms", "us", "μs", "ns", "ps", "fs", "as", "generic",
];

impl DataType {
    /// Reads the configuration.
    pub(super) fn configure(&mut self, metadata: &Extension) -> Result<(), Error> {
        let configuration = &metadata.configuration;
        match self.parameters {
            Parameters::None => metadata.check_no_configuration()?,
            Parameters::Time => {
                configuration.check_members(&["unit", "scale_factor"])?;
                let unit = configuration.member("unit");
                if !matches!(unit.value, Some(Json::String(name)) if UNITS.contains(&name.as_str()))
                {
                    return Err(unit.invalid(&quoted(UNITS)));
                }
                let factor = configuration.member("scale_factor");
                let expected = "an integer from 1 to 2147483647";
                if read_integer(&factor, 1, expected)? > i32::MAX as u64 {
                    return Err(factor.invalid(expected));
                }
            }
            Parameters::Length => {
                configuration.check_members(&["length_bytes"])?;
                let length = configuration.member("length_bytes");
                let bytes = read_integer(&length, 1, "a positive integer")?;
                let size = u64::from(self.component_size);
                if !bytes.is_multiple_of(size) {
                    return Err(length.invalid("a multiple of 4"));
                }
                self.components = bytes / size;
            }
            Parameters::Fields => self.read_fields(configuration)?,
        }
        Ok(())
    }
}
