//! Escapes of JSON strings.

use alloc::{string::String, vec};

/// Resolves the escapes of a string; `None` for half of a surrogate pair.
pub(super) fn unescaped(written: &str) -> Option<String> {
    let mut text = String::with_capacity(written.len());
    let mut rest = written;
    while let Some((plain, escape)) = rest.split_once('\\') {
        text.push_str(plain);
        let mut characters = escape.chars();
        text.push(match characters.next()? {
            same @ ('"' | '\\' | '/') => same,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let mut rest = characters.as_str();
                let unit = code_unit(&mut rest)?;
                let mut units = vec![unit];
                if (0xd800..0xdc00).contains(&unit) {
                    rest = rest.strip_prefix("\\u")?;
                    units.push(code_unit(&mut rest)?);
                }
                characters = rest.chars();
                char::decode_utf16(units).next()?.ok()?
            }
            _ => return None,
        });
        rest = characters.as_str();
    }
    text.push_str(rest);
    Some(text)
}

/// Reads four hexadecimal digits from the start of a text.
fn code_unit(rest: &mut &str) -> Option<u16> {
    let (digits, after) = rest.split_at_checked(4)?;
    *rest = after;
    u16::from_str_radix(digits, 16).ok()
}
