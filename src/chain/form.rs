//! The arrays that a chunk can be decoded to.

use crate::{
    data_type::TypedArray,
    kernel::{Conversion, Permutation, window},
};
use alloc::{boxed::Box, vec::Vec};
use serde::{Serialize, Serializer};

/// An array that a chunk can be decoded to and encoded from.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Form {
    /// The constructor of the array.
    pub array: TypedArray,
    /// The length of the array in bytes, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte_length: Option<u64>,
    /// How the payload is converted to the array's components.
    #[serde(serialize_with = "serialize_conversion")]
    pub conversion: Conversion,
    /// Whether payload and array have the same bytes, so that decoding can return a view.
    pub is_view: bool,
    /// Whether elements are checked.
    pub is_checked: bool,
    /// How the elements of an array are checked before they are encoded, if not all can be.
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "serialize_check"
    )]
    pub array_check: Option<Conversion>,
    /// Whether the chunk is decoded in the window, in one call.
    pub decodes_in_window: bool,
    /// Whether the chunk is encoded in the window, in one call.
    pub encodes_in_window: bool,
    /// How components move from the payload to the array, or to that of `next`, if they do.
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "serialize_permutation"
    )]
    pub permutation: Option<Permutation>,
    /// The form that this array is decoded to in turn, where one permutation is not enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Box<Form>>,
    /// If elements are checked: how those of the payload move to C order, as the words of permutations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub payload_order: Vec<u32>,
    /// If elements are checked: how those of the array move to C order, as the words of permutations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub array_order: Vec<u32>,
}

impl Form {
    pub(super) fn new(array: TypedArray, conversion: Conversion, payload: Option<u64>) -> Self {
        Self {
            array,
            byte_length: payload.map(|length| length * conversion.widening() as u64),
            conversion,
            is_view: conversion.is_identity(),
            is_checked: conversion.is_checked(),
            array_check: None,
            decodes_in_window: false,
            encodes_in_window: false,
            permutation: None,
            next: None,
            payload_order: Vec::new(),
            array_order: Vec::new(),
        }
    }

    /// Sets the permutations, none of which is the identity, in the order of decoding.
    pub(super) fn permute(&mut self, permutations: &[Permutation]) {
        let Some((first, others)) = permutations.split_first() else {
            self.permutation = None;
            self.is_view = self.conversion.is_identity();
            return;
        };
        self.permutation = Some(*first);
        self.is_view = false;
        self.next = (!others.is_empty()).then(|| {
            let mut others = others.to_vec();
            for permutation in &mut others {
                *permutation = permutation.widened(self.conversion.widening());
            }
            let mut next = Self::new(self.array, Conversion::IDENTITY, self.byte_length);
            next.permute(&others);
            Box::new(next)
        });
    }

    pub(super) fn choose_window(&mut self, encoded: u64, checksum_count: usize) {
        let fits = window::fits(encoded) && self.byte_length.is_some_and(window::fits);
        let only_converts = checksum_count == 0 && !self.is_view;
        let is_converted_at_once = only_converts || self.permutation.is_some();
        self.decodes_in_window = fits;
        self.encodes_in_window =
            fits && (is_converted_at_once || encoded <= window::LONGEST_TO_ENCODE as u64);
        if let Some(next) = &mut self.next {
            next.choose_window(self.byte_length.unwrap_or_default(), 0);
        }
    }
}

fn serialize_permutation<S: Serializer>(
    permutation: &Option<Permutation>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    words(permutation.as_slice()).serialize(serializer)
}

/// Returns the words of permutations, one after another.
pub(super) fn words(permutations: &[Permutation]) -> Vec<u32> {
    let mut words = Vec::new();
    for permutation in permutations {
        permutation.push_words(&mut words);
    }
    words
}

fn serialize_check<S: Serializer>(
    check: &Option<Conversion>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    check.map(Conversion::to_number).serialize(serializer)
}

fn serialize_conversion<S: Serializer>(
    conversion: &Conversion,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_u32(conversion.to_number())
}
