//! Reads a bundle, which is untrusted input.

use anyhow::{Context, Result, anyhow, bail, ensure};
use flate2::read::GzDecoder;
use protocol::bundle::{BundledGame, FORMAT, GAMES, MANIFEST, Manifest, REVISIONS, SUMS, VERSION};
use protocol::experiment::Experiment;
use protocol::hex::hex;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use tar::{Archive, EntryType};

/// The longest line of a file of games, in bytes: a game of the largest board takes some ten thousand.
const LONGEST_LINE: u64 = 1 << 20;

/// The largest manifest and the largest list of digests, in bytes.
const LARGEST: u64 = 64 << 20;

/// The content of a bundle besides its games.
pub struct Contents {
    /// The manifest.
    pub manifest: Manifest,
    /// The plans of the revisions, the oldest first.
    pub revisions: Vec<Experiment>,
}

/// Reads a whole bundle. `each` is called with every game, before the digests at the end of the bundle are compared.
///
/// # Errors
/// When the file is no bundle of this version, or was truncated or changed.
pub fn read(path: &Path, mut each: impl FnMut(BundledGame)) -> Result<Contents> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    read_from(BufReader::new(file), &mut each).with_context(|| format!("{} cannot be used", path.display()))
}

/// The fields that all versions share.
#[derive(Deserialize)]
struct AnyVersion {
    format: String,
    version: u32,
}

fn read_from(file: impl Read, each: &mut dyn FnMut(BundledGame)) -> Result<Contents> {
    let mut archive = Archive::new(GzDecoder::new(file));
    let mut bundle: Option<(String, Manifest)> = None;
    let mut revisions: BTreeMap<u64, Experiment> = BTreeMap::new();
    let mut digests: BTreeMap<String, String> = BTreeMap::new();
    let mut is_over = false;
    for entry in archive.entries().map_err(broken)? {
        let entry = entry.map_err(broken)?;
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        ensure!(
            entry.header().entry_type() == EntryType::Regular,
            "`{path}` in it is no regular file; a bundle has nothing else"
        );
        let (folder, name) = parted(&path)?;
        ensure!(!is_over, "`{path}` follows {SUMS}, which is the last file of a bundle");
        let mut content = Hashed { inner: entry, digest: Sha256::new() };
        match &bundle {
            None => {
                ensure!(
                    name == MANIFEST,
                    "it is no bundle of Gauntlet: its first file is `{path}` and not {MANIFEST}"
                );
                bundle = Some((folder.to_owned(), manifest(&whole(&mut content)?)?));
            }
            Some((own, _)) => {
                ensure!(folder == own, "`{path}` in it is outside of its folder `{own}`");
                if name == SUMS {
                    compare(&digests, &String::from_utf8_lossy(&whole(&mut content)?))?;
                    is_over = true;
                    continue;
                }
                if let Some(number) = revision(name) {
                    let plan = serde_json::from_slice(&whole(&mut content)?);
                    revisions.insert(number, plan.with_context(|| format!("its {name} is no plan"))?);
                }
                if name.starts_with(GAMES) {
                    read_games(&mut content, each).with_context(|| format!("its file {name}"))?;
                }
            }
        }
        std::io::copy(&mut content, &mut std::io::sink()).map_err(broken)?;
        let digest = hex(&content.digest.finalize());
        ensure!(digests.insert(name.to_owned(), digest).is_none(), "`{path}` is in it twice");
    }
    let (_, manifest) = bundle.context("it is no bundle of Gauntlet: it is empty")?;
    ensure!(is_over, "it is truncated: it has no {SUMS}, which is the last file of a bundle");
    Ok(Contents { manifest, revisions: revisions.into_values().collect() })
}

/// The number of the revision whose plan a file has.
fn revision(name: &str) -> Option<u64> {
    name.strip_prefix(REVISIONS)?.strip_suffix(".json")?.parse().ok()
}

/// An error while the archive is read.
fn broken(error: std::io::Error) -> anyhow::Error {
    match error.kind() {
        std::io::ErrorKind::UnexpectedEof => anyhow!("it is truncated: {error}"),
        std::io::ErrorKind::InvalidInput => anyhow!("it is no gzipped tar archive: {error}"),
        _ => anyhow!("it is damaged, or no gzipped tar archive: {error}"),
    }
}

/// The folder of a bundle and the name of a file in it. Nothing is unpacked here. Still a path that leads out of the folder is
/// refused, because unpacking such a file would be dangerous.
fn parted(path: &str) -> Result<(&str, &str)> {
    let is_plain = |part: &str| !part.is_empty() && part != "." && part != "..";
    match path.split_once('/') {
        Some((folder, name)) if is_plain(folder) && name.split('/').all(is_plain) && !path.contains('\\') => {
            Ok((folder, name))
        }
        _ => bail!("`{}` is no path of a bundle; do not unpack it", path.escape_debug()),
    }
}

fn manifest(text: &[u8]) -> Result<Manifest> {
    let any: AnyVersion = serde_json::from_slice(text).context("its manifest cannot be read")?;
    ensure!(any.format == FORMAT, "its format is `{}` and not `{FORMAT}`", any.format);
    ensure!(
        any.version == VERSION,
        "it has version {} of the format, and this program reads version {VERSION}: use a {} program",
        any.version,
        if any.version > VERSION { "newer" } else { "older" }
    );
    serde_json::from_slice(text).context("its manifest cannot be read")
}

/// The whole content of a small file.
fn whole(content: &mut impl Read) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    content.take(LARGEST + 1).read_to_end(&mut bytes).map_err(broken)?;
    ensure!(bytes.len() as u64 <= LARGEST, "a file in it is larger than {LARGEST} bytes");
    Ok(bytes)
}

fn read_games(content: &mut impl Read, each: &mut dyn FnMut(BundledGame)) -> Result<()> {
    let mut content = BufReader::new(content);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let read = (&mut content).take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(broken)?;
        if read == 0 {
            break;
        }
        ensure!((read as u64) < LONGEST_LINE, "line {number} has more than {LONGEST_LINE} bytes");
        each(serde_json::from_slice(&line).with_context(|| format!("line {number} is no game"))?);
    }
    Ok(())
}

/// Compares digests with the list of the bundle.
fn compare(found: &BTreeMap<String, String>, listed: &str) -> Result<()> {
    let mut sums = BTreeMap::new();
    for line in listed.lines() {
        let (digest, name) =
            line.split_once("  ").with_context(|| format!("its {SUMS} has the line `{line}`"))?;
        sums.insert(name, digest);
    }
    for (name, digest) in found {
        match sums.remove(name.as_str()) {
            Some(listed) if listed == digest => {}
            Some(_) => bail!("it was changed: {name} has not the digest of {SUMS}"),
            None => bail!("it was changed: {name} is not in {SUMS}"),
        }
    }
    sums.first_key_value().map_or(Ok(()), |(name, _)| bail!("it was changed: {name} is missing"))
}

/// A reader that computes the digest of what it reads.
struct Hashed<R> {
    inner: R,
    digest: Sha256,
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.digest.update(&buffer[..read]);
        Ok(read)
    }
}
