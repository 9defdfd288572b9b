//! Headers made by hand: the shortest chunks, the largest fields, and where problems are.

use zarr_codecs::guard::{self, Expected, Format, Problem, Reader};

fn with<T>(encoded: &[u8], f: impl FnOnce(&mut Reader) -> T) -> T {
    let read = |at: u64, target: &mut [u8]| {
        target.copy_from_slice(&encoded[at as usize..][..target.len()]);
    };
    f(&mut Reader::new(encoded.len() as u64, &read))
}

fn check(codec: &str, encoded: &[u8], length: Option<u64>) -> Result<Expected, Problem> {
    with(encoded, |reader| {
        Format::of_codec(codec).check(reader, length)
    })
}

fn length(codec: &str, encoded: &[u8], length: Option<u64>) -> Result<Option<u64>, Problem> {
    check(codec, encoded, length).map(|expected| expected.byte_length)
}

/// The shortest deflated data, of no bytes.
const EMPTY: [u8; 2] = [3, 0];

/// Returns a file of gzip with these flags and fields, and a trailer that says `size` bytes.
fn gzip(flags: u8, fields: &[u8], size: u8) -> Vec<u8> {
    let header = [0x1f, 0x8b, 8, flags, 0, 0, 0, 0, 0, 255];
    let trailer = [1, 2, 3, 4, size, 0, 0, 0];
    [&header[..], fields, &EMPTY, &trailer].concat()
}

#[test]
fn zlib_needs_the_shortest_stream() {
    let stream = [&[0x78, 0x9c][..], &EMPTY, &[0, 0, 0, 1]].concat();
    assert_eq!(length("zlib", &stream, Some(0)), Ok(Some(0)));
    let truncated = length("zlib", &stream[..7], Some(0));
    assert_eq!(truncated, Err(Problem::Invalid("truncated", 7)));
}

#[test]
fn deflated_data_of_gzip_follow_all_fields() {
    let mut sum = gzip(2, &[], 0)[..10].to_vec();
    let crc = crc32fast::hash(&sum) as u16;
    sum.extend(crc.to_le_bytes());
    for (flags, fields, start) in [
        (0, &[][..], 10),
        (1 << 2, &[5, 0, 9, 9, 9, 9, 9], 17), // Extra bytes.
        (1 << 3, b"name\0", 15),
        (1 << 4, b"comment\0", 18),
        (1 << 1, &sum[10..], 12),
    ] {
        let file = gzip(flags, fields, 0);
        assert_eq!(
            with(&file, guard::gzip::read_header),
            Ok(start),
            "flags {flags}"
        );
        assert_eq!(length("gzip", &file, Some(0)), Ok(Some(0)), "flags {flags}");
        let short = &file[..file.len() - 1];
        let truncated = Err(Problem::Invalid("truncated", short.len() as u64));
        assert_eq!(length("gzip", short, Some(0)), truncated, "flags {flags}");
    }
}

#[test]
fn a_further_member_of_gzip_begins_after_the_shortest_first_one() {
    let two = [gzip(0, &[], 9), gzip(0, &[], 5)].concat();
    let is_contradictory = |file: &[u8]| {
        super::check_encoded("gzip", file, Some(100)).map(|found| found.is_contradictory)
    };
    assert_eq!(is_contradictory(&two), Ok(false));
    assert_eq!(length("gzip", &two, None), Ok(None));
    // The same bytes within the only member.
    let mut early = two.clone();
    early.remove(10);
    assert_eq!(is_contradictory(&early), Ok(true));
    let mut late = two.clone();
    late.remove(30);
    assert_eq!(is_contradictory(&late), Ok(true));
    // Longer members, and a header whose flags are invalid.
    let longer = [two[..12].to_vec(), vec![7; 40], two[12..].to_vec()].concat();
    assert_eq!(is_contradictory(&longer), Ok(false));
    let mut other = two.clone();
    other[23] = 0x80;
    assert_eq!(is_contradictory(&other), Ok(true));
}

/// Returns a frame of zstd: a descriptor, other fields of its header, and blocks as their header and their bytes.
fn zstd(descriptor: u8, header: &[u8], blocks: &[(u32, usize)]) -> Vec<u8> {
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, descriptor];
    frame.extend(header);
    for (header, bytes) in blocks {
        frame.extend(&header.to_le_bytes()[..3]);
        frame.resize(frame.len() + bytes, 7);
    }
    frame
}

/// The header of a block of `size` bytes, of this kind: 0 stored, 1 one byte repeated, 2 compressed.
const fn block(kind: u32, size: u32, is_last: bool) -> u32 {
    size << 3 | kind << 1 | is_last as u32
}

/// A frame of one segment states how long it is in one byte.
const ONE_SEGMENT: u8 = 1 << 5;

#[test]
fn blocks_of_zstd_add_up_to_the_stated_length() {
    let stored = |size, is_last| (block(0, size, is_last), size as usize);
    let two = |stated| zstd(ONE_SEGMENT, &[stated], &[stored(3, false), stored(2, true)]);
    assert_eq!(length("zstd", &two(5), None), Ok(Some(5)));
    for stated in [4, 6] {
        let problem = Problem::Invalid("blocks of another length than stated", 17);
        assert_eq!(length("zstd", &two(stated), None), Err(problem), "{stated}");
    }
    let compressed = zstd(
        ONE_SEGMENT,
        &[9],
        &[stored(3, false), (block(2, 4, true), 4)],
    );
    assert_eq!(length("zstd", &compressed, None), Ok(Some(9)));
    // Without a stated length.
    let frame = zstd(0, &[0], &[stored(5, true)]);
    let problem = |origin, expected| {
        Err(Problem::Length {
            origin,
            actual: 5,
            expected,
        })
    };
    assert_eq!(length("zstd", &frame, Some(5)), Ok(Some(5)));
    assert_eq!(
        length("zstd", &frame, Some(4)),
        problem("blocks hold at least", 4)
    );
    assert_eq!(
        length("zstd", &frame, Some(6)),
        problem("blocks hold at most", 6)
    );
}

#[test]
fn blocks_of_zstd_fit_into_the_window() {
    let too_large = |at| Err(Problem::Invalid("block that is too large", at));
    let one = |size: u32| zstd(ONE_SEGMENT, &[5], &[(block(1, size, true), 1)]);
    assert_eq!(length("zstd", &one(5), None), Ok(Some(5)));
    assert_eq!(length("zstd", &one(6), None), too_large(6));
    // Exponent and mantissa.
    for (window, size) in [(0, 1024), (1, 1152), (7, 1920), (8, 2048), (9, 2304)] {
        let frame = |size| zstd(0, &[window], &[(block(1, size, true), 1)]);
        assert_eq!(
            length("zstd", &frame(size), Some(size.into())),
            Ok(Some(size.into()))
        );
        assert_eq!(
            length("zstd", &frame(size + 1), None),
            too_large(6),
            "{window}"
        );
    }
    let frame = |window| zstd(0, &[window], &[(block(1, 1 << 17, true), 1)]);
    assert!(length("zstd", &frame(17 << 3), None).is_ok());
    let problem = Problem::Invalid("window of more than 128 MiB", 6);
    assert_eq!(length("zstd", &frame(17 << 3 | 1), None), Err(problem));
    // The segment may be longer than any window.
    let header = (1_u32 << 28).to_le_bytes();
    let long = zstd(
        ONE_SEGMENT | 2 << 6,
        &header,
        &[(block(1, 1 << 17, true), 1)],
    );
    let problem = Problem::Invalid("blocks of another length than stated", 13);
    assert_eq!(length("zstd", &long, None), Err(problem));
}

#[test]
fn invalid_headers_of_zstd_are_located() {
    let frame = |descriptor| zstd(descriptor, &[5], &[(block(1, 5, true), 1)]);
    let problem = Problem::Invalid("invalid frame header", 4);
    assert_eq!(
        length("zstd", &frame(ONE_SEGMENT | 1 << 3), None),
        Err(problem)
    );
    assert_eq!(
        length("zstd", &frame(ONE_SEGMENT | 1 << 4), None),
        Ok(Some(5))
    );
    for (kind, size) in [(3, 5), (2, 0), (2, 1)] {
        let frame = zstd(ONE_SEGMENT, &[5], &[(block(kind, size, true), 5)]);
        let problem = Problem::Invalid("invalid block", 6);
        assert_eq!(length("zstd", &frame, None), Err(problem), "{kind} {size}");
    }
}

#[test]
fn the_checksum_of_zstd_follows_its_blocks() {
    let mut summed = zstd(ONE_SEGMENT | 1 << 2, &[5], &[(block(1, 5, true), 1)]);
    summed.extend([1, 2, 3, 4]);
    let stored = check("zstd", &summed, Some(5)).unwrap().checksum;
    assert_eq!(stored.map(|stored| stored.value), Some(0x0403_0201));
}

/// Returns a chunk of blosc of blocks of 100 bytes, each one stream of lz4 at `starts`, followed by `rest` from the first.
fn blosc(type_size: u8, starts: &[u32], rest: &[u8]) -> Vec<u8> {
    let (lz4, one_stream) = (1 << 5, 1 << 4);
    let length = 16 + 4 * starts.len() + rest.len();
    let mut chunk = vec![2, 1, lz4 | one_stream, type_size];
    for number in [100 * starts.len() as u32, 100, length as u32] {
        chunk.extend(number.to_le_bytes());
    }
    chunk.extend(starts.iter().flat_map(|start| start.to_le_bytes()));
    chunk.extend(rest);
    chunk
}

fn stream(length: u32) -> Vec<u8> {
    [&length.to_le_bytes()[..], &vec![7; length as usize]].concat()
}

#[test]
fn streams_of_blosc_have_a_bounded_length() {
    let chunk = |length| blosc(1, &[20], &stream(length));
    // 100 + 100 / 6 + 32.
    for valid in [1, 100, 148] {
        assert_eq!(
            length("blosc", &chunk(valid), None),
            Ok(Some(100)),
            "{valid}"
        );
    }
    for invalid in [0, 149] {
        let problem = Problem::Invalid("invalid length of a stream", 20);
        assert_eq!(
            length("blosc", &chunk(invalid), None),
            Err(problem),
            "{invalid}"
        );
    }
}

#[test]
fn blocks_of_blosc_share_no_bytes() {
    let two = [stream(10), stream(20)].concat();
    assert_eq!(
        length("blosc", &blosc(1, &[24, 38], &two), None),
        Ok(Some(200))
    );
    let reversed = [stream(20), stream(10)].concat();
    assert_eq!(
        length("blosc", &blosc(1, &[48, 24], &reversed), None),
        Ok(Some(200))
    );
    let overlapping = blosc(1, &[24, 24], &[stream(10), vec![0; 6]].concat());
    let problem = Problem::Invalid("a block that overlaps another", 24);
    assert_eq!(length("blosc", &overlapping, None), Err(problem));
    let gap = blosc(1, &[24, 24], &[stream(10), stream(10)].concat());
    let problem = Problem::Invalid("blocks that leave a gap", 24);
    assert_eq!(length("blosc", &gap, None), Err(problem));
}

#[test]
fn sizes_in_the_header_of_blosc_are_checked() {
    let chunk = |type_size| blosc(type_size, &[20], &stream(50));
    // Divisors of the size of a block, or larger than it.
    for valid in [1, 4, 100, 101] {
        assert_eq!(
            length("blosc", &chunk(valid), None),
            Ok(Some(100)),
            "{valid}"
        );
    }
    for (type_size, problem) in [
        (0, Problem::Invalid("type size of 0", 3)),
        (3, Problem::Invalid("invalid block size", 8)),
    ] {
        assert_eq!(length("blosc", &chunk(type_size), None), Err(problem));
    }
}

#[test]
fn lengths_that_a_trailer_cannot_state_are_not_believed() {
    let of = |size, length| {
        let file = gzip(0, &[], size);
        super::check_encoded("gzip", &file, length).map(|found| found.is_contradictory)
    };
    assert_eq!(of(0, Some(0)), Ok(false));
    assert_eq!(of(0, None), Ok(false));
    assert_eq!(of(9, Some(8)), Ok(true));
    let mut file = gzip(0, &[], 0);
    *file.last_mut().unwrap() = 0xe1; // 3.8 GB in 20 bytes.
    let found = super::check_encoded("gzip", &file, None).unwrap();
    assert!(found.is_contradictory);
}

#[test]
fn deflated_data_ends_where_the_trailer_begins() {
    let ends = |codec: &str, file: &[u8], end, checksum| {
        let read = |at: u64, target: &mut [u8]| {
            target.copy_from_slice(&file[at as usize..][..target.len()]);
        };
        let mut reader = Reader::new(file.len() as u64, &read);
        Format::of_codec(codec).check_end(&mut reader, end, |_| checksum)
    };
    let invalid = |problem, at| Err(Problem::Invalid(problem, at));
    let file = gzip(0, &[], 0);
    let crc = u32::from_le_bytes([1, 2, 3, 4]);
    assert_eq!(ends("gzip", &file, 12, crc), Ok(true));
    assert_eq!(ends("gzip", &file[..19], 12, crc), invalid("truncated", 19));
    let longer = [&file[..], &[0; 9]].concat();
    assert_eq!(
        ends("gzip", &longer, 12, crc),
        invalid("trailing bytes", 20)
    );
    let early = invalid("deflated data that ends too early", 12);
    assert_eq!(ends("gzip", &longer, 12, !crc), early);
    let two = [&file[..], &file[..]].concat();
    assert_eq!(ends("gzip", &two, 12, crc), Ok(false));
    let stream = [&[0x78, 0x9c][..], &EMPTY, &[0, 0, 0, 1, 7]].concat();
    assert_eq!(ends("zlib", &stream, 4, 1), invalid("trailing bytes", 8));
}
