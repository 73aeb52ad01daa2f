//! The tree of screen readers on the web page. No adapter of `accesskit` writes one for
//! browsers, so the page gets it as elements inside the canvas (`web/tree.js`), which
//! nobody sees but browsers read to those who listen.

#[cfg(any(test, target_arch = "wasm32"))]
mod elements;

#[cfg(target_arch = "wasm32")]
pub(crate) use self::web::plugin;

#[cfg(target_arch = "wasm32")]
mod web {
    use std::cell::RefCell;

    use bevy::a11y::{AccessibilityRequested, ActionRequest};
    use bevy_egui::{
        EguiOutput, EguiPreUpdateSet, PrimaryEguiContext,
        egui::accesskit::{Action, ActionRequest as Request, NodeId, TreeId},
    };
    use wasm_bindgen::{closure::Closure, prelude::wasm_bindgen};

    use super::elements::PageTree;
    use crate::{app::core::prelude::*, engines::wake};

    #[wasm_bindgen(module = "/web/tree.js")]
    extern "C" {
        fn listen(report: &Closure<dyn FnMut(String, bool)>);
        fn show(tree: &str);
    }

    thread_local! {
        /// What was asked of the elements and has not been done yet.
        static ASKED: RefCell<Vec<(NodeId, Action)>> = const { RefCell::new(Vec::new()) };
        static REPORT: Closure<dyn FnMut(String, bool)> = Closure::new(report);
    }

    /// Notes that an element was pressed, or else that it has the focus.
    fn report(id: String, is_press: bool) {
        let Ok(id) = id.parse() else { return };
        let action = if is_press { Action::Click } else { Action::Focus };
        ASKED.with_borrow_mut(|asked| asked.push((NodeId(id), action)));
        wake();
    }

    pub(crate) fn plugin(app: &mut App) {
        app.add_systems(Startup, begin)
            .add_systems(PreUpdate, do_what_is_asked.before(EguiPreUpdateSet::ProcessInput))
            .add_systems(Last, show_tree);
    }

    /// Browsers do not tell whether anybody listens.
    fn begin(requested: Res<AccessibilityRequested>) {
        requested.set(true);
        REPORT.with(listen);
    }

    fn do_what_is_asked(mut requests: MessageWriter<ActionRequest>) {
        let asked = ASKED.take().into_iter();
        requests.write_batch(asked.map(|(target_node, action)| {
            let target_tree = TreeId::ROOT;
            ActionRequest(Request { action, target_tree, target_node, data: None })
        }));
    }

    /// Gives the page what has changed.
    fn show_tree(
        outputs: Query<&EguiOutput, With<PrimaryEguiContext>>,
        mut shown: Local<Option<PageTree>>,
    ) {
        let updates = outputs.iter().filter_map(|it| it.platform_output.accesskit_update.as_ref());
        for update in updates {
            let tree = Some(PageTree::new(update, crate::i18n::language()));
            if *shown != tree {
                show(&serde_json::to_string(&tree).unwrap_or_default());
                *shown = tree;
            }
        }
    }
}
