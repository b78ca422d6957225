//! The part of Thrift's compact protocol that Parquet's metadata needs.

/// Types of fields and of elements of lists.
#[derive(Debug, Clone, Copy)]
pub(super) enum Type {
    I32 = 5,
    I64 = 6,
    Binary = 8,
    List = 9,
    Struct = 12,
}

/// A struct that gets its fields in ascending order.
#[derive(Debug)]
pub(super) struct Struct {
    bytes: Vec<u8>,
    last: u8,
}

impl Struct {
    pub(super) fn new() -> Self {
        Self { bytes: Vec::new(), last: 0 }
    }

    pub(super) fn i32(self, id: u8, value: i64) -> Self {
        self.field(id, Type::I32, &number(value))
    }

    pub(super) fn i64(self, id: u8, value: i64) -> Self {
        self.field(id, Type::I64, &number(value))
    }

    pub(super) fn text(self, id: u8, text: &str) -> Self {
        self.field(id, Type::Binary, &binary(text.as_bytes()))
    }

    /// A field with another struct.
    pub(super) fn nested(self, id: u8, of: &[u8]) -> Self {
        self.field(id, Type::Struct, of)
    }

    pub(super) fn list(self, id: u8, of: Type, elements: Vec<Vec<u8>>) -> Self {
        let mut head = match elements.len() {
            few @ 0..15 => vec![((few as u8) << 4) | of as u8],
            many => {
                let mut head = vec![0xf0 | of as u8];
                head.extend(varint(many as u64));
                head
            }
        };
        head.extend(elements.into_iter().flatten());
        self.field(id, Type::List, &head)
    }

    /// The bytes.
    pub(super) fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }

    fn field(mut self, id: u8, of: Type, value: &[u8]) -> Self {
        self.bytes.push(((id - self.last) << 4) | of as u8);
        self.bytes.extend(value);
        self.last = id;
        self
    }
}

/// A number with its sign in the lowest bit.
pub(super) fn number(value: i64) -> Vec<u8> {
    varint(((value << 1) ^ (value >> 63)) as u64)
}

/// Bytes after their length.
pub(super) fn binary(bytes: &[u8]) -> Vec<u8> {
    let mut out = varint(bytes.len() as u64);
    out.extend(bytes);
    out
}

/// A number in groups of seven bits, the lowest first.
pub(super) fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}
