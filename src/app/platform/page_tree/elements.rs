//! The tree of `accesskit` as elements with attributes of WAI-ARIA.

use std::collections::{BTreeMap, HashMap};

use bevy_egui::egui::accesskit::{Action, Live, Node, NodeId, Role, Toggled, TreeUpdate};
use serde::Serialize;

use crate::i18n::Language;

/// What `web/tree.js` shows.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct PageTree {
    /// The language of its texts, for the voice.
    language: &'static str,
    focus: String,
    elements: Vec<Element>,
}

#[derive(Debug, PartialEq, Serialize)]
struct Element {
    id: String,
    attributes: BTreeMap<&'static str, String>,
    text: String,
    /// Whether its text is said when it changes.
    is_said: bool,
    children: Vec<Self>,
}

impl PageTree {
    pub(super) fn new(update: &TreeUpdate, language: Language) -> Self {
        let nodes = update.nodes.iter().map(|(id, node)| (*id, node)).collect();
        let language = match language {
            Language::English => "en",
            Language::Italian => "it",
        };
        let root = update.tree.as_ref().map(|tree| tree.root);
        let elements = root.map(|root| children(&nodes, root)).unwrap_or_default();
        Self { language, focus: update.focus.0.to_string(), elements }
    }
}

type Nodes<'a> = HashMap<NodeId, &'a Node>;

fn children(nodes: &Nodes, id: NodeId) -> Vec<Element> {
    let known = nodes.get(&id).map(|node| node.children()).unwrap_or_default();
    known.iter().flat_map(|child| elements(nodes, *child)).collect()
}

/// The element of a node, or those of its children where it means nothing itself.
fn elements(nodes: &Nodes, id: NodeId) -> Vec<Element> {
    let Some(node) = nodes.get(&id) else { return Vec::new() };
    let role = match node.role() {
        // For mice.
        Role::TextRun | Role::ScrollBar | Role::Splitter => return Vec::new(),
        // What is only text needs no role; and a status would be said twice.
        Role::Label | Role::Status => None,
        Role::Button => Some("button"),
        Role::CheckBox => Some("checkbox"),
        Role::RadioButton => Some("radio"),
        Role::RadioGroup => Some("radiogroup"),
        Role::ComboBox => Some("combobox"),
        Role::Slider => Some("slider"),
        Role::SpinButton => Some("spinbutton"),
        Role::TextInput | Role::MultilineTextInput | Role::PasswordInput => Some("textbox"),
        Role::Link => Some("link"),
        Role::Image => Some("img"),
        Role::ProgressIndicator => Some("progressbar"),
        Role::Grid => Some("grid"),
        Role::Row => Some("row"),
        Role::Cell => Some("gridcell"),
        Role::Window if node.label().is_some() => Some("dialog"),
        _ if node.label().is_some() => Some("group"),
        _ => return children(nodes, id),
    };
    let children = children(nodes, id);
    let text = if children.is_empty() { node.value().unwrap_or_default() } else { "" };
    vec![Element {
        id: id.0.to_string(),
        attributes: attributes(node, role),
        text: text.to_owned(),
        is_said: node.live().is_some_and(|live| live != Live::Off),
        children,
    }]
}

fn attributes(node: &Node, role: Option<&'static str>) -> BTreeMap<&'static str, String> {
    let toggled = match node.toggled() {
        Some(Toggled::True) => Some("true"),
        Some(Toggled::False) => Some("false"),
        Some(Toggled::Mixed) => Some("mixed"),
        None => None,
    };
    let toggles = if role == Some("button") { "aria-pressed" } else { "aria-checked" };
    let is_reached = node.supports_action(Action::Focus) || node.supports_action(Action::Click);
    let is_control = is_reached && role.is_some();
    let of_numbers = |number: Option<f64>| number.map(|number| number.to_string());
    let is_number = node.numeric_value().is_some();
    let given = [
        ("role", role.map(str::to_owned)),
        ("tabindex", is_control.then(|| "-1".to_owned())),
        ("aria-label", node.label().map(str::to_owned)),
        ("aria-description", node.description().map(str::to_owned)),
        ("aria-placeholder", node.placeholder().map(str::to_owned)),
        ("aria-disabled", node.is_disabled().then(|| "true".to_owned())),
        ("aria-selected", node.is_selected().map(|it| it.to_string())),
        ("aria-expanded", node.is_expanded().map(|it| it.to_string())),
        (toggles, toggled.map(str::to_owned)),
        ("aria-valuenow", of_numbers(node.numeric_value())),
        ("aria-valuemin", of_numbers(node.min_numeric_value())),
        ("aria-valuemax", of_numbers(node.max_numeric_value())),
        ("aria-valuetext", node.value().filter(|_| is_number).map(str::to_owned)),
    ];
    given.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::accesskit::{Tree, TreeId};

    use super::*;

    fn node(role: Role, write: impl FnOnce(&mut Node)) -> Node {
        let mut node = Node::new(role);
        write(&mut node);
        node
    }

    fn shown(nodes: Vec<Node>) -> serde_json::Value {
        let mut root = Node::new(Role::Window);
        root.set_children((1..=nodes.len() as u64).map(NodeId).collect::<Vec<_>>());
        let numbered = (0..).map(NodeId).zip([vec![root], nodes].concat()).collect();
        let tree = Some(Tree::new(NodeId(0)));
        let update = TreeUpdate { nodes: numbered, tree, tree_id: TreeId::ROOT, focus: NodeId(1) };
        serde_json::to_value(PageTree::new(&update, Language::Italian)).expect("a tree")
    }

    #[test]
    fn a_widget_becomes_an_element_with_its_role_name_and_state() {
        let button = node(Role::Button, |node| {
            node.set_label("Sound");
            node.set_toggled(Toggled::True);
            node.set_disabled();
            node.add_action(Action::Click);
        });
        let slider = node(Role::Slider, |node| {
            node.set_label("Volume");
            node.set_numeric_value(7.0);
            node.set_max_numeric_value(10.0);
        });
        let tree = shown(vec![button, slider]);
        assert_eq!((&tree["language"], &tree["focus"]), (&"it".into(), &"1".into()));
        let expected = serde_json::json!({
            "role": "button", "tabindex": "-1", "aria-label": "Sound", "aria-pressed": "true",
            "aria-disabled": "true",
        });
        assert_eq!(tree["elements"][0]["attributes"], expected);
        let expected = serde_json::json!({
            "role": "slider", "aria-label": "Volume", "aria-valuenow": "7", "aria-valuemax": "10",
        });
        assert_eq!(tree["elements"][1]["attributes"], expected);
    }

    #[test]
    fn only_what_tells_something_is_shown() {
        let pane = node(Role::GenericContainer, |node| node.set_children(vec![NodeId(3)]));
        let label = node(Role::Label, |node| {
            node.set_value("White to move");
            node.set_live(Live::Polite);
            node.set_children(vec![NodeId(4)]);
            // egui's texts can be selected.
            node.add_action(Action::Click);
        });
        let letters = node(Role::TextRun, |node| node.set_value("White to move"));
        let mut tree = shown(vec![Node::new(Role::ScrollBar), pane, label, letters]);
        // The label is listed twice, since the root of this test has all nodes.
        let elements = tree["elements"].as_array_mut().expect("the elements");
        assert_eq!(elements.pop(), elements.first().cloned());
        let expected = serde_json::json!([{
            "id": "3", "attributes": {}, "text": "White to move", "is_said": true, "children": [],
        }]);
        assert_eq!(tree["elements"], expected);
    }
}
