//! XXH64 with seed 0, whose lower half is the checksum of zstd. Its check value is
//! `0x44bc_2cf5_ad77_0999`, the hash of `abc`.
//!
//! Specification: <https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md>

const PRIMES: [u64; 5] = [
    0x9e37_79b1_85eb_ca87,
    0xc2b2_ae3d_27d4_eb4f,
    0x1656_67b1_9e37_79f9,
    0x85eb_ca77_c2b2_ae63,
    0x27d4_eb2f_1656_67c5,
];

/// Bytes that are processed at once: 8 for each lane.
const STRIPE: usize = 32;

/// An incremental XXH64.
#[derive(Clone, Debug)]
pub struct Xxh64 {
    lanes: [u64; 4],
    /// The bytes after the last whole stripe, at the start of the array.
    rest: [u8; STRIPE],
    /// The number of bytes so far.
    length: u64,
}

impl Xxh64 {
    /// Starts a hash.
    pub const fn new() -> Self {
        let sum = PRIMES[0].wrapping_add(PRIMES[1]);
        Self {
            lanes: [sum, PRIMES[1], 0, 0_u64.wrapping_sub(PRIMES[0])],
            rest: [0; STRIPE],
            length: 0,
        }
    }

    /// Processes the next bytes.
    pub fn update(&mut self, mut bytes: &[u8]) {
        let kept = self.kept();
        self.length += bytes.len() as u64;
        if kept > 0 {
            let (head, tail) = bytes.split_at(bytes.len().min(STRIPE - kept));
            self.rest[kept..][..head.len()].copy_from_slice(head);
            if kept + head.len() < STRIPE {
                return;
            }
            bytes = tail;
            let stripe = self.rest;
            self.process(&[stripe]);
        }
        let (stripes, rest) = bytes.as_chunks();
        self.process(stripes);
        self.rest[..rest.len()].copy_from_slice(rest);
    }

    /// Returns the hash of all bytes so far.
    pub fn digest(&self) -> u64 {
        let mut hash = if self.length < STRIPE as u64 {
            PRIMES[4]
        } else {
            self.converge()
        };
        hash = hash.wrapping_add(self.length);
        let (words, rest) = self.rest[..self.kept()].as_chunks();
        for word in words {
            hash ^= round(0, u64::from_le_bytes(*word));
            hash = mix(hash, 27, PRIMES[0]).wrapping_add(PRIMES[3]);
        }
        let (words, rest) = rest.as_chunks();
        for word in words {
            hash ^= u64::from(u32::from_le_bytes(*word)).wrapping_mul(PRIMES[0]);
            hash = mix(hash, 23, PRIMES[1]).wrapping_add(PRIMES[2]);
        }
        for byte in rest {
            hash ^= u64::from(*byte).wrapping_mul(PRIMES[4]);
            hash = mix(hash, 11, PRIMES[0]);
        }
        hash = (hash ^ hash >> 33).wrapping_mul(PRIMES[1]);
        hash = (hash ^ hash >> 29).wrapping_mul(PRIMES[2]);
        hash ^ hash >> 32
    }

    /// Returns the number of bytes after the last whole stripe.
    const fn kept(&self) -> usize {
        self.length as usize % STRIPE
    }

    fn process(&mut self, stripes: &[[u8; STRIPE]]) {
        let mut lanes = self.lanes;
        for stripe in stripes {
            let (words, _) = stripe.as_chunks();
            for (lane, word) in lanes.iter_mut().zip(words) {
                *lane = round(*lane, u64::from_le_bytes(*word));
            }
        }
        self.lanes = lanes;
    }

    /// Merges the lanes.
    fn converge(&self) -> u64 {
        let [a, b, c, d] = self.lanes;
        let sum = a
            .rotate_left(1)
            .wrapping_add(b.rotate_left(7))
            .wrapping_add(c.rotate_left(12))
            .wrapping_add(d.rotate_left(18));
        self.lanes.iter().fold(sum, |hash, lane| {
            (hash ^ round(0, *lane))
                .wrapping_mul(PRIMES[0])
                .wrapping_add(PRIMES[3])
        })
    }
}

impl Default for Xxh64 {
    fn default() -> Self {
        Self::new()
    }
}

/// Adds a word to a lane.
const fn round(lane: u64, word: u64) -> u64 {
    mix(
        lane.wrapping_add(word.wrapping_mul(PRIMES[1])),
        31,
        PRIMES[0],
    )
}

const fn mix(hash: u64, rotation: u32, prime: u64) -> u64 {
    hash.rotate_left(rotation).wrapping_mul(prime)
}
