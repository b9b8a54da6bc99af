//! Compares the instructions of each path with the checked-in counts.

use crate::{Outcome, figures::thousands};

/// A path fails when its count exceeds the checked-in one by more than this. Fewer instructions never fail.
pub const BAND_PERCENT: usize = 10;

const ABOUT_THE_FILE: &str = "# Instructions of each hot path, as `tools/bench/run instructions` counts them; with --update it writes this file.\n";

/// The count of each path, in the order of the paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts(pub Vec<(String, usize)>);

impl Counts {
    /// Reads the checked-in file: each line holds a count and the name of a path.
    ///
    /// ```
    /// use matterbook_bench_core::counts::Counts;
    /// let counts = Counts::parse("# about the file\n7166 normalize boolean\n").unwrap();
    /// assert_eq!(counts.of("normalize boolean"), Some(7_166));
    /// assert_eq!(Counts::parse(&counts.to_text()).unwrap(), counts);
    /// ```
    ///
    /// # Errors
    /// When a line has another form, or repeats a path.
    pub fn parse(text: &str) -> Outcome<Self> {
        let mut counts = Self::default();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (count, path) = line.split_once(' ').ok_or_else(|| format!("\"{line}\" has no count and path"))?;
            let count = count.parse().map_err(|error| format!("\"{line}\" does not begin with a count: {error}"))?;
            if counts.of(path).is_some() {
                return Err(format!("\"{path}\" is there twice").into());
            }
            counts.0.push((path.to_owned(), count));
        }
        Ok(counts)
    }

    /// The text of the checked-in file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let lines = self.0.iter().map(|(path, count)| format!("{count} {path}\n"));
        ABOUT_THE_FILE.to_owned() + &lines.collect::<String>()
    }

    /// The count of a path.
    #[must_use]
    pub fn of(&self, path: &str) -> Option<usize> {
        self.0.iter().find(|(name, _)| name == path).map(|(_, count)| *count)
    }
}

/// One path: its count and the checked-in count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its name.
    pub path: String,
    /// `None` when the path does not exist.
    pub counted: Option<usize>,
    /// `None` when the path is not checked in.
    pub checked_in: Option<usize>,
}

/// The result of the comparison for a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Within the band.
    Within,
    /// Above the band.
    More,
    /// Below the band. The table notes it.
    Fewer,
    /// The path is not checked in.
    NotCheckedIn,
    /// The path is checked in but does not exist.
    NoSuchPath,
}

impl Standing {
    /// Whether the comparison fails.
    #[must_use]
    pub const fn is_failure(self) -> bool {
        !matches!(self, Self::Within | Self::Fewer)
    }
}

impl Row {
    /// The result of its comparison.
    #[must_use]
    pub fn standing(&self) -> Standing {
        match (self.counted, self.checked_in) {
            (None, _) => Standing::NoSuchPath,
            (_, None) => Standing::NotCheckedIn,
            (Some(counted), Some(checked_in)) if counted.abs_diff(checked_in) * 100 <= BAND_PERCENT * checked_in => {
                Standing::Within
            }
            (Some(counted), Some(checked_in)) if counted > checked_in => Standing::More,
            _ => Standing::Fewer,
        }
    }
}

/// All counted paths, followed by those that are only checked in.
#[must_use]
pub fn compare(counted: &Counts, checked_in: &Counts) -> Vec<Row> {
    let of_counted = |(path, count): &(String, usize)| Row {
        path: path.clone(),
        counted: Some(*count),
        checked_in: checked_in.of(path),
    };
    let gone = checked_in.0.iter().filter(|(path, _)| counted.of(path).is_none());
    let of_gone = |(path, count): &(String, usize)| Row { path: path.clone(), counted: None, checked_in: Some(*count) };
    counted.0.iter().map(of_counted).chain(gone.map(of_gone)).collect()
}

/// The rows as a table.
#[must_use]
pub fn table(rows: &[Row]) -> String {
    let mut table = "| path | counted | checked in | difference | |\n|---|---:|---:|---:|---|\n".to_owned();
    for row in rows {
        let written = |count: Option<usize>| count.map_or_else(|| "–".to_owned(), thousands);
        let difference = match (row.counted, row.checked_in) {
            (Some(counted), Some(checked_in)) => {
                let percent = (counted as f64 / checked_in as f64 - 1.0) * 100.0;
                // Adding zero turns -0 into +0.
                format!("{:+.2} %", (percent * 100.0).round() / 100.0 + 0.0)
            }
            _ => "–".to_owned(),
        };
        let remark = match row.standing() {
            Standing::Within => "",
            Standing::More => "**more**",
            Standing::Fewer => "fewer",
            Standing::NotCheckedIn => "**not checked in**",
            Standing::NoSuchPath => "**no such path**",
        };
        let (counted, checked_in) = (written(row.counted), written(row.checked_in));
        table.push_str(&format!("| {} | {counted} | {checked_in} | {difference} | {remark} |\n", row.path));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(counts: &[(&str, usize)]) -> Counts {
        Counts(counts.iter().map(|(path, count)| ((*path).to_owned(), *count)).collect())
    }

    #[test]
    fn more_than_ten_percent_more_fails_and_fewer_is_only_noted() {
        for (counted, standing, is_failure) in [
            (10_000, Standing::Within, false),
            (11_000, Standing::Within, false),
            (11_001, Standing::More, true),
            (20_000, Standing::More, true),
            (9_000, Standing::Within, false),
            (8_999, Standing::Fewer, false),
            (1, Standing::Fewer, false),
        ] {
            let rows = compare(&counts(&[("a", counted)]), &counts(&[("a", 10_000)]));
            assert_eq!(rows.iter().map(Row::standing).collect::<Vec<_>>(), [standing], "{counted}");
            assert_eq!(standing.is_failure(), is_failure, "{counted}");
        }
    }

    #[test]
    fn a_path_without_a_counterpart_fails() {
        let rows = compare(&counts(&[("old", 100), ("new", 7)]), &counts(&[("gone", 5), ("old", 100)]));
        let standings: Vec<_> = rows.iter().map(|row| (row.path.as_str(), row.standing())).collect();
        assert_eq!(
            standings,
            [("old", Standing::Within), ("new", Standing::NotCheckedIn), ("gone", Standing::NoSuchPath)]
        );
        assert!(rows.iter().map(|row| row.standing().is_failure()).eq([false, true, true]));
    }

    #[test]
    fn the_table_shows_the_difference_of_each_path() {
        let rows = compare(
            &counts(&[("a", 1_130), ("b", 870), ("c", 7), ("e", 99_999)]),
            &counts(&[("a", 1_000), ("b", 1_000), ("d", 9), ("e", 100_000)]),
        );
        assert_eq!(
            table(&rows),
            "| path | counted | checked in | difference | |\n\
             |---|---:|---:|---:|---|\n\
             | a | 1,130 | 1,000 | +13.00 % | **more** |\n\
             | b | 870 | 1,000 | -13.00 % | fewer |\n\
             | c | 7 | – | – | **not checked in** |\n\
             | e | 99,999 | 100,000 | +0.00 % |  |\n\
             | d | – | 9 | – | **no such path** |\n"
        );
    }

    #[test]
    fn a_malformed_file_is_refused() {
        for text in ["7166", "normalize zip", "7 a\n8 a\n", "7 a\n\n8 b\n", "-7 a\n"] {
            assert!(Counts::parse(text).is_err(), "{text}");
        }
    }
}
