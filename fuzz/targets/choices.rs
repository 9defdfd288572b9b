//! Choices that bytes make.

/// The bytes that are left. Once there are none, each byte is 0.
pub struct Choices<'a>(pub &'a [u8]);

impl<'a> Choices<'a> {
    pub fn byte(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or_default()
    }

    pub fn bool(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    /// Returns a number below `end`, which is at most 65536.
    pub fn below(&mut self, end: usize) -> usize {
        let bytes = [self.byte(), if end > 256 { self.byte() } else { 0 }];
        usize::from(u16::from_le_bytes(bytes)) % end
    }

    pub fn word(&mut self) -> u32 {
        u32::from_le_bytes([(); 4].map(|()| self.byte()))
    }

    pub fn one_of<T: Clone>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())].clone()
    }

    /// Returns `length` bytes that repeat the ones that are left.
    pub fn fill(&mut self, length: usize) -> Vec<u8> {
        if self.0.is_empty() {
            return vec![0; length];
        }
        self.0.iter().copied().cycle().take(length).collect()
    }
}
