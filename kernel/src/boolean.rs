//! Bytes as booleans.

/// The position of the first byte above 1, and that byte.
pub fn first_invalid(bytes: &[u8]) -> Option<(usize, u8)> {
    let first_steps = steps_of_booleans(bytes);
    let (start, rest) = (first_steps * STEP, &bytes[first_steps * STEP..]);
    let index = rest.iter().position(|&byte| byte > 1)?;
    Some((start + index, rest[index]))
}

/// Bytes that are looked at together: the sum of their bits says whether one is above 1.
const STEP: usize = 64;

/// How many steps at the start hold nothing but 0 and 1.
#[cfg(target_feature = "simd128")]
fn steps_of_booleans(bytes: &[u8]) -> usize {
    use crate::vector::load;
    use core::arch::wasm32::{u8x16_splat, v128_andnot, v128_any_true, v128_or};
    let are_booleans = |step: &[u8; STEP]| {
        let [a, b, c, d] = step.as_chunks().0 else {
            unreachable!("a step is four vectors")
        };
        let bits = v128_or(v128_or(load(a), load(b)), v128_or(load(c), load(d)));
        !v128_any_true(v128_andnot(bits, u8x16_splat(1)))
    };
    let (steps, _) = bytes.as_chunks();
    steps.iter().take_while(|step| are_booleans(step)).count()
}

/// The same on words of 8 bytes.
#[cfg(not(target_feature = "simd128"))]
fn steps_of_booleans(bytes: &[u8]) -> usize {
    let are_booleans = |step: &[u8; STEP]| {
        let (words, _) = step.as_chunks();
        let bits = words
            .iter()
            .fold(0, |bits, word| bits | u64::from_ne_bytes(*word));
        bits & !0x0101_0101_0101_0101 == 0
    };
    let (steps, _) = bytes.as_chunks();
    steps.iter().take_while(|step| are_booleans(step)).count()
}

/// Copies `source` to `target` with every byte other than 0 as 1. Both have the same length.
#[cfg(target_feature = "simd128")]
pub fn copy_normalized(source: &[u8], target: &mut [u8]) {
    use crate::vector::{in_steps, load, store};
    use core::arch::wasm32::{u8x16_min, u8x16_splat};
    in_steps(source, target, |source, target| {
        for (to, from) in target.iter_mut().zip(source) {
            store(to, u8x16_min(load(from), u8x16_splat(1)));
        }
    });
}

/// The same on bytes.
#[cfg(not(target_feature = "simd128"))]
pub fn copy_normalized(source: &[u8], target: &mut [u8]) {
    for (to, from) in target.iter_mut().zip(source) {
        *to = u8::from(*from != 0);
    }
}
