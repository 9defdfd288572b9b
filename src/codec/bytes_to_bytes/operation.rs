//! What a bytes-to-bytes codec that is a step of its own does to a chunk.

use crate::{error::Error, kernel::window::Window, stream::Memory};

/// Makes [`Operation`] of the types of codecs.
macro_rules! operations {
    ($($module:ident::$codec:ident),+) => {
        $(use super::$module::$codec;)+

        /// A bytes-to-bytes codec and its parameters.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Operation {
            $(#[allow(missing_docs)] $codec($codec),)+
        }

        /// The codec of an operation.
        enum Number { $($codec,)+ }

        $(impl From<$codec> for Operation {
            fn from(codec: $codec) -> Self {
                Self::$codec(codec)
            }
        })+

        impl Operation {
            /// Packs the operation into a number, opaque to JavaScript: the codec in the lowest byte, its parameters above.
            pub fn to_number(self) -> u32 {
                match self {
                    $(Self::$codec(codec) => Number::$codec as u32 | codec.to_parameters() << 8,)+
                }
            }

            /// Unpacks a number from [`Self::to_number`].
            ///
            /// # Panics
            /// Panics on any other.
            pub fn from_number(number: u32) -> Self {
                $(if number & 0xff == Number::$codec as u32 {
                    return Self::$codec($codec::from_parameters(number >> 8));
                })+
                unreachable!("a number of an operation")
            }

            /// Returns the number of bytes that encoding adds.
            pub fn overhead(self) -> usize {
                match self {
                    $(Self::$codec(_) => $codec::OVERHEAD,)+
                }
            }

            /// Decodes a chunk into `decoded`, which is shorter by the overhead. Verifies checksums unless `verify` is false.
            ///
            /// # Errors
            /// Returns [`Error::ChunkLength`] or [`Error::ChecksumMismatch`]; `decoded` is then unchanged.
            pub fn decode<M: Memory + ?Sized>(
                self,
                window: &mut Window,
                encoded: &M,
                decoded: &mut M,
                verify: bool,
            ) -> Result<(), Error> {
                match self {
                    $(Self::$codec(codec) => codec.decode(window, encoded, decoded, verify),)+
                }
            }

            /// Encodes a chunk into `encoded`, which is longer by the overhead.
            pub fn encode<M: Memory + ?Sized>(self, window: &mut Window, decoded: &M, encoded: &mut M) {
                match self {
                    $(Self::$codec(codec) => codec.encode(window, decoded, encoded),)+
                }
            }
        }
    };
}

operations!(numcodecs_checksum::Checksum, shuffle::Shuffle);
