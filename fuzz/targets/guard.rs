//! The headers of blosc, zstd, gzip and zlib: any bytes are accepted or rejected, and what is read lies within them.

use super::Choices;
use zarr_codecs::guard::{Format, Problem, Reader};

pub fn guard(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let codec = choices.one_of(&["blosc", "zstd", "gzip", "zlib", "other"]);
    let format = Format::of_codec(codec);
    let length = choices.bool().then(|| u64::from(choices.word()));
    let encoded = choices.0;
    let read = |at: u64, target: &mut [u8]| {
        target.copy_from_slice(&encoded[at as usize..][..target.len()]);
    };
    let mut reader = Reader::new(encoded.len() as u64, &read);
    match format.check(&mut reader, length) {
        Ok(expected) => {
            if let Some(length) = length {
                assert!(expected.byte_length.is_none_or(|actual| actual == length));
            }
            let _ = expected.check_length(encoded.len() as u64);
            if let Some(stored) = expected.checksum {
                assert!(stored.start(encoded.len() as u64) <= encoded.len() as u64);
            }
        }
        Err(problem) => {
            let text = Problem::into_error(problem, "codecs[1]".into(), codec.into()).to_string();
            assert!(text.starts_with("codecs[1]: "), "{text}");
        }
    }
}
