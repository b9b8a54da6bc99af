//! Lists as CSV files that Excel opens as they are.

/// A byte order mark, without which Excel does not read UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// The file: a first row of names, then rows. A cell that a spreadsheet would compute gets an apostrophe.
pub(crate) fn csv<'r>(head: impl IntoIterator<Item = &'r str>, rows: impl IntoIterator<Item = Vec<String>>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(MARK.to_vec());
    // Writing to memory does not fail, and all rows have the same length.
    let _ = writer.write_record(head);
    for row in rows {
        let _ = writer.write_record(row.into_iter().map(safe));
    }
    writer.into_inner().unwrap_or_default()
}

fn safe(cell: String) -> String {
    // A phone number in E.164 begins with a plus and holds nothing to compute.
    let is_phone = cell.strip_prefix('+').is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
    let is_computed =
        cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}']);
    if is_computed && !is_phone { format!("'{cell}") } else { cell }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_never_a_formula() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let rows = [row(["=1+1", "a,b"]), row(["-x", "+12175550134"]), row(["plain", "\u{ff1d}A1"])];
        let text = String::from_utf8(csv(["A", "B"], rows)).unwrap();
        assert_eq!(text, "\u{feff}A,B\n'=1+1,\"a,b\"\n'-x,+12175550134\nplain,'\u{ff1d}A1\n");
    }
}
