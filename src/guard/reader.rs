//! Random access to encoded bytes, which may be outside Rust's memory.

/// Bytes that are read at once. A header and what follows it, at the price of one read (0.3 µs from JavaScript).
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

    /// Returns the number of bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Returns the bytes at a position, or none if they are not all there. `N` is at most 256.
    pub fn bytes<const N: usize>(&mut self, at: u64) -> Option<[u8; N]> {
        let end = at.checked_add(N as u64)?;
        if end > self.length {
            return None;
        }
        let page_end = self.page_start + self.page_length as u64;
        if at < self.page_start || end > page_end {
            self.page_start = at;
            self.page_length = (self.length - at).min(PAGE as u64) as usize;
            (self.read)(self.start + at, &mut self.page[..self.page_length]);
        }
        let offset = (at - self.page_start) as usize;
        self.page[offset..].first_chunk().copied()
    }

    /// Returns the byte at a position.
    pub fn byte(&mut self, at: u64) -> Option<u8> {
        self.bytes(at).map(|[byte]| byte)
    }

    /// Returns the little-endian number of 4 bytes at a position.
    pub fn u32(&mut self, at: u64) -> Option<u32> {
        self.bytes(at).map(u32::from_le_bytes)
    }
}
