//! Deflated data: files of gzip and streams of zlib.

use crate::{Chunk, Decoded, Memory};
use miniz_oxide::inflate::{
    TINFLStatus,
    core::{
        DecompressorOxide, decompress, inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
    },
};
use zarr_codecs::{
    guard::{Format, Problem, Reader, Stored, compare, gzip, zlib},
    kernel::digest::{Algorithm, Digest},
};

/// How many bytes are allocated at first where the decoded length is not known, for each encoded byte.
const TYPICAL_RATIO: usize = 4;

/// Decodes the members of a file of gzip.
pub fn decode_gzip<'a>(mut chunk: Chunk, memory: &'a mut Memory) -> Result<Decoded<'a>, Problem> {
    let end = chunk.encoded.len() as u64;
    let expected = gzip::check(&mut chunk.reader, chunk.decoded_length)?;
    let stated = expected.stated.filter(|_| !expected.is_contradictory);
    let mut output = Output::new(&chunk, stated.map(u64::from), memory)?;
    let mut at = 0;
    while at == 0 || at != end {
        let mut member = part(&mut chunk.reader, at)?;
        let data = gzip::read_header(&mut member)?;
        let (deflated, start) = inflate(&chunk, at + data, &mut output)?;
        let decoded = &output.bytes[start..output.length];
        let crc = checksum(Algorithm::Crc32, decoded);
        Format::Gzip.check_end(&mut member, data + deflated, |_| crc)?;
        let trailer = member.number(data + deflated, gzip::TRAILER)?;
        if chunk.verify {
            compare(Algorithm::Crc32, trailer as u32, crc, decoded.len() as u64)?;
        }
        if (trailer >> 32) as u32 != decoded.len() as u32 {
            return Err(Problem::Invalid(
                "trailer with a wrong length",
                at + data + deflated + 4,
            ));
        }
        at += data + deflated + gzip::TRAILER as u64;
    }
    output.finish(&chunk)
}

/// Decodes a stream of zlib.
pub fn decode_zlib<'a>(mut chunk: Chunk, memory: &'a mut Memory) -> Result<Decoded<'a>, Problem> {
    let stored = zlib::check(&mut chunk.reader, chunk.decoded_length)?.checksum;
    let mut output = Output::new(&chunk, None, memory)?;
    let (deflated, _) = inflate(&chunk, zlib::HEADER as u64, &mut output)?;
    let decoded = &output.bytes[..output.length];
    let adler = checksum(Algorithm::Adler32, decoded);
    let end = zlib::HEADER as u64 + deflated;
    Format::Zlib.check_end(&mut chunk.reader, end, |_| adler)?;
    if let (true, Some(Stored { value, .. })) = (chunk.verify, stored) {
        compare(Algorithm::Adler32, value, adler, decoded.len() as u64)?;
    }
    output.finish(&chunk)
}

/// Returns a reader of the encoded bytes from a position on.
fn part<'a>(reader: &mut Reader<'a>, at: u64) -> Result<Reader<'a>, Problem> {
    let length = reader.length() - at;
    reader
        .part(at, length)
        .ok_or(Problem::Invalid("truncated", at))
}

fn checksum(algorithm: Algorithm, bytes: &[u8]) -> u32 {
    let mut digest = Digest::new(algorithm);
    digest.update(bytes);
    digest.finish()
}

/// Decoded bytes, for which there is memory before they are decoded.
struct Output<'a> {
    /// At least as long as the decoded bytes.
    bytes: &'a mut Vec<u8>,
    /// The number of decoded bytes.
    length: usize,
    /// How many there may be.
    most: usize,
}

impl<'a> Output<'a> {
    /// `stated` is what the encoded bytes say of their length.
    fn new(chunk: &Chunk, stated: Option<u64>, memory: &'a mut Memory) -> Result<Self, Problem> {
        let guess = (chunk.encoded.len() * TYPICAL_RATIO) as u64;
        let most = chunk.most();
        let length = match chunk.decoded_length.or(stated) {
            Some(length) => chunk.size(length)?,
            None => guess.min(most) as usize,
        };
        memory.of(length);
        Ok(Self {
            bytes: &mut memory.0,
            length: 0,
            most: most as usize,
        })
    }

    /// Returns the memory from a position on.
    fn from(&mut self, start: usize) -> &mut [u8] {
        let end = self.bytes.len().min(self.most);
        &mut self.bytes[start..end]
    }

    /// Makes room for more bytes. Returns false if there may be no more.
    fn grow(&mut self) -> bool {
        let length = self.bytes.len();
        if length >= self.most {
            return false;
        }
        self.bytes.resize(self.most.min(2 * length.max(64)), 0);
        true
    }

    /// Checks the number of decoded bytes.
    fn finish(self, chunk: &Chunk) -> Result<Decoded<'a>, Problem> {
        match chunk.decoded_length {
            Some(expected) if expected != self.length as u64 => Err(Problem::Length {
                origin: "encoded bytes hold",
                expected,
                actual: self.length as u64,
            }),
            _ => Ok(Decoded {
                bytes: &self.bytes[..self.length],
                is_covered: chunk.verify,
            }),
        }
    }
}

/// Inflates the data at a position. Returns their length, and where their decoded bytes begin.
fn inflate(chunk: &Chunk, at: u64, output: &mut Output) -> Result<(u64, usize), Problem> {
    let start = output.length;
    let mut decoder = DecompressorOxide::new();
    let mut used = at as usize;
    loop {
        let Some(data) = chunk.encoded.get(used..) else {
            let end = chunk.encoded.len() as u64;
            return Err(Problem::Invalid("truncated", end));
        };
        let position = output.length - start;
        let (status, read, written) = decompress(
            &mut decoder,
            data,
            output.from(start),
            position,
            TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
        );
        used += read;
        output.length += written;
        match status {
            TINFLStatus::Done => return Ok((used as u64 - at, start)),
            TINFLStatus::HasMoreOutput if output.grow() => {}
            TINFLStatus::HasMoreOutput => return Err(chunk.too_long()),
            TINFLStatus::FailedCannotMakeProgress => {
                return Err(Problem::Invalid(
                    "deflated data without an end, probably truncated",
                    chunk.encoded.len() as u64,
                ));
            }
            _ => return Err(Problem::Invalid("invalid deflated data", used as u64)),
        }
    }
}

/// Decodes a stream of zlib that has as many bytes as the target.
pub fn decode_stream(stream: &[u8], target: &mut [u8]) -> Result<(), &'static str> {
    let mut decoder = DecompressorOxide::new();
    let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    // The header has been checked.
    let data = &stream[zlib::HEADER..];
    let (status, read, written) = decompress(&mut decoder, data, target, 0, flags);
    match status {
        TINFLStatus::Done if written == target.len() => {}
        TINFLStatus::Done => return Err("stream with fewer decoded bytes than its block"),
        TINFLStatus::HasMoreOutput => {
            return Err("stream with more decoded bytes than its block");
        }
        TINFLStatus::FailedCannotMakeProgress => return Err("stream without an end"),
        _ => return Err("stream with invalid deflated data"),
    }
    let Ok(stored) = <[u8; zlib::TRAILER]>::try_from(&data[read..]) else {
        return Err("stream with trailing or missing bytes");
    };
    match u32::from_be_bytes(stored) == checksum(Algorithm::Adler32, target) {
        true => Ok(()),
        false => Err("stream with a wrong adler32"),
    }
}
