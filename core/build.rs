//! Writes what the core carries with it: what the rules ask of Unicode, and the API's description.
//!
//! Unicode comes as one table, in a form that is small and compresses well: the libraries' own tables
//! are made for speed, and are half of the Worker's module, though few texts need them. `src/unicode/`
//! reads it. The description, `openapi.json`, loses the white space that people read it by.

#![expect(clippy::disallowed_methods, reason = "this runs when the core is built, and is no part of it")]

use std::{env, fs, path::Path};

use caseless::Caseless as _;
use unicode_normalization::{
    UnicodeNormalization as _,
    char::{canonical_combining_class, compose, decompose_canonical, decompose_compatible, is_combining_mark},
};
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};
use unicode_script::{Script, UnicodeScript as _};

/// Syllables are taken apart and put together by arithmetic.
const HANGUL: std::ops::RangeInclusive<char> = '\u{ac00}'..='\u{d7a3}';

/// The most values of an entry, as in `src/unicode/table.rs`.
const LONGEST: usize = 18;

type Entry = (char, Vec<char>);

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let mut bytes = Vec::new();
    for table in [
        mapped(|character| canonical(character).filter(|form| *form != [character])),
        mapped(|character| compatible(character).filter(|form| canonical(character).as_ref() != Some(form))),
        compositions(),
        mapped(|character| {
            Some([character].into_iter().default_case_fold().collect()).filter(|form| *form != [character])
        }),
        ranges(canonical_combining_class),
        ranges(|character| {
            u8::from(is_combining_mark(character))
                + 2 * u8::from(character.script() == Script::Latin)
                + 4 * u8::from(character.general_category_group() == GeneralCategoryGroup::Punctuation)
        }),
    ] {
        write(&table, &mut bytes);
    }
    let directory = env::var_os("OUT_DIR").expect("cargo says where");
    let directory = Path::new(&directory);
    fs::write(directory.join("unicode.bin"), bytes).expect("the table is written");
    println!("cargo::rerun-if-changed=openapi.json");
    let document = fs::read_to_string("openapi.json").expect("the description lies here");
    fs::write(directory.join("openapi.json"), minified(&document)).expect("the description is written");
}

/// JSON without the white space between its tokens.
fn minified(json: &str) -> String {
    let (mut is_text, mut is_escaped) = (false, false);
    let is_kept = |character: &char| {
        let was_text = is_text;
        is_text ^= *character == '"' && !is_escaped;
        is_escaped = *character == '\\' && !is_escaped;
        was_text || !character.is_ascii_whitespace()
    };
    json.chars().filter(is_kept).collect()
}

fn characters() -> impl Iterator<Item = char> {
    '\0'..=char::MAX
}

fn canonical(character: char) -> Option<Vec<char>> {
    let mut form = Vec::new();
    decompose_canonical(character, |part| form.push(part));
    Some(form).filter(|_| !HANGUL.contains(&character))
}

fn compatible(character: char) -> Option<Vec<char>> {
    let mut form = Vec::new();
    decompose_compatible(character, |part| form.push(part));
    Some(form).filter(|_| !HANGUL.contains(&character))
}

fn mapped(form: impl Fn(char) -> Option<Vec<char>>) -> Vec<Entry> {
    characters().filter_map(|character| Some((character, form(character)?))).collect()
}

/// The first character, and under it the second and what both make.
fn compositions() -> Vec<Entry> {
    let mut entries: Vec<Entry> = characters()
        .filter_map(|character| {
            let form = canonical(character)?;
            let (last, before) = form.split_last()?;
            let mut before = before.iter().copied().nfc();
            let (first, None) = (before.next()?, before.next()) else { return None };
            (compose(first, *last) == Some(character)).then(|| (first, vec![*last, character]))
        })
        .collect();
    entries.sort();
    entries
}

/// The first character of each range of those with the same value.
fn ranges(value: impl Fn(char) -> u8) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for character in characters() {
        let value = vec![char::from(value(character))];
        if entries.last().is_none_or(|(_, last)| *last != value) {
            entries.push((character, value));
        }
    }
    entries
}

/// The number of entries, their characters, each as what it is past the one before it, the lengths of
/// their values, and the values, each as how far it is from the one in its place in the entry before: what
/// characters beside each other stand for is mostly alike, place by place, which compresses well.
fn write(entries: &[Entry], bytes: &mut Vec<u8>) {
    number(entries.len().try_into().expect("there are few"), bytes);
    let mut before = 0;
    for (character, _) in entries {
        number(u32::from(*character) - before, bytes);
        before = u32::from(*character);
    }
    for (_, values) in entries {
        number(values.len().try_into().expect("there are few"), bytes);
    }
    let mut before = [0; LONGEST];
    for (_, values) in entries {
        assert!(values.len() <= LONGEST, "the reader has no more places");
        for (before, value) in before.iter_mut().zip(values) {
            let way = i64::from(u32::from(*value)) - *before;
            // The sign is the last bit.
            number(u32::try_from(if way < 0 { -2 * way - 1 } else { 2 * way }).expect("it is short"), bytes);
            *before += way;
        }
    }
}

/// Seven bits a byte, the lowest first; the eighth says that more follow.
fn number(mut number: u32, bytes: &mut Vec<u8>) {
    while number > 0x7f {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}
