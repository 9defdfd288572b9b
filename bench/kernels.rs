//! `cargo bench`: the portable kernels, compiled natively. CRC-32C is compared with the `crc32c` crate, which uses the
//! processor's instruction, and byte swapping with a copy. Kernels with WebAssembly's SIMD do not run here, so the
//! numbers only compare kernels with each other; `npm run bench` measures what users get.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::{hint::black_box, time::Duration};
use zarr_codecs::kernel::{
    byteswap::portable::copy_swapped,
    crc32c::{KERNELS, in_place, portable, table},
};

const SIZES: [usize; 4] = [256, 4 << 10, 64 << 10, 1 << 20];

type Crc = fn(&mut [u8], &[u8]) -> u32;
type Copy = fn(&[u8], &mut [u8]);

fn crc32c(criterion: &mut Criterion) {
    // Name, shortest input in bytes, function.
    let implementations: [(&str, usize, Crc); 4] = [
        ("table", 0, |_, bytes| table::update(0, bytes)),
        ("portable", 0, |_, bytes| portable::update(0, bytes)),
        (
            "in place, with the copy",
            in_place::SHORTEST,
            eliminate_copy,
        ),
        ("crc32c crate", 0, |_, bytes| crc32c::crc32c(bytes)),
    ];
    let mut group = criterion.benchmark_group("crc32c");
    for size in SIZES {
        let bytes = noise(size);
        let mut buffer = vec![0; in_place::HISTORY + size];
        group.throughput(Throughput::Bytes(size as u64));
        for (name, _, crc) in implementations
            .iter()
            .filter(|(_, shortest, _)| size >= *shortest)
        {
            assert_eq!(crc(&mut buffer, &bytes), crc32c::crc32c(&bytes), "{name}");
            group.bench_function(BenchmarkId::new(*name, size), |bencher| {
                bencher.iter(|| crc(&mut buffer, black_box(&bytes)));
            });
        }
    }
}

/// The kernel that overwrites its input, on a copy, as in the window.
fn eliminate_copy(buffer: &mut [u8], bytes: &[u8]) -> u32 {
    buffer[in_place::HISTORY..].copy_from_slice(bytes);
    in_place::begin(!0, buffer, &KERNELS.multiple.0);
    table::update(
        !0,
        in_place::eliminate_last(buffer, &KERNELS.multiple.0, ()),
    )
}

fn byteswap(criterion: &mut Criterion) {
    let implementations: [(&str, Copy); 4] = [
        ("2 bytes", copy_swapped::<2>),
        ("4 bytes", copy_swapped::<4>),
        ("8 bytes", copy_swapped::<8>),
        ("copy", |source, target| target.copy_from_slice(source)),
    ];
    let mut group = criterion.benchmark_group("byteswap");
    for size in SIZES {
        let bytes = noise(size);
        let mut target = vec![0; size];
        group.throughput(Throughput::Bytes(size as u64));
        for (name, copy) in implementations {
            group.bench_function(BenchmarkId::new(name, size), |bencher| {
                bencher.iter(|| copy(black_box(&bytes), black_box(&mut target)));
            });
        }
    }
}

/// Pseudo-random bytes: the upper bytes of a linear congruential generator.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 1_u32;
    std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
    .take(length)
    .collect()
}

criterion_group! {
    name = kernels;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(30);
    targets = crc32c, byteswap
}
criterion_main!(kernels);
