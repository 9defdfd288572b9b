//! The codec chain of an array: resolved once, used for every chunk.

use super::{Codec, Kind, bytes, crc32c::Diagnosis, define};
use crate::{
    data_type::DataType,
    error::{Error, Representation},
    json::{Located, quoted},
    kernel::{ChunkStream, Conversion, checksum::CHECKSUM_SIZE},
    metadata::{ChainMetadata, Endian, read_shape},
};
use alloc::{borrow::ToOwned, format, string::String, vec, vec::Vec};

/// The longest chunk, encoded or decoded, in bytes: what every JavaScript engine can hold in one `ArrayBuffer`.
pub const LONGEST_CHUNK: u64 = u32::MAX as u64;

/// Leniency that files in the wild need; the default has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The byte order to assume where the metadata of multi-byte data should state it and does not.
    pub missing_endian: Option<Endian>,
    /// Whether a `bool` element other than 0 and 1 counts as true.
    pub accept_invalid_bool: bool,
}

/// What an array's metadata makes of its chunks.
#[derive(Clone, Debug, PartialEq)]
pub struct CodecChain {
    /// The data type.
    pub data_type: DataType,
    /// The shape of a chunk.
    pub shape: Vec<u64>,
    /// The codecs that apply: aliases, short-hands and assumptions resolved, skipped codecs left out.
    pub codecs: Vec<Codec>,
    /// What decoding does to the bytes before the checksums.
    pub conversion: Conversion,
}

impl CodecChain {
    /// Checks metadata completely and resolves it.
    pub fn resolve(metadata: &ChainMetadata, options: Options) -> Result<Self, Error> {
        let data_type = DataType::from_metadata(&metadata.data_type)?;
        let shape = read_shape(&metadata.shape)?;
        let (codecs, endian) = resolve_codecs(&metadata.codecs, &data_type, &options)?;
        let chain = Self {
            conversion: bytes::conversion(&data_type, endian, &options),
            data_type,
            shape,
            codecs,
        };
        if !chain.fits() {
            return Err(Error::metadata(
                &*metadata.shape.path,
                format!("a chunk of at most {LONGEST_CHUNK} bytes"),
                chain.length_arithmetic(chain.data_type.element_size(), chain.checksum_count()),
            ));
        }
        Ok(chain)
    }

    /// Whether the chunk is not too long in any form (float16 decodes to four bytes at most).
    fn fits(&self) -> bool {
        let widest =
            self.data_type.element_size() * if self.data_type.is_float16() { 2 } else { 1 };
        // Dimensions of length 0 do not excuse the others, whose product is a stride.
        let longest = self
            .shape
            .iter()
            .try_fold(widest, |n, &length| n.checked_mul(length.max(1)))
            .and_then(|n| n.checked_add(self.checksums_size()));
        longest.is_some_and(|longest| longest <= LONGEST_CHUNK)
    }

    /// How many elements there are between one and the next along each dimension, in C order.
    pub fn stride(&self) -> Vec<u64> {
        let mut stride = vec![1; self.shape.len()];
        for axis in (1..self.shape.len()).rev() {
            stride[axis - 1] = stride[axis] * self.shape[axis];
        }
        stride
    }

    /// Elements of a chunk.
    fn element_count(&self) -> u64 {
        self.shape.iter().product()
    }

    /// Bytes of the decoded chunk, its components as they are.
    pub fn decoded_size(&self) -> u64 {
        self.element_count() * self.data_type.element_size()
    }

    /// Bytes of the encoded chunk.
    pub fn encoded_size(&self) -> u64 {
        self.decoded_size() + self.checksums_size()
    }

    /// How many checksums follow the data.
    pub fn checksum_count(&self) -> usize {
        self.codecs
            .iter()
            .filter(|codec| **codec == Codec::Crc32c)
            .count()
    }

    fn checksums_size(&self) -> u64 {
        (self.checksum_count() * CHECKSUM_SIZE) as u64
    }

    /// Where the size of a chunk comes from, like `64 x 16 elements x 4 bytes + 4 checksum`.
    pub fn length_arithmetic(&self, element_size: u64, checksum_count: usize) -> String {
        /// As many dimensions are written out.
        const MOST: usize = 8;
        let mut elements = String::new();
        for (axis, length) in self.shape.iter().take(MOST).enumerate() {
            let times = if axis > 0 { " x " } else { "" };
            elements += &format!("{times}{length}");
        }
        elements += &match self.shape.len() {
            0 => "1 element".to_owned(),
            1..=MOST => " elements".to_owned(),
            count => format!(" x ... elements in {count} dimensions"),
        };
        let unit = if element_size == 1 { "byte" } else { "bytes" };
        let checksums = match checksum_count {
            0 => String::new(),
            1 => format!(" + {CHECKSUM_SIZE} checksum"),
            count => format!(" + {count} x {CHECKSUM_SIZE} checksums"),
        };
        format!("{elements} x {element_size} {unit}{checksums}")
    }

    /// Decodes a chunk: verifies its checksums and returns its components in the host's byte order.
    ///
    /// # Errors
    /// [`Error::ChunkLength`], [`Error::ChecksumMismatch`], [`Error::InvalidElement`].
    pub fn decode(&self, encoded: &[u8]) -> Result<Vec<u8>, Error> {
        self.check_length(Representation::Encoded, self.encoded_size(), encoded)?;
        let (data, checksums) = encoded.split_at(self.decoded_size() as usize);
        let mut decoded = vec![0; data.len()];
        let mut stream = ChunkStream::new(self.conversion, self.checksum_count());
        for (data, decoded) in data.chunks(PIECE).zip(decoded.chunks_mut(PIECE)) {
            stream.update(data);
            self.conversion.decode(data, decoded);
        }
        let invalid = match stream.verify(checksums) {
            Ok(invalid) => invalid,
            Err(mismatch) => {
                let mut diagnosis = Diagnosis::new(mismatch);
                diagnosis.update(encoded);
                return Err(diagnosis.conclude());
            }
        };
        invalid.map_or(Ok(decoded), |element| Err(element.into()))
    }

    /// Encodes a chunk from its components in the host's byte order.
    ///
    /// # Errors
    /// [`Error::ChunkLength`], [`Error::InvalidElement`].
    pub fn encode(&self, decoded: &[u8]) -> Result<Vec<u8>, Error> {
        self.check_length(Representation::Decoded, self.decoded_size(), decoded)?;
        let mut encoded = vec![0; self.encoded_size() as usize];
        let (data, checksums) = encoded.split_at_mut(decoded.len());
        let mut stream = ChunkStream::new(self.conversion, self.checksum_count());
        for (decoded, data) in decoded.chunks(PIECE).zip(data.chunks_mut(PIECE)) {
            self.conversion.encode(decoded, data);
            stream.update(data);
        }
        stream.append(checksums)?;
        Ok(encoded)
    }

    fn check_length(
        &self,
        representation: Representation,
        expected: u64,
        bytes: &[u8],
    ) -> Result<(), Error> {
        let actual = bytes.len() as u64;
        if actual == expected {
            return Ok(());
        }
        let checksum_count = match representation {
            Representation::Decoded => 0,
            Representation::Encoded => self.checksum_count(),
        };
        Err(Error::ChunkLength {
            representation,
            expected,
            actual,
            arithmetic: self.length_arithmetic(self.data_type.element_size(), checksum_count),
        })
    }
}

/// Chunks are worked on in pieces that stay in the cache between one step and the next.
const PIECE: usize = 1 << 16;

/// Resolves `codecs`, and checks that the order is one that can be executed.
fn resolve_codecs(
    metadata: &Located,
    data_type: &DataType,
    options: &Options,
) -> Result<(Vec<Codec>, Option<Endian>), Error> {
    const RULE: &str = "exactly one array-to-bytes codec, before all others";
    let mut codecs = Vec::new();
    let mut array_to_bytes = None;
    for item in metadata.items("an array of codecs")? {
        let Some((extension, definition)) = define(&item)? else {
            continue;
        };
        let out_of_place = match definition.kind {
            Kind::ArrayToBytes => array_to_bytes.is_some(),
            Kind::BytesToBytes => array_to_bytes.is_none(),
        };
        if out_of_place {
            let got = format!(
                "the {} codec {} {}",
                definition.kind.name(),
                quoted(&[definition.name]),
                if array_to_bytes.is_some() {
                    "after another"
                } else {
                    "first"
                },
            );
            return Err(Error::metadata(item.path, RULE, got));
        }
        let codec = (definition.resolve)(&extension, data_type, options)?;
        if let Codec::Bytes { endian } = codec {
            array_to_bytes = Some(endian);
        }
        codecs.push(codec);
    }
    match array_to_bytes {
        Some(endian) => Ok((codecs, endian)),
        None => Err(Error::metadata(&*metadata.path, RULE, "none")),
    }
}
