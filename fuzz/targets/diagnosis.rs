//! Diagnoses of any mismatch of any bytes: none or a known code, and a flipped bit that makes the checksum right.

use super::Choices;
use zarr_codecs::{
    Error,
    diagnosis::{diagnose, diagnose_bytes},
    kernel::{checksum::Mismatch, crc32c::History, window::SIZE},
};

const CODES: [&str; 10] = [
    "crc32",
    "big_endian",
    "not_inverted",
    "at_start",
    "masked",
    "byte_swapped",
    "truncated",
    "extended",
    "zeros",
    "flipped_bit",
];

pub fn diagnosis(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let length = choices.below(65_536) % if choices.byte() == 0 { 65_536 } else { 300 };
    let mut chunk = choices.fill(length);
    chunk.extend(crc32c::crc32c(&chunk).to_le_bytes());
    let is_flipped = choices.bool();
    let (at, bit) = (choices.below(65_536) % chunk.len(), choices.byte() % 8);
    if is_flipped {
        chunk[at] ^= 1 << bit;
    } else {
        let start = choices.below(65_536) % chunk.len();
        chunk[start..]
            .iter_mut()
            .for_each(|byte| *byte ^= choices.byte());
    }
    let (payload, stored) = chunk.split_at(length);
    let mismatch = Mismatch {
        stored: u32::from_le_bytes(stored.try_into().unwrap()),
        computed: crc32c::crc32c(payload),
        byte_length: length as u64,
    };
    if mismatch.stored == mismatch.computed {
        return;
    }
    let code = check(&diagnose_bytes(mismatch, &chunk), &chunk);
    assert!(
        code.is_some() || !is_flipped,
        "bit {bit} of byte {at} is not found"
    );

    // Memory of another thread: checksums that have nothing to do with the bytes, which differ at each read.
    let mismatch = Mismatch {
        stored: choices.word(),
        computed: choices.word(),
        ..mismatch
    };
    let read = |at: u64, target: &mut [u8]| target.fill(at as u8 ^ mismatch.stored as u8);
    let (mut a, mut b) = (vec![0; SIZE], vec![0; SIZE]);
    let error = diagnose(
        mismatch,
        chunk.len() as u64,
        (&mut History::new(), &mut a, &mut b),
        &read,
    );
    assert!(
        error
            .to_string()
            .starts_with("chunk is corrupt: crc32c stored 0x")
    );
}

/// Checks a diagnosis, and returns its code.
fn check(error: &Error, chunk: &[u8]) -> Option<&'static str> {
    let Error::ChecksumMismatch { diagnosis, .. } = error else {
        panic!("{error}");
    };
    let diagnosis = diagnosis.as_ref()?;
    assert!(CODES.contains(&diagnosis.code), "{}", diagnosis.code);
    assert!(error.to_string().len() <= 300, "{error}");
    if diagnosis.code == "flipped_bit" {
        let mut repaired = chunk.to_vec();
        repaired[diagnosis.byte_offset.unwrap() as usize] ^= 1 << diagnosis.bit.unwrap();
        let (payload, stored) = repaired.split_at(chunk.len() - 4);
        assert_eq!(crc32c::crc32c(payload).to_le_bytes(), stored);
    }
    Some(diagnosis.code)
}
