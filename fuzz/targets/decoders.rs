//! The decoders beside the reference implementations in C: what ours accept, these accept, and decode to the same bytes. What
//! these accept and ours do not has a reason.

use std::{cell::Cell, io::Read};
use zarr_codecs::guard::Format;
use zarr_codecs_decoders::Decoder;

/// The formats, by the first byte.
pub const FORMATS: [Format; 5] = [
    Format::Blosc,
    Format::Gzip,
    Format::Lz4,
    Format::Zlib,
    Format::Zstd,
];

/// The most bytes that are decoded.
const MOST: usize = 1 << 24;

/// What the references accept, by the problems that ours find: they do not look at what follows the data, at checksums of
/// headers, at flags without a meaning, at distances of 0 (liblz4), at the window of whole frames and the largest block that follows from it, or (libzstd's fast loop)
/// at bits that Huffman streams leave.
const STRICTER: &[&str] = &[
    "trailing bytes",
    "flags",
    "truncated",
    "no header",
    "header with a wrong checksum",
    "deflated data that ends too early",
    "invalid Huffman stream",
    "window of more than",
    "block that is too large",
    "distance of 0",
];

thread_local! {
    /// Of all inputs.
    static DECODER: Cell<Option<Decoder>> = const { Cell::new(None) };
}

/// `bytes` are the number of a format and encoded bytes.
pub fn decoders(bytes: &[u8]) {
    let Some((&number, encoded)) = bytes.split_first() else {
        return;
    };
    let format = FORMATS[usize::from(number) % FORMATS.len()];
    let mut decoder = DECODER.take().unwrap_or_default();
    // What was decoded before changes nothing.
    let mut decode = |length| {
        let decoded = decoder.decode(format, encoded, length, true);
        decoded.map(|decoded| (decoded.bytes.to_vec(), decoded.is_covered))
    };
    let ours = decode(None);
    match (&ours, format) {
        (Ok((bytes, _)), _) if bytes.len() > MOST => {}
        (Ok((bytes, _)), _) => {
            let reference = reference(format, encoded, bytes.len());
            assert!(reference.is_some(), "{format:?}: only ours accept it");
            assert!(
                reference.as_ref() == Some(bytes),
                "{format:?}: other bytes"
            );
        }
        // c-blosc is not called with bytes that ours reject: it trusts the lengths in them.
        (Err(_), Format::Blosc) => {}
        (Err(problem), _) => {
            let text = problem.text();
            let is_stricter = STRICTER.iter().any(|problem| text.contains(problem));
            let length = match format {
                Format::Lz4 => stated_length(encoded),
                _ => MOST,
            };
            let reference = reference(format, encoded, length);
            assert!(
                reference.is_none() || is_stricter || encoded.is_empty(),
                "{format:?}: only ours reject it: {text}"
            );
        }
    }
    // Where the length is known, too little and too much are errors.
    if let Ok((bytes, _)) = &ours {
        let length = bytes.len() as u64;
        assert!(decode(Some(length)) == ours);
        for other in [length + 1, length.wrapping_sub(1)] {
            assert!(decode(Some(other)).is_err());
        }
    }
    DECODER.set(Some(decoder));
}

fn stated_length(encoded: &[u8]) -> usize {
    let stated = encoded
        .first_chunk()
        .map_or(0, |word| u32::from_le_bytes(*word));
    (stated as usize).min(MOST)
}

/// Decodes with the reference implementation: none if that rejects the bytes.
fn reference(format: Format, encoded: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut decoded = Vec::new();
    match format {
        Format::Zstd => {
            decoded.resize(length, 0);
            let length = zstd::bulk::decompress_to_buffer(encoded, &mut decoded).ok()?;
            decoded.truncate(length);
        }
        Format::Gzip => {
            flate2::bufread::MultiGzDecoder::new(encoded)
                .take(MOST as u64)
                .read_to_end(&mut decoded)
                .ok()?;
        }
        Format::Zlib => {
            let mut decoder = flate2::bufread::ZlibDecoder::new(encoded);
            decoder
                .by_ref()
                .take(MOST as u64)
                .read_to_end(&mut decoded)
                .ok()?;
        }
        Format::Lz4 => {
            let block = encoded.get(4..)?;
            decoded = lz4::block::decompress(block, Some(length as i32)).ok()?;
            (decoded.len() == length).then_some(())?;
        }
        Format::Blosc => {
            decoded.resize(length, 0);
            // SAFETY: the header states as many encoded and decoded bytes as there are, which ours have checked.
            let count = unsafe {
                blosc_src::blosc_decompress_ctx(
                    encoded.as_ptr().cast(),
                    decoded.as_mut_ptr().cast(),
                    length,
                    1,
                )
            };
            (count == length as i32).then_some(())?;
        }
        Format::Unknown => return None,
    }
    Some(decoded)
}
