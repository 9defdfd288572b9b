//! The chunks that `generate.py` writes.

use serde_json::Value;

/// A chunk of an external codec.
pub struct Chunk {
    pub name: String,
    pub codec: String,
    pub encoded: Vec<u8>,
    pub decoded: Vec<u8>,
}

impl Chunk {
    /// Returns the number of decoded bytes.
    pub fn decoded_length(&self) -> Option<u64> {
        Some(self.decoded.len() as u64)
    }
}

/// Reads chunks that the generator wrote.
pub fn parse(text: &str) -> Vec<Chunk> {
    let file: Value = serde_json::from_str(text).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let read = |chunk: &Value| Chunk {
        name: format!("{} {}", text(&chunk["codec"]), text(&chunk["name"])),
        codec: text(&chunk["codec"]),
        encoded: hex(&chunk["encoded"]),
        decoded: content(&file["decoded"][chunk["decoded"].as_u64().unwrap() as usize]),
    };
    file["chunks"]
        .as_array()
        .unwrap()
        .iter()
        .map(read)
        .collect()
}

/// Reads decoded bytes: in hexadecimal, or a period and the length.
fn content(value: &Value) -> Vec<u8> {
    match value["length"].as_u64() {
        None => hex(value),
        Some(length) => {
            let period = hex(&value["period"]);
            period.into_iter().cycle().take(length as usize).collect()
        }
    }
}

/// Returns the recorded chunks.
pub fn chunks() -> Vec<Chunk> {
    parse(include_str!("chunks.json"))
}

/// Reads bytes in hexadecimal.
pub fn hex(text: &Value) -> Vec<u8> {
    let text = text.as_str().unwrap().as_bytes();
    let digit = |byte: u8| (byte as char).to_digit(16).unwrap() as u8;
    text.chunks(2)
        .map(|pair| digit(pair[0]) << 4 | digit(pair[1]))
        .collect()
}
