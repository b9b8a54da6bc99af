//! The cost of each operation by the clients in an account, accounts, batch size and connections.

mod filled;
mod shapes;
mod sizes;

use serde::Serialize;

use crate::{
    Outcome,
    figures::Spread,
    load::{Flood, flood},
    report::Curve,
    service::Service,
    work::Session,
};

/// One picture: curves over one size.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// The name of its file.
    pub name: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// What grows.
    pub sizes: &'static str,
    /// The unit of the figures.
    pub figures: &'static str,
    /// One for each operation.
    pub lines: Vec<Line>,
}

/// One operation over the sizes.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// The operation.
    pub name: String,
    /// Each size with its figure.
    pub points: Vec<(usize, Spread)>,
}

impl Figure {
    const fn new(name: &'static str, title: &'static str, sizes: &'static str, figures: &'static str) -> Self {
        Self { name, title, sizes, figures, lines: Vec::new() }
    }

    fn add(&mut self, operation: &str, size: usize, figure: Spread) {
        let place = self.lines.iter().position(|line| line.name == operation).unwrap_or_else(|| {
            self.lines.push(Line { name: operation.to_owned(), points: Vec::new() });
            self.lines.len() - 1
        });
        self.lines[place].points.push((size, figure));
    }

    /// The medians, to be drawn.
    #[must_use]
    pub fn curves(&self) -> Vec<Curve> {
        let points = |line: &Line| line.points.iter().map(|(size, spread)| (*size as f64, spread.median)).collect();
        self.lines.iter().map(|line| (line.name.clone(), points(line))).collect()
    }
}

/// Measures all figures.
///
/// # Errors
/// When the service fails.
pub fn measure(session: &Session) -> Outcome<Vec<Figure>> {
    Ok(vec![
        sizes::clients(session)?,
        sizes::accounts(session)?,
        shapes::batches(session)?,
        shapes::connections(session)?,
    ])
}

/// Milliseconds of a request, round by round; each round has its own requests.
fn millis(service: &Service, connections: usize, rounds: &[Vec<Vec<u8>>]) -> Outcome<Spread> {
    let millis = rounds.iter().map(|requests| {
        let sent = flood(service.address, Flood { requests, count: requests.len(), connections, ..Flood::default() })?;
        Ok(1e3 * sent.seconds / requests.len() as f64)
    });
    Ok(Spread::of(millis.collect::<Outcome<Vec<_>>>()?))
}

/// Items a second, when each request has `each` items.
fn per_second(millis: Spread, each: usize) -> Spread {
    let rate = |millis: f64| 1e3 * each as f64 / millis;
    Spread { median: rate(millis.median), low: rate(millis.high), high: rate(millis.low) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_longest_is_the_lowest_rate() {
        let millis = Spread { median: 2.0, low: 1.0, high: 4.0 };
        let rate = Spread { median: 250_000.0, low: 125_000.0, high: 500_000.0 };
        assert_eq!(per_second(millis, 500), rate);
    }

    #[test]
    fn an_operation_has_one_line() {
        let mut figure = Figure::new("name", "title", "sizes", "figures");
        for (size, millis) in [(1, 3.0), (10, 4.0)] {
            figure.add("a", size, Spread::of([millis]));
            figure.add("b", size, Spread::of([millis * 2.0]));
        }
        let line = |name: &str, points: [f64; 2]| (name.to_owned(), vec![(1.0, points[0]), (10.0, points[1])]);
        assert_eq!(figure.curves(), [line("a", [3.0, 4.0]), line("b", [6.0, 8.0])]);
    }
}
