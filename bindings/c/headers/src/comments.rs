//! The comments of the Rust code, by the names that C has for what they describe.

use std::{collections::BTreeMap, fmt::Write as _};

use syn::{Attribute, Expr, ImplItem, Item, Lit, Meta, Type};

/// Comments, by names of C.
pub(crate) struct Comments(BTreeMap<String, Vec<String>>);

impl Comments {
    /// The comments of the bridge modules of a file.
    pub(crate) fn of(file: &syn::File) -> Self {
        let mut comments = BTreeMap::new();
        let modules = file.items.iter().filter_map(|item| match item {
            Item::Mod(module) => module.content.as_ref().map(|(_, items)| items),
            _ => None,
        });
        for item in modules.flatten() {
            match item {
                Item::Enum(item) => {
                    comments.insert(item.ident.to_string(), lines(&item.attrs));
                    for variant in &item.variants {
                        comments.insert(format!("{}_{}", item.ident, variant.ident), lines(&variant.attrs));
                    }
                }
                Item::Struct(item) => {
                    comments.insert(item.ident.to_string(), lines(&item.attrs));
                }
                Item::Impl(item) => {
                    let Type::Path(owner) = &*item.self_ty else { continue };
                    let Some(owner) = owner.path.get_ident() else { continue };
                    for method in &item.items {
                        if let ImplItem::Fn(method) = method {
                            comments.insert(format!("{owner}_{}", method.sig.ident), lines(&method.attrs));
                        }
                    }
                }
                _ => {}
            }
        }
        Self(comments)
    }

    /// A header with a comment before each declaration that has one, and one blank line in a row at most.
    pub(crate) fn added_to(&self, header: &str) -> String {
        let mut added = String::with_capacity(2 * header.len());
        for line in header.lines() {
            if line.is_empty() && added.ends_with("\n\n") {
                continue;
            }
            let comment = declared(line).and_then(|name| self.0.get(name)).filter(|comment| !comment.is_empty());
            if let Some(comment) = comment {
                let indent = &line[..line.len() - line.trim_start().len()];
                let _ = writeln!(added, "{indent}/* {} */", comment.join(&format!("\n{indent} * ")));
            }
            added.push_str(line);
            added.push('\n');
        }
        added
    }
}

/// The name that a line of a generated header declares: a function, a type or a variant.
fn declared(line: &str) -> Option<&str> {
    let rest = line.trim();
    if let Some(variant) = rest.strip_suffix(',').and_then(|rest| rest.split_once(" = ")) {
        return Some(variant.0);
    }
    if let Some(rest) = rest.strip_prefix("typedef enum ") {
        return rest.strip_suffix(" {");
    }
    if let Some(rest) = rest.strip_prefix("typedef struct ") {
        // A type that C sees only by pointers: `typedef struct X X;`.
        return rest.strip_suffix(';')?.split_once(' ').filter(|(name, alias)| name == alias).map(|(name, _)| name);
    }
    let (before, _) = rest.strip_suffix(");")?.split_once('(')?;
    before.rsplit([' ', '*']).next()
}

fn lines(attributes: &[Attribute]) -> Vec<String> {
    let documented = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => Some(&meta.value),
        _ => None,
    });
    let texts = documented.filter_map(|value| match value {
        Expr::Lit(literal) => Some(&literal.lit),
        _ => None,
    });
    texts
        .filter_map(|literal| if let Lit::Str(text) = literal { Some(text.value().trim().to_owned()) } else { None })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_types_and_variants_get_their_comments() {
        let file = syn::parse_file(
            "mod ffi {
                /// A kind.
                pub enum Kind { /** One. */ One, Two }
                /// Hidden.
                pub struct Value(u8);
                impl Value {
                    /// Makes
                    /// one.
                    pub fn of(kind: Kind) -> Box<Value> { loop {} }
                    pub fn plain(&self) {}
                }
            }",
        );
        let comments = Comments::of(&file.unwrap());
        let header = "typedef enum Kind {\n  Kind_One = 0,\n  Kind_Two = 1,\n} Kind;\ntypedef struct Value Value;\n\
                      Value* Value_of(Kind kind);\nvoid Value_plain(const Value* self);\nvoid Value_destroy(Value* self);\n";
        let expected = "/* A kind. */\ntypedef enum Kind {\n  /* One. */\n  Kind_One = 0,\n  Kind_Two = 1,\n} Kind;\n\
                        /* Hidden. */\ntypedef struct Value Value;\n/* Makes\n * one. */\nValue* Value_of(Kind kind);\n\
                        void Value_plain(const Value* self);\nvoid Value_destroy(Value* self);\n";
        assert_eq!(comments.added_to(header), expected);
    }
}
