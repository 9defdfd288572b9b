//! A loop over components. Compilers recognize the pattern and use the processor's instruction for it.

/// Copies `source` to `target` with the bytes of each `SIZE`-byte component reversed.
pub fn copy_swapped<const SIZE: usize>(source: &[u8], target: &mut [u8]) {
    let (source, _) = source.as_chunks::<SIZE>();
    let (target, _) = target.as_chunks_mut::<SIZE>();
    for (to, from) in target.iter_mut().zip(source) {
        *to = *from;
        to.reverse();
    }
}
