//! Makes the record of a row or a line.

use foldhash::HashMap;
use serde_json::value::RawValue;

use super::{
    client,
    json_lines::JsonLine,
    left_out::Filter,
    not_a_client::row_problem,
    record::{Original, Record},
    row::TableRow,
};
use crate::{
    mapping::{ListKind, Mapping},
    push::REPORT_NAMES,
    safe_cells::restored,
};

/// The maximum number of columns of a file of objects; further names are ignored. A workbook may have more.
pub(super) const COLUMNS: usize = 1_000;
/// A longer name is no column.
pub(super) const NAME_BYTES: usize = 1_000;

/// The record of a row, and its id if that has only zeros.
pub(super) type WithZeroId = (Record, Option<String>);

/// The record of a row of a table.
pub(super) fn table_record(mapping: &Mapping, width: usize, mut row: TableRow) -> WithZeroId {
    if mapping.columns().iter().any(|column| REPORT_NAMES.contains(&column.header.as_str())) {
        row.cells.iter_mut().for_each(|cell| cell.text = restored(&cell.text).to_owned());
    }
    let count = match row.more_cells {
        0 => row.cells.iter().rposition(|cell| !cell.is_blank()).map_or(0, |last| last + 1),
        more => row.cells.len() + more,
    };
    let (mut client, mut problems, mut zero_id) = (None, Vec::new(), None);
    if count > width {
        problems.push(format!("The row has {count} values for {width} columns"));
    } else if let Some(problem) = row_problem(mapping.kind(), mapping.columns(), &row) {
        problems.push(problem);
    } else {
        let mut built = client::of_cells(mapping, &row.cells);
        (problems, zero_id) = (std::mem::take(&mut built.problems), built.zero_id.take());
        client = Some(built.into_json());
    }
    let record = Record {
        number: row.number,
        is_short: row.cells.len() < width,
        original: Original::Cells(row.cells.into_iter().map(|cell| cell.text).collect()),
        client,
        problems,
        left_out: Vec::new(),
        is_windows_1252: row.is_windows_1252,
    };
    (record, zero_id)
}

/// The record of a line; `None` if the filter leaves it out.
pub(super) fn object_record(
    mapping: &mut Mapping,
    places: &mut HashMap<String, usize>,
    line: JsonLine,
    filter: &mut Filter,
) -> Option<WithZeroId> {
    let mut zero_id = None;
    let (client, problems) = match line.members {
        Err(problem) => (None, vec![problem.to_owned()]),
        Ok(mut members) => {
            if mapping.kind() == ListKind::Prospects {
                client::flatten_vehicle(&mut members);
            }
            let mut values: Vec<Option<&RawValue>> = vec![None; mapping.columns().len()];
            for (name, value) in &members {
                let place = match places.get(name) {
                    Some(place) => *place,
                    None if places.len() < COLUMNS && name.len() <= NAME_BYTES => {
                        let place = mapping.add(name);
                        places.insert(name.clone(), place);
                        filter.renew(mapping);
                        place
                    }
                    None => continue,
                };
                values.resize(values.len().max(place + 1), None);
                if let Some(of_place) = values.get_mut(place) {
                    *of_place = Some(value);
                }
            }
            let text = |place: usize| values.get(place).copied().flatten().map(|value| value.get().trim_matches('"'));
            if !filter.keeps(text) {
                return None;
            }
            let mut built = client::of_members(mapping, &values);
            let problems = std::mem::take(&mut built.problems);
            zero_id = built.zero_id.take();
            (Some(built.into_json()), problems)
        }
    };
    let original = Original::Object(line.text);
    let record = Record {
        number: line.number,
        original,
        client,
        problems,
        left_out: Vec::new(),
        is_short: false,
        is_windows_1252: false,
    };
    Some((record, zero_id))
}
