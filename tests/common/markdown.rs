//! A parsed Markdown file: its code blocks, headings, tables and links, and the
//! links that lead nowhere.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use markdown::{ParseOptions, mdast::Node};

/// A fenced code block.
#[derive(Debug)]
pub(crate) struct CodeBlock {
    /// What follows the opening fence: the language and its arguments.
    pub(crate) info: String,
    pub(crate) text: String,
    /// The heading above it.
    pub(crate) section: String,
}

/// A row of a table.
#[derive(Debug)]
pub(crate) struct Row {
    /// The heading above the table.
    pub(crate) section: String,
    /// The text of the table's first header cell.
    pub(crate) table: String,
    /// The cells' texts, without formatting.
    pub(crate) cells: Vec<String>,
}

/// A Markdown file.
#[derive(Debug, Default)]
pub(crate) struct Document {
    pub(crate) path: PathBuf,
    pub(crate) blocks: Vec<CodeBlock>,
    pub(crate) rows: Vec<Row>,
    /// The headings, in order.
    pub(crate) headings: Vec<String>,
    /// The targets of links and pictures.
    pub(crate) targets: Vec<String>,
}

impl Document {
    pub(crate) fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        Self::parse(path, &text)
    }

    fn parse(path: &Path, text: &str) -> Self {
        let mut document = Self { path: path.to_owned(), ..Self::default() };
        let root = markdown::to_mdast(text, &ParseOptions::gfm())
            .unwrap_or_else(|error| panic!("{path:?}: {error}"));
        document.add(&root);
        document
    }

    /// Adds what a node and its children hold.
    fn add(&mut self, node: &Node) {
        let section = self.headings.last().cloned().unwrap_or_default();
        match node {
            Node::Heading(_) => self.headings.push(plain_text(node)),
            Node::Code(code) => {
                let info = [code.lang.as_deref(), code.meta.as_deref()];
                let info = info.into_iter().flatten().collect::<Vec<_>>().join(" ");
                // The last line's end belongs to the block.
                self.blocks.push(CodeBlock { info, text: format!("{}\n", code.value), section });
            }
            Node::Link(link) => self.targets.push(link.url.clone()),
            Node::Image(image) => self.targets.push(image.url.clone()),
            Node::Table(table) => {
                let mut rows = table.children.iter().map(cells);
                let head = rows.next().and_then(|cells| cells.into_iter().next());
                let table = head.unwrap_or_default();
                let row = |cells| Row { section: section.clone(), table: table.clone(), cells };
                self.rows.extend(rows.map(row));
            }
            _ => {}
        }
        for child in node.children().into_iter().flatten() {
            self.add(child);
        }
    }

    /// The blocks whose first word after the fence is `language`.
    pub(crate) fn blocks_in<'a>(
        &'a self,
        language: &'a str,
    ) -> impl Iterator<Item = &'a CodeBlock> + 'a {
        self.blocks.iter().filter(move |block| block.info.split(' ').next() == Some(language))
    }

    /// The anchors of the headings, as GitHub makes them: lower case without
    /// punctuation, hyphens for spaces, and a number after a repeated one.
    fn anchors(&self) -> BTreeSet<String> {
        let (mut anchors, mut seen) = (BTreeSet::new(), BTreeMap::new());
        for heading in &self.headings {
            let kept =
                |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
            let slug = heading.to_lowercase().chars().filter(kept).collect::<String>();
            let slug = slug.replace(' ', "-");
            let count: &mut usize = seen.entry(slug.clone()).or_default();
            anchors.insert(if *count == 0 { slug } else { format!("{slug}-{count}") });
            *count += 1;
        }
        anchors
    }

    /// The links and pictures whose file or heading does not exist. Links to
    /// other sites are not followed.
    pub(crate) fn broken_links(&self) -> Vec<String> {
        let is_broken = |target: &&String| {
            if target.contains("://") {
                return false;
            }
            let (file, anchor) = match target.split_once('#') {
                Some((file, anchor)) => (file, Some(anchor)),
                None => (target.as_str(), None),
            };
            let path = match (file, self.path.parent()) {
                ("", _) | (_, None) => self.path.clone(),
                (file, Some(folder)) => folder.join(file),
            };
            match anchor {
                None => !path.exists(),
                Some(anchor) => {
                    let has_anchor = || Self::read(&path).anchors().contains(anchor);
                    !(path.extension().is_some_and(|extension| extension == "md")
                        && path.is_file()
                        && has_anchor())
                }
            }
        };
        self.targets.iter().filter(is_broken).cloned().collect()
    }
}

/// The texts of a table row's cells.
fn cells(row: &Node) -> Vec<String> {
    row.children().into_iter().flatten().map(plain_text).collect()
}

/// The text of a node without formatting, its line breaks as spaces.
fn plain_text(node: &Node) -> String {
    node.to_string().replace('\n', " ")
}

#[test]
fn broken_links_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("README.md");
    fs::write(
        folder.path().join("guide.md"),
        "# Guide\n\n## Use `it`: now!\n\n## Twice\n\n## Twice\n",
    )
    .unwrap();
    fs::write(folder.path().join("board.png"), "").unwrap();
    let good = "# Start here\n\n[a](guide.md) [b](guide.md#use-it-now) [c](#start-here)\n\
                [d](guide.md#twice-1) ![e](board.png) [f](https://example.org/x#y)\n\
                `[no](link.md)`\n";
    fs::write(&path, good).unwrap();
    assert_eq!(Document::read(&path).broken_links(), Vec::<String>::new());
    for bad in [
        "missing.md",
        "missing.md#guide",
        "guide.md#nowhere",
        "guide.md#twice-2",
        "#start",
        "board.png#part",
        "pictures/board.png",
    ] {
        for text in
            [format!("{good}\n[bad]({bad})"), format!("{good}\n| x |\n|---|\n| ![]({bad}) |")]
        {
            fs::write(&path, text).unwrap();
            assert_eq!(Document::read(&path).broken_links(), [bad]);
        }
    }
}
