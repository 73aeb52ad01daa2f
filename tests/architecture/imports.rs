//! The paths that a source file uses: in `use` trees with nested braces, in
//! expressions, types and patterns, and in the tokens of macros.

use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::{
    UseTree,
    visit::{self, Visit},
};

/// A path to an item of this crate or another one.
pub(crate) struct Import {
    /// The segments as written, such as `super`, `game`, `Referee`.
    pub(crate) path: Vec<String>,
    /// The inline modules around it, the outermost first.
    inline: Vec<String>,
}

/// A file and the paths in it.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    /// The module that the file is, such as `app`, `game`, `clock`.
    pub(crate) modules: Vec<String>,
    pub(crate) imports: Vec<Import>,
}

impl Source {
    /// Parses a file below the folder `src`.
    pub(crate) fn parse(src: &Path, path: &Path, text: &str) -> Self {
        let file =
            syn::parse_file(text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut collector = Collector { imports: Vec::new(), inline: Vec::new() };
        collector.visit_file(&file);
        let inside = path.strip_prefix(src).expect("a file of the folder").with_extension("");
        let mut modules: Vec<String> =
            inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if modules.last().is_some_and(|module| ["mod", "lib", "main"].contains(&module.as_str())) {
            modules.pop();
        }
        Self { path: path.to_owned(), modules, imports: collector.imports }
    }
}

impl Import {
    /// Whether it stands in a module of tests.
    pub(crate) fn is_in_tests(&self) -> bool {
        self.inline.iter().any(|module| module == "tests")
    }

    /// The segments from the root of this crate, in a file that is the module
    /// `modules`; none for a path into another crate, or one relative to the
    /// file's own module.
    pub(crate) fn target(&self, modules: &[String]) -> Option<Vec<String>> {
        let mut place: Vec<String> = match self.path.first()?.as_str() {
            "crate" | "tabulae" => Vec::new(),
            "self" | "super" => [modules, &self.inline].concat(),
            _ => return None,
        };
        for segment in &self.path {
            match segment.as_str() {
                "crate" | "tabulae" | "self" => {}
                "super" => {
                    place.pop();
                }
                other => place.push(other.to_owned()),
            }
        }
        Some(place)
    }
}

struct Collector {
    imports: Vec<Import>,
    inline: Vec<String>,
}

impl Collector {
    fn add(&mut self, path: Vec<String>) {
        self.imports.push(Import { path, inline: self.inline.clone() });
    }

    /// Adds each leaf of a `use` tree.
    fn add_tree(&mut self, tree: &UseTree, mut before: Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.add_tree(&path.tree, before);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.add_tree(tree, before.clone());
                }
            }
            UseTree::Name(name) => {
                before.push(name.ident.to_string());
                self.add(before);
            }
            UseTree::Rename(rename) => {
                before.push(rename.ident.to_string());
                self.add(before);
            }
            UseTree::Glob(_) => {
                before.push("*".to_owned());
                self.add(before);
            }
        }
    }

    /// Adds the paths in the tokens of a macro: identifiers joined by `::`.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let (mut path, mut colons) = (Vec::new(), 0);
        for token in tokens {
            match token {
                TokenTree::Punct(punct) if punct.as_char() == ':' && !path.is_empty() => {
                    colons += 1;
                }
                TokenTree::Ident(ident) if colons == 2 => {
                    path.push(ident.to_string());
                    colons = 0;
                }
                other => {
                    self.finish_path(&mut path);
                    colons = 0;
                    match other {
                        TokenTree::Ident(ident) => path.push(ident.to_string()),
                        TokenTree::Group(group) => self.add_tokens(group.stream()),
                        TokenTree::Punct(_) | TokenTree::Literal(_) => {}
                    }
                }
            }
        }
        self.finish_path(&mut path);
    }

    fn finish_path(&mut self, path: &mut Vec<String>) {
        let path = std::mem::take(path);
        if path.len() > 1 {
            self.add(path);
        }
    }
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        self.inline.push(module.ident.to_string());
        visit::visit_item_mod(self, module);
        self.inline.pop();
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.add_tree(&item.tree, Vec::new());
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            let segments = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            self.add(segments);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        visit::visit_macro(self, call);
        self.add_tokens(call.tokens.clone());
    }

    /// A visibility is no import.
    fn visit_vis_restricted(&mut self, _: &'ast syn::VisRestricted) {}
}
