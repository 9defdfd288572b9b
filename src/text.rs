//! Text for messages.

use alloc::string::String;

/// Joins strings and integers into a `String`: `text!["bool element ", index, " is ", value]`.
///
/// Used in place of `format!`, which makes the module 2 kB larger when compressed.
macro_rules! text {
    [$($part:expr),+ $(,)?] => {{
        let mut text = alloc::string::String::new();
        $($crate::text::Part::append(&$part, &mut text);)+
        text
    }};
}
/// A part of a text.
pub trait Part {
    /// Appends the part to a text.
    fn append(&self, text: &mut String);
}

impl Part for str {
    fn append(&self, text: &mut String) {
        text.push_str(self);
    }
}

impl Part for String {
    fn append(&self, text: &mut String) {
        text.push_str(self);
    }
}

impl<T: Part + ?Sized> Part for &T {
    fn append(&self, text: &mut String) {
        (**self).append(text);
    }
}

impl Part for u64 {
    fn append(&self, text: &mut String) {
        if *self >= 10 {
            (self / 10).append(text);
        }
        text.push((b'0' + (self % 10) as u8).into());
    }
}

impl Part for u32 {
    fn append(&self, text: &mut String) {
        u64::from(*self).append(text);
    }
}

impl Part for u8 {
    fn append(&self, text: &mut String) {
        u64::from(*self).append(text);
    }
}

impl Part for usize {
    fn append(&self, text: &mut String) {
        (*self as u64).append(text);
    }
}

impl Part for i64 {
    fn append(&self, text: &mut String) {
        if *self < 0 {
            text.push('-');
        }
        self.unsigned_abs().append(text);
    }
}

/// A checksum: `0x` and eight hexadecimal digits.
pub struct Hexadecimal(pub u32);

impl Part for Hexadecimal {
    fn append(&self, text: &mut String) {
        text.push_str("0x");
        for shift in (0..u32::BITS).step_by(4).rev() {
            let digit = (self.0 >> shift) as usize % 16;
            text.push(b"0123456789abcdef"[digit].into());
        }
    }
}

/// Returns a number of things: `1 byte`, `2 bytes`.
pub fn counted(count: u64, noun: &str) -> String {
    text![count, " ", noun, if count == 1 { "" } else { "s" }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_like_format_does() {
        for number in [0, 9, 10, 4095, u64::MAX] {
            assert_eq!(text![number], format!("{number}"));
        }
        for number in [0, -1, 127, i64::MIN, i64::MAX] {
            assert_eq!(text![number], format!("{number}"));
        }
        for number in [0, 1, 0x0a0b_0c0d, u32::MAX] {
            assert_eq!(text![Hexadecimal(number)], format!("{number:#010x}"));
        }
    }
}
