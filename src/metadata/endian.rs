//! Byte order.

/// The order in which the bytes of a component are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endian {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

impl Endian {
    /// The byte order of this host.
    pub const HOST: Self = if cfg!(target_endian = "little") {
        Self::Little
    } else {
        Self::Big
    };

    /// Returns the byte order with this name in metadata.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Little, Self::Big]
            .into_iter()
            .find(|endian| endian.name() == name)
    }

    /// Returns its name in metadata.
    pub fn name(self) -> &'static str {
        match self {
            Self::Little => "little",
            Self::Big => "big",
        }
    }
}
