//! A page of the documentation as the sequence of what matters to its examples: fenced blocks, and
//! the HTML comments between them, which stage what a reader need not see.

/// A fenced block or a comment, and its position.
pub struct Piece {
    pub line: usize,
    pub content: Content,
}

pub enum Content {
    /// The words of `<!-- … -->`.
    Comment(String),
    /// A fenced block with its language, empty if none is named.
    Block { language: String, text: String },
}

/// The pieces of a page in order.
pub fn pieces(page: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut lines = (1..).zip(page.lines());
    while let Some((line, text)) = lines.next() {
        if let Some(language) = text.strip_prefix("```") {
            let inside = lines.by_ref().map(|(_, text)| text).take_while(|text| *text != "```");
            let text = inside.collect::<Vec<_>>().join("\n");
            pieces.push(Piece { line, content: Content::Block { language: language.to_owned(), text } });
        } else if let Some(words) = text.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")) {
            pieces.push(Piece { line, content: Content::Comment(words.to_owned()) });
        }
    }
    pieces
}

/// The cells of the table rows under a heading, without the table's own heading.
pub fn table_rows<'p>(page: &'p str, heading: &str) -> Vec<Vec<&'p str>> {
    let section = page.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("there is no {heading}")).1;
    let rows = section.lines().skip_while(|line| !line.starts_with("|---")).skip(1);
    rows.take_while(|line| line.starts_with('|'))
        .filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'))
        .map(|cells| cells.split('|').map(str::trim).collect())
        .collect()
}
