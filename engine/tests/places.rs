//! The steps of CONTRIBUTING.md: who adds a tunable, a heuristic or a policy touches the files of its example and no
//! others, and a test misses each step that is left out.

use engine::havannah::Params;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Files that name many tunables by their nature: players with names, what has no effect in which company, another
/// program's flags, and long searches.
const OF_MANY: [&str; 4] =
    ["havannah/params/presets.rs", "havannah/identity.rs", "gtp/castro_flags.rs", "bench/signature.rs"];

/// The code of every source file of the engine by its path: without comments and tests.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut waiting, mut sources) = (vec![root.clone()], Vec::new());
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(&root).expect("below").to_string_lossy().replace('\\', "/");
                let text = read(&path);
                let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
                let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
                sources.push((name, lines.collect::<Vec<_>>().join("\n")));
            }
        }
    }
    sources.retain(|(name, _)| !name.contains("tests") && !OF_MANY.contains(&name.as_str()));
    sources
}

/// Whether the code of a file names a tunable: as a field of parameters, as a string, or by a row of a table.
fn names(file: &str, code: &str, tunable: &str) -> bool {
    let field = code.match_indices(&format!("params.{tunable}")).any(|(at, found)| {
        code[at + found.len()..].chars().next().is_none_or(|next| !next.is_alphanumeric() && next != '_')
    });
    let is_row = |line: &str| line.contains("Domain::") || file == "havannah/knowledge.rs";
    let row = code.lines().any(|line| is_row(line) && line.trim().starts_with(&format!("{tunable}: ")));
    field || row || code.contains(&format!("\"{tunable}\""))
}

#[test]
fn a_tunable_is_named_in_its_table_and_where_it_is_used() {
    let sources = sources();
    let page = read(&repository().join("docs/reference/heuristics.md"));
    for info in Params::TABLE {
        let (name, group) = (info.name, info.group);
        let named = sources.iter().filter(|(file, code)| names(file, code, name));
        let found: BTreeSet<&str> = named.map(|(file, _)| file.as_str()).collect();
        let table =
            if group == "tree" || name == "rave_compat" { "search/params.rs" } else { "havannah/params.rs" };
        assert!(found.contains(table), "`{name}` has no row in {table}: {found:?}");
        let used: Vec<_> = found.into_iter().filter(|file| *file != table).collect();
        match group {
            "knowledge" => assert!(
                used == ["havannah/knowledge.rs"],
                "the weight `{name}` belongs into a row of `knowledge!` in havannah/knowledge.rs alone: {used:?}"
            ),
            "playouts" => assert!(
                matches!(used[..], [file] if file.starts_with("havannah/playouts/")),
                "`{name}` belongs into one file of havannah/playouts/: {used:?}"
            ),
            _ => {}
        }
        assert!(
            !["knowledge", "playouts"].contains(&group) || page.contains(&format!("`{name}`")),
            "docs/reference/heuristics.md says nothing of `{name}`: write its idea, source and formula there"
        );
    }
}

#[test]
fn a_heuristic_and_a_policy_are_a_file_and_a_line_of_a_list() {
    let sources = sources();
    for (folder, shared) in [("knowledge", ["scene"].as_slice()), ("playouts", &["policy", "ring_rules"])] {
        let list = format!("havannah/{folder}.rs");
        let (_, code) = sources.iter().find(|(name, _)| *name == list).expect("a list");
        for (name, _) in sources.iter().filter(|(name, _)| name.starts_with(&format!("havannah/{folder}/"))) {
            let module = name.rsplit('/').next().and_then(|file| file.strip_suffix(".rs")).expect("a module");
            assert!(code.contains(&format!("mod {module};")), "{list} lacks `mod {module};`");
            if shared.contains(&module) {
                continue;
            }
            let path = format!("{module}::");
            assert!(code.contains(&path), "the list of {list} has no row of {module}");
            let others = sources
                .iter()
                .filter(|(other, code)| *other != list && other != name && code.contains(&path));
            let others: Vec<_> = others.map(|(other, _)| other).collect();
            assert!(others.is_empty(), "{others:?} know {module}; only {list} may");
        }
    }
}

#[test]
fn public_types_have_names_of_their_own() {
    let mut files = BTreeMap::<String, Vec<String>>::new();
    for (file, code) in sources() {
        let public = code.lines().filter_map(|line| line.trim_start().strip_prefix("pub "));
        for words in public.map(|line| line.split_whitespace().collect::<Vec<_>>()) {
            if let ["struct" | "enum" | "trait" | "type", name, ..] = words[..]
                && !name.starts_with('$')
            {
                let end = name.find(|c: char| !c.is_alphanumeric()).unwrap_or(name.len());
                files.entry(name[..end].to_owned()).or_default().push(file.clone());
            }
        }
    }
    assert!(files.len() > 60, "{}", files.len());
    let twice: Vec<_> = files.iter().filter(|(_, files)| files.len() > 1).collect();
    assert!(twice.is_empty(), "types of the same name: {twice:?}");
}

/// A change of one place: the lines before and after it. A new file has no lines before.
struct Change {
    file: String,
    before: String,
    after: String,
}

/// The changes of the example below a title of CONTRIBUTING.md.
fn example(title: &str) -> Vec<Change> {
    let page = read(&repository().join("CONTRIBUTING.md"));
    let (_, section) = page.split_once(&format!("\n## {title}\n")).expect("a section");
    let (_, example) = section.split_once("```diff\n").expect("an example");
    let (mut file, mut changes) = ("", Vec::<Change>::new());
    for line in example.lines().take_while(|line| *line != "```") {
        if let Some(name) = line.strip_prefix("--- ") {
            file = name;
        }
        if line.starts_with("--- ")
            || (line == "@@" && changes.last().is_some_and(|last| !last.after.is_empty()))
        {
            changes.push(Change { file: file.to_owned(), before: String::new(), after: String::new() });
            continue;
        }
        let change = changes.last_mut().expect("a file");
        let (sign, text) = if line.is_empty() { (" ", "") } else { line.split_at(1) };
        if [" ", "-"].contains(&sign) {
            change.before += &format!("{text}\n");
        }
        if [" ", "+"].contains(&sign) {
            change.after += &format!("{text}\n");
        }
    }
    changes
}

/// Applies changes to texts by path, which are read from the repository when they are changed first.
fn apply<'a>(changes: impl IntoIterator<Item = &'a Change>, texts: &mut BTreeMap<String, String>) {
    for Change { file, before, after } in changes {
        if before.is_empty() {
            assert!(!repository().join(file).exists(), "{file} is there already");
            texts.insert(file.clone(), after.clone());
            continue;
        }
        let text = texts.entry(file.clone()).or_insert_with(|| read(&repository().join(file)));
        let found = text.matches(before.as_str()).count();
        assert_eq!(
            found, 1,
            "CONTRIBUTING.md: lines of an example are in {file} {found} times, not once:\n{before}"
        );
        *text = text.replacen(before.as_str(), after, 1);
    }
}

const EXAMPLES: [(&str, usize); 3] =
    [("Add a search tunable", 2), ("Add a knowledge heuristic", 4), ("Add a playout policy", 4)];

#[test]
fn examples_of_contributing_fit_and_touch_few_files() {
    let mut together = BTreeMap::new();
    for (title, files) in EXAMPLES {
        let mut texts = BTreeMap::new();
        apply(&example(title), &mut texts);
        assert_eq!(texts.len(), files, "{title}: {:?}", texts.keys());
        apply(&example(title), &mut together);
    }
}

/// A copy of the repository's sources, which shares a target directory with other copies.
struct Copy {
    root: PathBuf,
}

impl Copy {
    fn new() -> Self {
        let root = std::env::temp_dir().join(format!("gauntlet-contributing-{}", std::process::id()));
        let mut waiting = vec![PathBuf::new()];
        while let Some(folder) = waiting.pop() {
            std::fs::create_dir_all(root.join(&folder)).expect("a folder");
            for entry in std::fs::read_dir(repository().join(&folder)).expect("a folder") {
                let entry = entry.expect("an entry");
                let (name, kind) = (entry.file_name(), entry.file_type().expect("a kind"));
                let built = ["target", "node_modules", ".git"]
                    .iter()
                    .any(|part| name.to_string_lossy().starts_with(part));
                if kind.is_dir() && !built {
                    waiting.push(folder.join(name));
                } else if kind.is_file() && !built {
                    std::fs::copy(entry.path(), root.join(&folder).join(name)).expect("a copy");
                }
            }
        }
        Self { root }
    }

    fn write(&self, texts: &BTreeMap<String, String>) {
        for (file, text) in texts {
            let path = self.root.join(file);
            // A file that stays as it is need not be compiled again.
            if std::fs::read_to_string(&path).ok().as_ref() != Some(text) {
                std::fs::write(path, text).expect("a file");
            }
        }
    }

    /// Runs tests of the engine. Returns whether they pass, and what they say.
    fn test(&self, arguments: &str, write: bool) -> (bool, String) {
        let mut command = Command::new(env!("CARGO"));
        command
            .args(["test", "--offline", "-p", "engine"])
            .args(arguments.split(' '))
            .current_dir(&self.root);
        command.env("CARGO_TARGET_DIR", self.root.join("target")).env("RUST_BACKTRACE", "0");
        if write {
            command.env("GAUNTLET_WRITE", "1");
        }
        let output = command.output().expect("cargo runs");
        let said = [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy).concat();
        (output.status.success(), said)
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.root));
    }
}

const PIN: &str = "--lib bench";
const PLACES: &str = "--test engine places::a_";

/// Steps that are left out: a text of the examples, what stands there instead, tests that miss the step, and what they
/// say.
const FORGOTTEN: &[(&str, &str, &str, &str)] = &[
    ("mod room;\n", "", PLACES, "could not compile"),
    ("    room: room::points;\n", "", PLACES, "`room` belongs into a row of `knowledge!`"),
    ("`room`.", "Room.", PLACES, "docs/reference/heuristics.md says nothing of `room`"),
    ("mod near_replies;\n", "", PLACES, "could not compile"),
    ("    near_replies: near_replies::NearReplies;\n", "", PLACES, "has no row of near_replies"),
    ("`near_replies`.", "They.", PLACES, "docs/reference/heuristics.md says nothing of `near_replies`"),
    (
        "[\"0.5\"], \"tree\",\n            \"Added",
        "[], \"tree\",\n            \"Added",
        PIN,
        "[\"root_exploration\"]: give each a sample",
    ),
    (
        "params.exploration + root)",
        "params.exploration)",
        PIN,
        "no sample of `root_exploration` changes a search",
    ),
    (
        "near_replies: f64 = 0.0",
        "near_replies: f64 = 0.1",
        PIN,
        "The default of a new tunable switches it off",
    ),
    (
        "self.exploration > 0.0 || self.root_exploration > 0.0",
        "self.exploration > 0.0",
        PIN,
        "no sample of `root_exploration` changes a search",
    ),
];

#[test]
#[ignore = "takes a quarter of an hour: compiles the engine with the examples of CONTRIBUTING.md, and without each of their steps"]
fn examples_of_contributing_pass_and_need_every_step() {
    let copy = Copy::new();
    let mut texts = BTreeMap::new();
    EXAMPLES.iter().for_each(|(title, _)| apply(&example(title), &mut texts));
    // The page's examples fit the tree without them only.
    texts.insert("CONTRIBUTING.md".to_owned(), read(&repository().join("CONTRIBUTING.md")));
    copy.write(&texts);
    let (passed, said) = copy.test(PIN, false);
    assert!(!passed && said.contains("players without a pin: [\"near_replies=0.5\", \"room=5\""), "{said}");
    let (passed, said) = copy.test(PIN, true);
    assert!(passed, "{said}");
    let (passed, said) = copy.test("--lib --tests -- --skip examples_of_contributing", false);
    assert!(passed, "{said}");
    for (step, instead, tests, message) in FORGOTTEN {
        let mut forgotten = texts.clone();
        let (_, text) = forgotten
            .iter_mut()
            .find(|(file, text)| *file != "CONTRIBUTING.md" && text.contains(step))
            .expect(step);
        *text = text.replacen(step, instead, 1);
        copy.write(&forgotten);
        let (passed, said) = copy.test(tests, false);
        assert!(!passed && said.contains(message), "without {step}: {said}");
        copy.write(&texts);
    }
}
