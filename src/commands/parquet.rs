//! Parquet files for pandas, polars and DuckDB: tables as pages of plain values, compressed with gzip.
//!
//! The format is written by hand, as <https://parquet.apache.org/docs/file-format/> and its Thrift definition describe it. The
//! crate `parquet` would bring eleven more and take 25 seconds of a core to build, for the few parts that are used here.

mod thrift;

use anyhow::Context;
use flate2::Compression;
use flate2::write::GzEncoder;
use protocol::table::{Column, Table, Values};
use std::io::Write;
use std::ops::Range;
use thrift::{Struct, Type};

const MAGIC: &[u8] = b"PAR1";

/// Rows of a row group: as many as readers take into memory at once.
const ROWS_A_GROUP: usize = 1 << 16;

/// Numbers of the Thrift definition.
const OPTIONAL: i64 = 1;
const UTF8: i64 = 0;
const DATA_PAGE: i64 = 0;
const PLAIN: i64 = 0;
const RLE: i64 = 3;
const GZIP: i64 = 2;

/// The bytes of a file with this table.
pub(crate) fn parquet(table: &Table) -> anyhow::Result<Vec<u8>> {
    let mut file = MAGIC.to_vec();
    let mut groups = Vec::new();
    for first in (0..table.rows()).step_by(ROWS_A_GROUP) {
        let rows = first..table.rows().min(first + ROWS_A_GROUP);
        let chunks = table.columns.iter().map(|column| put_chunk(&mut file, column, rows.clone()));
        let chunks = chunks.collect::<anyhow::Result<Vec<_>>>()?;
        let bytes = chunks.iter().map(|chunk| chunk.uncompressed).sum();
        let columns = chunks.into_iter().map(|chunk| chunk.description).collect();
        groups
            .push(Struct::new().list(1, Type::Struct, columns).i64(2, bytes).i64(3, count(rows.len())).end());
    }
    let root = Struct::new().text(4, "table").i32(5, count(table.columns.len())).end();
    let schema = std::iter::once(root).chain(table.columns.iter().map(element)).collect();
    let footer = Struct::new()
        .i32(1, 1)
        .list(2, Type::Struct, schema)
        .i64(3, count(table.rows()))
        .list(4, Type::Struct, groups)
        .text(6, concat!("Gauntlet ", env!("CARGO_PKG_VERSION")))
        .end();
    file.extend(&footer);
    file.extend(u32::try_from(footer.len()).context("the table has too many columns")?.to_le_bytes());
    file.extend(MAGIC);
    Ok(file)
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The number of a physical type.
fn kind(values: &Values) -> i64 {
    match values {
        Values::Flag(_) => 0,
        Values::Whole(_) => 2,
        Values::Real(_) => 5,
        Values::Text(_) => 6,
    }
}

/// A column in the schema.
fn element(column: &Column) -> Vec<u8> {
    let element = Struct::new().i32(1, kind(&column.values)).i32(3, OPTIONAL).text(4, &column.name);
    match column.values {
        Values::Text(_) => element.i32(6, UTF8).end(),
        _ => element.end(),
    }
}

/// The part of a column in one row group, a single page.
struct Chunk {
    description: Vec<u8>,
    /// Bytes before compression.
    uncompressed: i64,
}

/// Appends a page with these rows of a column to the file.
fn put_chunk(file: &mut Vec<u8>, column: &Column, rows: Range<usize>) -> anyhow::Result<Chunk> {
    let values = count(rows.len());
    let page = page(&column.values, rows);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(&page).context("cannot compress a column")?;
    let compressed = gzip.finish().context("cannot compress a column")?;
    let sizes = [page.len(), compressed.len()].map(count);
    let of_data = Struct::new().i32(1, values).i32(2, PLAIN).i32(3, RLE).i32(4, RLE).end();
    let header = Struct::new().i32(1, DATA_PAGE).i32(2, sizes[0]).i32(3, sizes[1]).nested(5, &of_data).end();
    let [uncompressed, stored] = sizes.map(|size| size + count(header.len()));
    let place = count(file.len());
    file.extend(header);
    file.extend(compressed);
    let metadata = Struct::new()
        .i32(1, kind(&column.values))
        .list(2, Type::I32, [PLAIN, RLE].map(thrift::number).to_vec())
        .list(3, Type::Binary, vec![thrift::binary(column.name.as_bytes())])
        .i32(4, GZIP)
        .i64(5, values)
        .i64(6, uncompressed)
        .i64(7, stored)
        .i64(9, place)
        .end();
    Ok(Chunk { description: Struct::new().i64(2, place).nested(3, &metadata).end(), uncompressed })
}

/// The content of a page: which rows have a value, and the values.
fn page(values: &Values, rows: Range<usize>) -> Vec<u8> {
    match values {
        Values::Text(values) => plain(&values[rows], |texts| {
            texts.flat_map(|text| [&length(text.len())[..], text.as_bytes()].concat()).collect()
        }),
        Values::Whole(values) => {
            plain(&values[rows], |numbers| numbers.flat_map(|n| n.to_le_bytes()).collect())
        }
        Values::Real(values) => {
            plain(&values[rows], |numbers| numbers.flat_map(|n| n.to_le_bytes()).collect())
        }
        Values::Flag(values) => plain(&values[rows], |flags| {
            let flags: Vec<bool> = flags.copied().collect();
            let byte = |bits: &[bool]| bits.iter().rev().fold(0, |byte, bit| (byte << 1) | u8::from(*bit));
            flags.chunks(8).map(byte).collect()
        }),
    }
}

fn plain<'v, T>(
    values: &'v [Option<T>],
    bytes: impl FnOnce(std::iter::Flatten<std::slice::Iter<'v, Option<T>>>) -> Vec<u8>,
) -> Vec<u8> {
    let levels: Vec<u8> = values
        .chunk_by(|one, next| one.is_some() == next.is_some())
        .flat_map(|run| {
            let mut bytes = thrift::varint((run.len() as u64) << 1);
            bytes.push(u8::from(run[0].is_some()));
            bytes
        })
        .collect();
    [&length(levels.len())[..], &levels, &bytes(values.iter().flatten())].concat()
}

/// A length before the bytes that it counts.
fn length(bytes: usize) -> [u8; 4] {
    u32::try_from(bytes).unwrap_or(u32::MAX).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use std::io::Read;

    #[test]
    fn a_page_says_which_rows_have_values_and_has_these_values() {
        let page = |values: Values| page(&values, 0..values.len());
        let flags = [Some(true), None, None, Some(false), Some(true)];
        assert_eq!(page(Values::Flag(flags.to_vec())), [6, 0, 0, 0, 2, 1, 4, 0, 4, 1, 0b101]);
        assert_eq!(
            page(Values::Text(vec![Some("é".into()), None])),
            [4, 0, 0, 0, 2, 1, 2, 0, 2, 0, 0, 0, 0xc3, 0xa9]
        );
        assert_eq!(
            page(Values::Whole(vec![Some(-2)])),
            [2, 0, 0, 0, 2, 1, 0xfe, 255, 255, 255, 255, 255, 255, 255]
        );
        assert_eq!(page(Values::Real(vec![None; 200])), [3, 0, 0, 0, 0x90, 3, 0]);
    }

    #[test]
    fn a_file_is_pages_a_footer_and_its_length() {
        let column = |name: &str, values| Column { name: name.to_owned(), values };
        let numbers = (0..ROWS_A_GROUP as i64 + 1).map(Some).collect();
        let table = Table { columns: vec![column("n", Values::Whole(numbers))] };
        let file = parquet(&table).expect("a file");
        assert!(file.starts_with(MAGIC) && file.ends_with(MAGIC));
        let end = file.len() - 8;
        let length = u32::from_le_bytes(file[end..end + 4].try_into().expect("four bytes")) as usize;
        let footer = &file[end - length..end];
        assert_eq!(footer[..2], [0x15, 2], "field 1 is a number, version 1");
        // The last row is in the second group: a length, a run of one value, the value.
        let gzip = [0x1f, 0x8b];
        let last = file.windows(2).rposition(|bytes| bytes == gzip).expect("a page");
        let mut page = Vec::new();
        GzDecoder::new(&file[last..]).read_to_end(&mut page).expect("gzip");
        assert_eq!(page, [&[2, 0, 0, 0, 2, 1][..], &(ROWS_A_GROUP as i64).to_le_bytes()].concat());
        assert!(parquet(&Table::default()).expect("a file").ends_with(MAGIC), "a table without columns");
    }
}
