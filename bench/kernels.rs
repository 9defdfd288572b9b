//! `cargo bench -p zarr-codecs-bench`: the portable kernels, compiled natively. CRC-32C is compared with the `crc32c` crate, which uses the
//! processor's instruction, and byte swapping with a copy. Kernels with WebAssembly's SIMD do not run here, so the
//! numbers only compare kernels with each other; `npm run bench` measures what users get.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::{hint::black_box, time::Duration};
use zarr_codecs::kernel::{
    byteswap::portable::copy_swapped,
    crc32c::{History, KERNELS, portable, table},
};

const SIZES: [usize; 4] = [256, 4 << 10, 64 << 10, 1 << 20];

type Crc = fn(&mut History, &[u8]) -> u32;
type Copy = fn(&[u8], &mut [u8]);

fn crc32c(criterion: &mut Criterion) {
    // Name, shortest input in bytes, function.
    let implementations: [(&str, usize, Crc); 4] = [
        ("table", 0, |_, bytes| table::update(0, bytes)),
        ("portable", 0, |_, bytes| portable::update(0, bytes)),
        ("long", KERNELS.shortest, eliminate),
        ("crc32c crate", 0, |_, bytes| crc32c::crc32c(bytes)),
    ];
    let mut history = History::new();
    let mut group = criterion.benchmark_group("crc32c");
    for size in SIZES {
        let bytes = noise(size);
        group.throughput(Throughput::Bytes(size as u64));
        for (name, _, crc) in implementations
            .iter()
            .filter(|(_, shortest, _)| size >= *shortest)
        {
            assert_eq!(crc(&mut history, &bytes), crc32c::crc32c(&bytes), "{name}");
            group.bench_function(BenchmarkId::new(*name, size), |bencher| {
                bencher.iter(|| crc(&mut history, black_box(&bytes)));
            });
        }
    }
}

/// The kernel for long input.
fn eliminate(history: &mut History, bytes: &[u8]) -> u32 {
    let offsets = &KERNELS.multiple.0;
    history.begin(!0, offsets);
    let (eliminated, left) = bytes.split_at(History::eliminated(bytes.len(), true, offsets));
    history.eliminate(eliminated, offsets);
    table::update(!0, history.finish(left, offsets))
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
