//! Reverses the bytes of each component while copying.
//!
//! Contract: `copy_swapped::<SIZE>(source, target)`, both of the same length, a multiple of `SIZE`.

mod portable;

pub use portable::copy_swapped;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_component_is_reversed_on_its_own() {
        let source: Vec<u8> = (0..=255).cycle().take(8 * 67).collect();
        fn check<const SIZE: usize>(source: &[u8]) {
            for components in 0..67 {
                let source = &source[..SIZE * components];
                let mut target = vec![0; source.len()];
                copy_swapped::<SIZE>(source, &mut target);
                for (at, &byte) in target.iter().enumerate() {
                    let mirrored = at / SIZE * SIZE + SIZE - 1 - at % SIZE;
                    assert_eq!(byte, source[mirrored], "byte {at}, {SIZE}-byte components");
                }
            }
        }
        check::<2>(&source);
        check::<4>(&source);
        check::<8>(&source);
    }
}
