//! The tree of a game: the main line and its variations.

use tabulae_games::{AnyMove, Ply};

use super::Annotation;

/// A node of a [`GameTree`]: the position after a ply.
///
/// An id stays valid while its tree changes. An id of another tree, or of a deleted
/// node, finds nothing or the root.
///
/// ```
/// use tabulae_records::{NodeId, read};
///
/// let record = &read("[Rules \"tablaaza\"]\n\n1. c7 (1. c1) *").unwrap()[0];
/// let [main, other] = record.tree().children(NodeId::ROOT) else { panic!() };
/// assert_eq!(record.tree().parent(*other), Some(NodeId::ROOT));
/// assert!(record.is_main(*main) && !record.is_main(*other));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(usize);

impl NodeId {
    /// The start of the game.
    pub const ROOT: Self = Self(0);
}

#[derive(Clone, Debug, Default)]
struct Node {
    /// `None` at the root.
    ply: Option<Ply<AnyMove>>,
    /// `None` at the root and where a node was deleted.
    parent: Option<NodeId>,
    /// The number of plies that lead to it.
    depth: usize,
    children: Vec<NodeId>,
    annotation: Annotation,
}

/// The plies of a game with its variations, each with an [`Annotation`].
///
/// The first child of a node continues its line, and the others begin variations.
/// No two children of a node have the same ply. Only a [`Record`](super::Record)
/// makes and changes a tree, so every ply in it is legal. Equal trees have the same
/// shape, whatever their ids are.
///
/// ```
/// use tabulae_records::{GameTree, read};
///
/// let text = "[Rules \"tablaaza\"]\n\n1. c7 c6 (1... b7 2. a1) (1... d7) *";
/// let tree: GameTree = read(text).unwrap()[0].tree().clone();
/// assert_eq!((tree.nodes().count(), tree.variations()), (6, 2));
/// let deepest = tree.nodes().max_by_key(|node| tree.path(*node).len()).unwrap();
/// assert_eq!(tree.ply(deepest).unwrap().to_string(), "a1");
/// ```
#[derive(Clone, Debug)]
pub struct GameTree {
    /// The root is the first. Deleted nodes stay, without a parent.
    nodes: Vec<Node>,
    /// The nodes of the main line, the root first.
    main_line: Vec<NodeId>,
}

impl GameTree {
    fn node(&self, node: NodeId) -> &Node {
        self.nodes.get(node.0).unwrap_or(&self.nodes[0])
    }

    fn node_mut(&mut self, node: NodeId) -> &mut Node {
        let index = if node.0 < self.nodes.len() { node.0 } else { 0 };
        &mut self.nodes[index]
    }

    /// Whether a node is in the tree and was not deleted.
    pub fn contains(&self, node: NodeId) -> bool {
        let mut at = node;
        while at != NodeId::ROOT {
            match self.parent(at) {
                Some(parent) => at = parent,
                None => return false,
            }
        }
        true
    }

    /// The ply that leads to a node; `None` for the root.
    pub fn ply(&self, node: NodeId) -> Option<Ply<AnyMove>> {
        self.node(node).ply
    }

    /// The node before it; `None` for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.node(node).parent
    }

    /// The number of plies that lead to a node.
    pub(super) fn depth(&self, node: NodeId) -> usize {
        self.node(node).depth
    }

    /// The nodes behind it: the one that continues the line, then the variations.
    pub fn children(&self, node: NodeId) -> &[NodeId] {
        &self.node(node).children
    }

    /// The node behind `node` to which `ply` leads.
    pub fn child(&self, node: NodeId, ply: Ply<AnyMove>) -> Option<NodeId> {
        self.children(node).iter().copied().find(|&child| self.ply(child) == Some(ply))
    }

    /// The node to which these plies lead from the start.
    pub fn find(&self, plies: impl IntoIterator<Item = Ply<AnyMove>>) -> Option<NodeId> {
        plies.into_iter().try_fold(NodeId::ROOT, |node, ply| self.child(node, ply))
    }

    /// The comments, glyphs and shapes of a node.
    pub fn annotation(&self, node: NodeId) -> &Annotation {
        &self.node(node).annotation
    }

    /// Whether a node continues the line of its parent. The root does.
    pub fn continues_line(&self, node: NodeId) -> bool {
        self.parent(node).is_none_or(|parent| self.children(parent).first() == Some(&node))
    }

    /// The nodes from the root, which is not among them, to `node`.
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let mut path = Vec::new();
        let mut at = node;
        while let Some(parent) = self.parent(at) {
            path.push(at);
            at = parent;
        }
        path.reverse();
        path
    }

    /// The nodes of the main line, the root first.
    pub fn main_line(&self) -> &[NodeId] {
        &self.main_line
    }

    /// `node` and the nodes that continue its line to the end.
    pub fn line(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(node), |&at| self.children(at).first().copied())
    }

    /// All nodes, each before those behind it, lines before their variations.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        let mut left = vec![NodeId::ROOT];
        std::iter::from_fn(move || {
            let node = left.pop()?;
            left.extend(self.children(node).iter().rev());
            Some(node)
        })
    }

    /// The number of variations.
    pub fn variations(&self) -> usize {
        self.nodes().map(|node| self.children(node).len().saturating_sub(1)).sum()
    }

    /// Adds a node as the last child.
    pub(super) fn add(&mut self, parent: NodeId, ply: Ply<AnyMove>) -> NodeId {
        let node = NodeId(self.nodes.len());
        let depth = self.depth(parent) + 1;
        self.nodes.push(Node { ply: Some(ply), parent: Some(parent), depth, ..Node::default() });
        self.node_mut(parent).children.push(node);
        if self.main_line.last() == Some(&parent) {
            self.main_line.push(node);
        }
        node
    }

    /// Adds a node with all behind it, from `other`, as the last child.
    pub(super) fn copy(&mut self, parent: NodeId, other: &Self, node: NodeId) {
        let mut left = vec![(parent, node)];
        while let Some((parent, theirs)) = left.pop() {
            let Some(ply) = other.ply(theirs) else { continue };
            let ours = self.add(parent, ply);
            self.annotation_mut(ours).clone_from(other.annotation(theirs));
            left.extend(other.children(theirs).iter().rev().map(|&child| (ours, child)));
        }
    }

    pub(super) fn annotation_mut(&mut self, node: NodeId) -> &mut Annotation {
        &mut self.node_mut(node).annotation
    }

    /// Makes a node continue the line of its parent. Its comments before the move
    /// become comments behind it.
    pub(super) fn make_first(&mut self, node: NodeId) {
        let Some(parent) = self.parent(node) else { return };
        let children = &mut self.node_mut(parent).children;
        if let Some(at) = children.iter().position(|&child| child == node) {
            children[..=at].rotate_right(1);
        }
        self.settle_first(parent);
    }

    /// Removes a node and all behind it; not the root. Returns its parent.
    pub fn remove(&mut self, node: NodeId) -> Option<NodeId> {
        let parent = self.parent(node)?;
        self.node_mut(node).parent = None;
        self.node_mut(parent).children.retain(|&child| child != node);
        self.settle_first(parent);
        Some(parent)
    }

    /// Follows a change of the first child. It begins no variation, so nothing can
    /// stand before its move.
    fn settle_first(&mut self, parent: NodeId) {
        self.main_line = self.line(NodeId::ROOT).collect();
        if let Some(&first) = self.children(parent).first() {
            let note = self.annotation_mut(first);
            let mut comments = std::mem::take(&mut note.before);
            comments.append(&mut note.comments);
            note.comments = comments;
        }
    }
}

/// A game without plies.
impl Default for GameTree {
    fn default() -> Self {
        Self { nodes: vec![Node::default()], main_line: vec![NodeId::ROOT] }
    }
}

impl PartialEq for GameTree {
    fn eq(&self, other: &Self) -> bool {
        let mut left = vec![(NodeId::ROOT, NodeId::ROOT)];
        while let Some((ours, theirs)) = left.pop() {
            let (one, two) = (self.node(ours), other.node(theirs));
            if one.ply != two.ply
                || one.annotation != two.annotation
                || one.children.len() != two.children.len()
            {
                return false;
            }
            left.extend(one.children.iter().copied().zip(two.children.iter().copied()));
        }
        true
    }
}

impl Eq for GameTree {}
