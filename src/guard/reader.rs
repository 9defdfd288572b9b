//! Random access to encoded bytes, which may be outside Rust's memory.

use super::Problem;

/// Bytes that are read at once: a header and what follows it, at the price of one read (0.3 µs from JavaScript).
const PAGE: usize = 256;

/// A function that fills a slice with the bytes at a position.
pub type Read<'a> = &'a dyn Fn(u64, &mut [u8]);

/// Encoded bytes or a part of them, of which the page that was read last is kept.
pub struct Reader<'a> {
    read: Read<'a>,
    /// The position of the part.
    start: u64,
    length: u64,
    page: [u8; PAGE],
    /// The position of the page in the part.
    page_start: u64,
    page_length: usize,
}

impl<'a> Reader<'a> {
    /// Creates a reader of `length` bytes.
    pub fn new(length: u64, read: Read<'a>) -> Self {
        Self {
            read,
            start: 0,
            length,
            page: [0; PAGE],
            page_start: 0,
            page_length: 0,
        }
    }

    /// Returns a reader of the `length` bytes at a position, or none if they are not all there.
    pub fn part(&self, start: u64, length: u64) -> Option<Self> {
        let end = start.checked_add(length)?;
        (end <= self.length).then(|| Self {
            start: self.start + start,
            ..Self::new(length, self.read)
        })
    }

    /// Returns the problem at a position.
    pub(super) fn invalid(&self, problem: &'static str, at: u64) -> Problem {
        Problem::Invalid(problem, self.start + at)
    }

    /// Returns the number of bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Returns the bytes at a position, at most 256.
    pub fn bytes(&mut self, at: u64, count: usize) -> Result<&[u8], Problem> {
        let end = at.saturating_add(count as u64);
        if end > self.length {
            return Err(self.invalid("truncated", self.length));
        }
        if count == 0 {
            return Ok(&[]);
        }
        if at < self.page_start || end > self.page_start + self.page_length as u64 {
            self.page_start = at;
            self.page_length = (self.length - at).min(PAGE as u64) as usize;
            (self.read)(self.start + at, &mut self.page[..self.page_length]);
        }
        Ok(&self.page[(at - self.page_start) as usize..][..count])
    }

    /// Returns the little-endian number of `size` bytes at a position, at most 8.
    pub fn number(&mut self, at: u64, size: usize) -> Result<u64, Problem> {
        let mut number = [0; 8];
        number[..size].copy_from_slice(self.bytes(at, size)?);
        Ok(u64::from_le_bytes(number))
    }
}
