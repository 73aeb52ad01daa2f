//! As much of XML as the files in `packaging` use.

use std::collections::BTreeMap;

/// An element of an XML file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: BTreeMap<String, String>,
    /// The text directly in it, without the white space around.
    pub(crate) text: String,
    pub(crate) children: Vec<Element>,
}

impl Element {
    /// The children of this name.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The only child of this name and language; none is English.
    pub(crate) fn only(&self, name: &str, language: Option<&str>) -> &Self {
        let same = |child: &&Self| child.name == name && child.attribute("xml:lang") == language;
        let found: Vec<_> = self.children.iter().filter(same).collect();
        assert_eq!(found.len(), 1, "{name} {language:?} in {}", self.name);
        found[0]
    }

    /// An attribute's value.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }
}

/// The root element.
///
/// # Panics
/// The text is not well-formed.
pub(crate) fn parse(text: &str) -> Element {
    let mut open = vec![Element::default()];
    let mut rest = text.trim();
    while let Some(start) = rest.find('<') {
        let last = open.last_mut().unwrap();
        last.text.push_str(&unescaped(rest[..start].trim()));
        rest = &rest[start..];
        if rest.starts_with("<!--") {
            rest = rest.split_once("-->").expect("the end of a comment").1;
            continue;
        }
        let (tag, after) = rest[1..].split_once('>').expect("the end of a tag");
        rest = after;
        if tag.starts_with(['?', '!']) {
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            let closed = open.pop().unwrap();
            assert_eq!(closed.name, name, "closed in order");
            open.last_mut().unwrap().children.push(closed);
            continue;
        }
        let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let element = element(tag);
        if is_empty {
            last.children.push(element);
        } else {
            open.push(element);
        }
    }
    assert!(rest.trim().is_empty() && open.len() == 1, "all elements are closed");
    let mut roots = open.remove(0).children;
    assert_eq!(roots.len(), 1, "one root");
    roots.remove(0)
}

/// An element without content, from its tag: a name, then `key="value"` pairs.
fn element(tag: &str) -> Element {
    let (name, mut rest) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
    let mut attributes = BTreeMap::new();
    while let Some((key, after)) = rest.split_once("=\"") {
        let (value, after) = after.split_once('"').expect("the end of a value");
        attributes.insert(key.trim().to_owned(), unescaped(value));
        rest = after;
    }
    assert!(rest.trim().is_empty(), "{tag}");
    Element { name: name.to_owned(), attributes, ..Element::default() }
}

fn unescaped(text: &str) -> String {
    let text = text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">");
    text.replace("&amp;", "&")
}
