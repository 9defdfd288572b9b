//! Streams of BloscLZ: runs of literals and matches, each of which begins with a control byte.
//!
//! ```text
//! | 000 n         | n + 1 literals                                                        |
//! | l d           | d               match of l + 2 bytes at a distance of 13 bits, less 1 |
//! | 111 d | l ... | d               match of l + 9 bytes, where 255 says that l goes on   |
//! | ...     11111 | 255 | d d       the distance of 16 bits, big endian, less 8192       |
//! ```
//!
//! The first control byte is that of literals, whatever its highest 3 bits. A stream ends with literals.
//!
//! Format: `blosclz.c` of c-blosc 1.21.

/// The largest distance of 13 bits, less 1; then one of 16 bits follows.
const FAR: usize = 8191;
/// The longest match whose length the control byte holds.
const LONG: usize = 7;

const TOO_EARLY: &str = "stream that ends too early";

/// Decodes a stream that has as many bytes as the target.
pub fn decode(stream: &[u8], target: &mut [u8]) -> Result<(), &'static str> {
    let mut input = Input(stream);
    let mut at = 0;
    let mut control = input.next()? & 0x1f;
    loop {
        if control < 0x20 {
            let count = usize::from(control) + 1;
            let (literals, rest) = input.0.split_at_checked(count).ok_or(TOO_EARLY)?;
            let run = target.get_mut(at..at + count).ok_or(TOO_LONG)?;
            run.copy_from_slice(literals);
            at += count;
            input.0 = rest;
            if input.0.is_empty() {
                break;
            }
        } else {
            let (length, distance) = input.match_of(control)?;
            if distance > at {
                return Err("stream with a match before its start");
            }
            if length > target.len() - at {
                return Err(TOO_LONG);
            }
            repeat(target, at, length, distance);
            at += length;
        }
        control = input.next()?;
    }
    match at == target.len() {
        true => Ok(()),
        false => Err("stream with fewer decoded bytes than its block"),
    }
}

const TOO_LONG: &str = "stream with more decoded bytes than its block";

/// What is left of a stream.
struct Input<'a>(&'a [u8]);

impl Input<'_> {
    fn next(&mut self) -> Result<u8, &'static str> {
        let (&byte, rest) = self.0.split_first().ok_or(TOO_EARLY)?;
        self.0 = rest;
        Ok(byte)
    }

    /// Reads the length and the distance of a match.
    fn match_of(&mut self, control: u8) -> Result<(usize, usize), &'static str> {
        let mut length = usize::from(control >> 5);
        if length == LONG {
            loop {
                let more = self.next()?;
                length += usize::from(more);
                if more != 255 {
                    break;
                }
            }
        }
        let near = usize::from(control & 0x1f) << 8 | usize::from(self.next()?);
        let distance = match near {
            FAR => FAR + (usize::from(self.next()?) << 8 | usize::from(self.next()?)),
            _ => near,
        };
        Ok((length + 2, distance + 1))
    }
}

/// Copies `length` bytes from `distance` bytes before a position to it. What is copied may be copied again.
#[inline(always)]
fn repeat(target: &mut [u8], at: usize, length: usize, distance: usize) {
    let (done, rest) = target.split_at_mut(at);
    let source = &done[at - distance..];
    if distance >= length {
        rest[..length].copy_from_slice(&source[..length]);
    } else if distance == 1 {
        rest[..length].fill(source[0]);
    } else {
        let mut copied = 0;
        // Each time, what can be copied at once doubles.
        rest[..distance].copy_from_slice(source);
        copied += distance;
        while copied < length {
            let (done, rest) = rest.split_at_mut(copied);
            let count = copied.min(length - copied);
            rest[..count].copy_from_slice(&done[..count]);
            copied += count;
        }
    }
}
