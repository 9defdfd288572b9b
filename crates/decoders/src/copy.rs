//! What the decoders of lz4 and blosclz write: literals, and matches that repeat earlier bytes.
//!
//! Most runs are short, and there is room after them: 16 bytes are then copied whatever their length, which is two
//! instructions.

use zarr_codecs::guard::LONGEST_DECODED;

/// The problem of a stream that lacks bytes.
pub const TOO_EARLY: &str = "stream that ends too early";
const TOO_LONG: &str = "stream with more decoded bytes than stated";
const TOO_SHORT: &str = "stream with fewer decoded bytes than stated";
const TOO_FAR: &str = "stream with a match before its start";

/// Reads the rest of a length, as both formats write it: bytes to add, up to the first that is not 255.
#[inline(always)]
pub fn more(stream: &[u8], at: &mut usize) -> Result<usize, &'static str> {
    let mut length = 0;
    loop {
        let byte = *stream.get(*at).ok_or(TOO_EARLY)?;
        *at += 1;
        length += usize::from(byte);
        if byte != u8::MAX {
            return Ok(length);
        }
        // Of addresses of 32 bits, a longer one would begin at 0 again.
        if length > LONGEST_DECODED as usize {
            return Err(TOO_LONG);
        }
    }
}

/// How many bytes are copied at once: a vector.
const STEP: usize = 16;
/// Runs above this are copied by the host's instruction, which takes longer to begin.
const LONG: usize = 512;

/// Reads a step.
#[inline(always)]
fn read(bytes: &[u8], at: usize) -> [u8; STEP] {
    let mut step = [0; STEP];
    step.copy_from_slice(&bytes[at..at + STEP]);
    step
}

/// Returns a step that repeats the first bytes of another, `period` of them.
#[inline(always)]
fn periodic(step: [u8; STEP], period: usize) -> [u8; STEP] {
    let indexes = &INDEXES[period];
    #[cfg(target_feature = "simd128")]
    {
        use core::arch::wasm32::u8x16_swizzle;
        use zarr_codecs::kernel::{load, store};
        let mut periodic = [0; STEP];
        store(&mut periodic, u8x16_swizzle(load(&step), load(indexes)));
        periodic
    }
    #[cfg(not(target_feature = "simd128"))]
    indexes.map(|index| step[usize::from(index)])
}

/// For each period, where the bytes of a step come from.
const INDEXES: [[u8; STEP]; STEP] = {
    let mut indexes = [[0; STEP]; STEP];
    let mut period = 1;
    while period < STEP {
        let mut i = 0;
        while i < STEP {
            indexes[period][i] = (i % period) as u8;
            i += 1;
        }
        period += 1;
    }
    indexes
};

/// Bytes that are decoded from the start on.
pub struct Target<'a> {
    bytes: &'a mut [u8],
    /// The number of decoded bytes.
    done: usize,
}

impl<'a> Target<'a> {
    pub fn new(bytes: &'a mut [u8]) -> Self {
        Self { bytes, done: 0 }
    }

    /// Returns the number of bytes that are not decoded yet.
    pub fn left(&self) -> usize {
        self.bytes.len().saturating_sub(self.done)
    }

    /// Appends `count` bytes at a position of encoded ones.
    #[inline(always)]
    pub fn append(&mut self, encoded: &[u8], at: usize, count: usize) -> Result<(), &'static str> {
        let done = self.done;
        self.done += count;
        if count <= STEP
            && let Some(source) = encoded.get(at..at + STEP)
            && let Some(target) = self.bytes.get_mut(done..done + STEP)
        {
            target.copy_from_slice(source);
            return Ok(());
        }
        if count <= LONG
            && let Some(source) = encoded.get(at..at + count + STEP)
            && let Some(target) = self.bytes.get_mut(done..done + count + STEP)
        {
            let (steps, _) = source.as_chunks::<STEP>();
            for (to, from) in target.as_chunks_mut().0.iter_mut().zip(steps) {
                *to = *from;
            }
            return Ok(());
        }
        let source = encoded.get(at..at + count).ok_or(TOO_EARLY)?;
        let target = self.bytes.get_mut(done..done + count).ok_or(TOO_LONG)?;
        target.copy_from_slice(source);
        Ok(())
    }

    /// Appends `count` bytes that begin `distance` bytes, at least one, before the end. What is appended may be repeated again.
    #[inline(always)]
    pub fn repeat(&mut self, distance: usize, count: usize) -> Result<(), &'static str> {
        let done = self.done;
        if distance > done {
            return Err(TOO_FAR);
        }
        self.done += count;
        let end = done + count;
        if count > LONG || end + STEP > self.bytes.len() {
            return self.repeat_exactly(done, distance, count);
        }
        let from = done - distance;
        let target = &mut self.bytes[from..end + STEP];
        let mut to = distance;
        if distance < STEP {
            // As many whole periods as fit into a step, which is read once.
            let step = periodic(read(target, 0), distance);
            while to < distance + count {
                target[to..to + STEP].copy_from_slice(&step);
                to += STEP - STEP % distance;
            }
        } else {
            while to < distance + count {
                let step = read(target, to - distance);
                target[to..to + STEP].copy_from_slice(&step);
                to += STEP;
            }
        }
        Ok(())
    }

    /// Appends long matches, and those at the end.
    #[inline(never)]
    fn repeat_exactly(
        &mut self,
        done: usize,
        distance: usize,
        count: usize,
    ) -> Result<(), &'static str> {
        let (before, after) = self.bytes.split_at_mut(done);
        let source = &before[done - distance..];
        let target = after.get_mut(..count).ok_or(TOO_LONG)?;
        if distance >= count {
            target.copy_from_slice(&source[..count]);
            return Ok(());
        }
        // Each time, what can be copied at once doubles.
        target[..distance].copy_from_slice(source);
        let mut copied = distance;
        while copied < count {
            let (done, rest) = target.split_at_mut(copied);
            let step = copied.min(rest.len());
            rest[..step].copy_from_slice(&done[..step]);
            copied += step;
        }
        Ok(())
    }

    /// Checks that all bytes are decoded.
    pub fn finish(self) -> Result<(), &'static str> {
        match self.done == self.bytes.len() {
            true => Ok(()),
            false => Err(TOO_SHORT),
        }
    }
}
