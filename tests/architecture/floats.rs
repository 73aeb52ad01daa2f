//! Calls of the standard library's float functions whose last digits may differ between
//! platforms and versions.

use syn::visit::{self, Visit};

/// Those of which Rust documents "unspecified precision". `sqrt` and `mul_add` are exact.
const IMPRECISE: [&str; 27] = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "exp",
    "exp2",
    "exp_m1",
    "hypot",
    "ln",
    "ln_1p",
    "log",
    "log10",
    "log2",
    "powf",
    "powi",
    "sin",
    "sin_cos",
    "sinh",
    "tan",
    "tanh",
    "to_degrees",
];

/// The calls in a file, apart from its tests.
pub(crate) fn imprecise_calls(text: &str) -> Vec<String> {
    let file = syn::parse_file(text).expect("Rust");
    let mut calls = Calls(Vec::new());
    calls.visit_file(&file);
    calls.0
}

struct Calls(Vec<String>);

impl Calls {
    fn add(&mut self, name: &syn::Ident) {
        if IMPRECISE.iter().any(|other| name == other) {
            self.0.push(name.to_string());
        }
    }
}

impl<'ast> Visit<'ast> for Calls {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if module.ident != "tests" {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.add(&call.method);
        visit::visit_expr_method_call(self, call);
    }

    /// `f32::exp` as a function.
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<_> = path.segments.iter().map(|segment| &segment.ident).collect();
        if let [.., number, name] = names[..]
            && (number == "f32" || number == "f64")
        {
            self.add(name);
        }
        visit::visit_path(self, path);
    }
}

#[test]
fn calls_are_found_as_methods_and_as_functions_outside_of_tests() {
    let text = "fn f(x: f32) -> f32 { [x.exp()].map(f32::ln)[0] + libm::tanhf(x).sqrt() }
        mod tests { fn g(x: f32) -> f32 { x.tanh() } }";
    assert_eq!(imprecise_calls(text), ["exp", "ln"]);
}
