//! The fuzz targets as property tests: on the corpus of the vectors, slightly changed, and on random bytes. The environment
//! variables `FUZZ_SECONDS` (for each target) and `FUZZ_SEED` make it search longer and elsewhere.

#[path = "../../fuzz/targets/mod.rs"]
pub mod targets;

use serde_json::Value;
use std::time::{Duration, Instant};
use targets::{TARGETS, Target};

/// Iterations, unless the time is given.
const ITERATIONS: usize = 1000;

/// A generator of pseudo-random numbers: SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

/// The corpus of a target: what is in the vectors that it can read, and a few bytes.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let mut corpus = vec![Vec::new(), vec![0; 64], (0..=255).collect()];
    match target {
        "metadata" => {
            for text in [
                include_str!("../vectors/zarr-python.json"),
                include_str!("../vectors/chains/zarrs.json"),
                include_str!("../vectors/chains/damaged.json"),
            ] {
                let vectors: Value = serde_json::from_str(text).unwrap();
                for array in vectors["arrays"].as_array().into_iter().flatten() {
                    corpus.push(format!("\0{}", array["metadata"]).into_bytes());
                }
            }
        }
        "guard" => {
            for chunk in crate::guard::chunks() {
                let codecs = ["blosc", "zstd", "gzip", "zlib"];
                let codec = codecs.iter().position(|codec| *codec == chunk.codec);
                let mut bytes = vec![codec.unwrap_or_default() as u8, 1];
                bytes.extend((chunk.decoded.len() as u32).to_le_bytes());
                bytes.extend(chunk.encoded);
                corpus.push(bytes);
            }
        }
        "shards" => {
            for (number, layout) in targets::LAYOUTS.iter().enumerate() {
                for shard in &layout.shards {
                    // With damage that its checksum reveals, and with damage that only the entries do.
                    for is_summed in [0, 1] {
                        corpus.push([&[number as u8, is_summed], &shard[..]].concat());
                    }
                }
            }
        }
        _ => {}
    }
    corpus
}

/// Returns an entry of the corpus with a few bytes changed, removed, repeated or taken from another, or random bytes.
fn mutated(corpus: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    if random.below(4) == 0 {
        return (0..random.below(400))
            .map(|_| random.next() as u8)
            .collect();
    }
    let mut bytes = corpus[random.below(corpus.len())].clone();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        match random.below(5) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, random.next() as u8),
            2 => {
                let other = &corpus[random.below(corpus.len())];
                let start = random.below(other.len() + 1);
                let end = (start + random.below(30)).min(other.len());
                bytes.splice(at..at, other[start..end].iter().copied());
            }
            3 if at < bytes.len() => bytes[at] = random.next() as u8,
            _ if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            _ => {}
        }
    }
    bytes
}

/// Runs a target, and names the input that it fails on.
fn run(name: &str, target: Target, bytes: &[u8]) {
    let outcome = std::panic::catch_unwind(|| target(bytes));
    assert!(outcome.is_ok(), "the target {name} fails on {bytes:?}");
}

fn fuzz(name: &str) {
    let (name, target) = *TARGETS.iter().find(|(other, _)| *other == name).unwrap();
    let corpus = corpus(name);
    for bytes in &corpus {
        run(name, target, bytes);
    }
    let variable = |name| {
        std::env::var(name)
            .ok()
            .map(|text| text.parse::<u64>().unwrap())
    };
    let end = variable("FUZZ_SECONDS").map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut random = Random(variable("FUZZ_SEED").unwrap_or(2026));
    let mut count = 0;
    while end.map_or(count < ITERATIONS, |end| Instant::now() < end) {
        run(name, target, &mutated(&corpus, &mut random));
        count += 1;
    }
    println!("{name}: {} of the corpus and {count} others", corpus.len());
}

#[test]
fn metadata() {
    fuzz("metadata");
}

#[test]
fn chain() {
    fuzz("chain");
}

#[test]
fn guard() {
    fuzz("guard");
}

#[test]
fn shards() {
    fuzz("shards");
}

#[test]
fn kernels() {
    fuzz("kernels");
}

#[test]
fn diagnosis() {
    fuzz("diagnosis");
}

/// Writes the corpora to the folder `FUZZ_CORPUS`, for cargo-fuzz.
#[test]
#[ignore = "run by `npm run fuzz`"]
fn corpora_are_written() {
    let folder = std::path::PathBuf::from(std::env::var("FUZZ_CORPUS").unwrap());
    for (name, _) in TARGETS {
        let folder = folder.join(name);
        std::fs::create_dir_all(&folder).unwrap();
        for (number, bytes) in corpus(name).iter().enumerate() {
            std::fs::write(folder.join(number.to_string()), bytes).unwrap();
        }
    }
}
