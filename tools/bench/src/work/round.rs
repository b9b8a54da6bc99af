//! The measurements of the rounds, and the row that they form.

use std::{net::SocketAddr, time::Duration};

use crate::{
    Outcome,
    figures::Spread,
    floor::{BareTables, Order},
    load::{Flood, flood},
    place::Process,
    report::{Against, Floor, Processor, Row, Unit},
};

/// One measurement.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// Items that were processed, in the unit of the row.
    pub items: f64,
    /// The number of requests.
    pub requests: f64,
    /// Elapsed time.
    pub seconds: f64,
    /// Processor time of the server.
    pub processor_seconds: Option<f64>,
    /// Processor time of the sender.
    pub sender_seconds: f64,
    /// The latency of each request.
    pub times: Vec<Duration>,
}

impl Measured {
    /// Items a second.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.items / self.seconds
    }

    /// Floods a process; also returns the bodies of the answers. One request counts as `items`.
    ///
    /// # Errors
    /// When a request fails.
    pub fn flood(
        process: &Process,
        address: SocketAddr,
        requests: Flood<'_>,
        items: f64,
    ) -> Outcome<(Self, Vec<Vec<u8>>)> {
        let before = process.processor_time();
        let sent = flood(address, requests)?;
        let processor = before.zip(process.processor_time()).map(|(before, after)| after - before);
        let count = requests.count as f64;
        let measured = Self {
            items: items * count,
            requests: count,
            seconds: sent.seconds,
            processor_seconds: processor.map(|time| time.as_secs_f64()),
            sender_seconds: sent.sender_seconds,
            times: sent.times,
        };
        Ok((measured, sent.bodies))
    }

    /// Executes an order by a bare loop. It counts as so many items and requests.
    ///
    /// # Errors
    /// When it fails.
    pub fn order(tables: &mut BareTables, order: &Order, items: f64, requests: f64) -> Outcome<Self> {
        let seconds = tables.order(order)?.seconds;
        Ok(Self { items, requests, seconds, ..Self::default() })
    }
}

/// One side of a comparison: its measurements, round by round.
#[derive(Clone, Debug, Default)]
pub struct Side(pub Vec<Measured>);

impl Side {
    /// Items a second.
    #[must_use]
    pub fn rates(&self) -> Spread {
        Spread::of(self.0.iter().map(Measured::rate))
    }

    /// This side's rates divided by another's, round by round.
    #[must_use]
    pub fn ratio(&self, other: &Self) -> Spread {
        Spread::of(self.0.iter().zip(&other.0).map(|(one, other)| one.rate() / other.rate()))
    }

    /// This side as a floor of another.
    #[must_use]
    pub fn floor_of(&self, service: &Self, name: &'static str) -> Floor {
        Floor { name, figure: self.rates(), ratio: service.ratio(self) }
    }

    fn micros(&self, of: impl Fn(&Measured) -> Option<f64>) -> Option<f64> {
        let micros: Vec<f64> = self.0.iter().map(|one| Some(1e6 * of(one)? / one.requests)).collect::<Option<_>>()?;
        (!micros.is_empty()).then(|| Spread::of(micros).median)
    }
}

/// The order of the sides in a round. Every other round is reversed, so that it begins with the side that
/// the round before ended with.
#[must_use]
pub fn turns(round: usize, sides: usize) -> Vec<usize> {
    let mut turns: Vec<_> = (0..sides).collect();
    if round % 2 == 1 {
        turns.reverse();
    }
    turns
}

/// A number of connections in words.
#[must_use]
pub fn over(connections: usize) -> String {
    if connections == 1 { "1 connection".to_owned() } else { format!("{connections} connections") }
}

/// A row without a floor, from the figures of the rounds. Those of the other program are empty without
/// `--against`.
#[must_use]
pub fn alone(group: &'static str, work: impl Into<String>, unit: Unit, [service, other]: [Vec<f64>; 2]) -> Row {
    let against = Against::of(&service, &other);
    Row { against, ..Row::alone(group, work, unit, Spread::of(service)) }
}

/// The row of the service against its floor. `programs` are the service and the other program, which has
/// no measurements without `--against`.
#[must_use]
pub fn compared(
    group: &'static str,
    work: impl Into<String>,
    unit: Unit,
    programs: &[Side; 2],
    floor: (&'static str, &Side),
) -> Row {
    let [service, other] = programs;
    let (name, floor) = floor;
    let rates = |side: &Side| side.0.iter().map(Measured::rate).collect::<Vec<_>>();
    let processor = service.micros(|one| one.processor_seconds).map(|service_micros| Processor {
        service_micros,
        against_micros: other.micros(|one| one.processor_seconds),
        floor_micros: floor.micros(|one| one.processor_seconds),
        sender_micros: service.micros(|one| Some(one.sender_seconds)).unwrap_or_default(),
        sender_share: Spread::of(service.0.iter().map(|one| one.sender_seconds / one.seconds)).median,
    });
    Row {
        against: Against::of(&rates(service), &rates(other)),
        floor: Some(floor.floor_of(service, name)),
        processor,
        ..Row::alone(group, work, unit, service.rates())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(seconds: &[f64]) -> Side {
        let one = |seconds: &f64| Measured {
            items: 500.0,
            requests: 1.0,
            seconds: *seconds,
            processor_seconds: Some(seconds / 2.0),
            sender_seconds: seconds / 4.0,
            times: Vec::new(),
        };
        Side(seconds.iter().map(one).collect())
    }

    #[test]
    fn ratios_are_those_of_the_rounds() {
        // The medians of the rates are 500 and 250, but the median of the ratios is 1.
        let (service, floor) = (side(&[1.0, 1.0, 4.0]), side(&[4.0, 1.0, 2.0]));
        let row = compared("group", "work", Unit::ClientsPerSecond, &[service, floor.clone()], ("floor", &floor));
        let found = row.floor.expect("a floor");
        assert_eq!((row.service.median, found.figure.median), (500.0, 250.0));
        assert_eq!(found.ratio, Spread { median: 1.0, low: 0.5, high: 4.0 });
        assert_eq!(row.against, Some(Against { figure: found.figure, ratio: found.ratio }));
    }

    #[test]
    fn processor_time_is_that_of_a_request() {
        let programs = [side(&[1.0]), Side::default()];
        let row = compared("group", "work", Unit::ClientsPerSecond, &programs, ("floor", &side(&[2.0])));
        let times = row.processor.expect("times");
        assert_eq!((times.service_micros, times.floor_micros), (500_000.0, Some(1_000_000.0)));
        assert_eq!((times.against_micros, row.against), (None, None));
        assert_eq!((times.sender_micros, times.sender_share), (250_000.0, 0.25));
    }
}
