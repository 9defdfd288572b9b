//! The target `decoders` without cargo-fuzz: on the chunks of the guard's tests, slightly changed. `FUZZ_SECONDS` says for how
//! long, `FUZZ_SEED` which changes. With the name of a folder, writes the chunks there, as a corpus.

#[allow(dead_code)] // The names and the decoded bytes are for tests.
#[path = "../tests/guard/chunks.rs"]
mod chunks;
#[path = "targets/decoders.rs"]
mod decoders;

use std::time::{Duration, Instant};
use zarr_codecs::guard::Format;

fn main() {
    let corpus: Vec<Vec<u8>> = chunks::chunks()
        .iter()
        .map(|chunk| {
            let format = Format::of_codec(&chunk.codec);
            let number = decoders::FORMATS.iter().position(|other| *other == format);
            [&[number.expect("a known format") as u8], &chunk.encoded[..]].concat()
        })
        .collect();
    if let Some(folder) = std::env::args().nth(1) {
        for (number, bytes) in corpus.iter().enumerate() {
            std::fs::write(format!("{folder}/{number}"), bytes).expect("a folder");
        }
        return;
    }
    let variable =
        |name| -> u64 { std::env::var(name).map_or(0, |text| text.parse().expect("a number")) };
    let mut random: u64 = variable("FUZZ_SEED");
    let mut below = |end: usize| {
        random = random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (random ^ (random >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % end as u64) as usize
    };
    let end = Instant::now() + Duration::from_secs(variable("FUZZ_SECONDS"));
    let mut count = 0;
    while Instant::now() < end {
        let mut bytes = corpus[below(corpus.len())].clone();
        for _ in 0..=below(3) {
            let at = 1 + below(bytes.len() - 1);
            match below(5) {
                0 => bytes.truncate(at.max(2)),
                1 => bytes.insert(at, below(256) as u8),
                2 => bytes[at] = below(256) as u8,
                _ => bytes[at] ^= 1 << below(8),
            }
        }
        let outcome = std::panic::catch_unwind(|| decoders::decoders(&bytes));
        if outcome.is_err() {
            panic!("fails on {bytes:?}");
        }
        count += 1;
    }
    println!("decoders: {} of the corpus, {count} others", corpus.len());
}
