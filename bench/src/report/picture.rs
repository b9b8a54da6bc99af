//! Pictures: the ratios as bars beside their marks, and curves over sizes.

use std::path::Path;

use plotters::prelude::*;

use super::row::{Report, Row};
use crate::Outcome;

const FONT: &str = "sans-serif";
const BAR_PIXELS: u32 = 26;
const AIM: RGBColor = RGBColor(164, 214, 173);
const MUST: RGBColor = RGBColor(176, 203, 232);
const SHORT: RGBColor = RGBColor(240, 182, 170);

/// Draws each row with a goal as a bar: what it came to by what it must be, on a scale on which each
/// mark to the right is twice the last. Bars that end right of 1 reached it.
///
/// # Errors
/// When the file cannot be written.
pub fn bars(report: &Report, path: &Path) -> Outcome<()> {
    let rows: Vec<(&Row, f64, f64)> = report.rows.iter().filter_map(reach).collect();
    let count = u32::try_from(rows.len())?;
    let root = SVGBackend::new(path, (960, 90 + BAR_PIXELS * count)).into_drawing_area();
    root.fill(&WHITE)?;
    let title = "what was reached, by what must be (1); the tick is the aim";
    let mut chart = ChartBuilder::on(&root)
        .caption(title, (FONT, 16))
        .margin(12)
        .x_label_area_size(28)
        .build_cartesian_2d((0.125_f64..8.0).log_scale().base(2.0), 0.0..f64::from(count))?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .max_light_lines(0)
        .y_labels(0)
        .x_label_formatter(&|mark| format!("{mark:.2}"))
        .draw()?;
    for (place, (row, reached, aim)) in rows.iter().enumerate() {
        let top = f64::from(count) - place as f64;
        let color = if *reached >= *aim {
            AIM
        } else if *reached >= 1.0 {
            MUST
        } else {
            SHORT
        };
        let ends = |end: f64| end.clamp(0.13, 7.9);
        let bar =
            |from, to, low, high| Rectangle::new([(ends(from), top - low), (ends(to), top - high)], color.filled());
        chart.draw_series([bar(0.13, *reached, 0.9, 0.1)])?;
        chart.draw_series([PathElement::new(
            [(ends(*aim), top - 0.9), (ends(*aim), top - 0.1)],
            BLACK.stroke_width(2),
        )])?;
        chart.draw_series([Text::new(row.work.clone(), (0.133, top - 0.28), (FONT, 13))])?;
    }
    chart.draw_series([PathElement::new([(1.0, 0.0), (1.0, f64::from(count))], BLACK.stroke_width(1))])?;
    root.present()?;
    Ok(())
}

/// A row with a goal: what it came to and its aim, both by what it must be, more being better.
fn reach(row: &Row) -> Option<(&Row, f64, f64)> {
    let goal = row.goal?;
    let figure = row.floor.as_ref().map_or(row.service, |floor| floor.ratio).median;
    let by_must = |figure: f64| if goal.is_at_most() { goal.must / figure } else { figure / goal.must };
    Some((row, by_must(figure), by_must(goal.aim)))
}

/// A curve: its name, and what it is at each size.
pub type Curve = (String, Vec<(f64, f64)>);

/// Draws curves over sizes, both on scales of powers of ten.
///
/// # Errors
/// When the file cannot be written.
pub fn curves(path: &Path, title: &str, sizes: &str, figures: &str, lines: &[Curve]) -> Outcome<()> {
    let points = || lines.iter().flat_map(|(_, points)| points);
    let range = |of: fn(&(f64, f64)) -> f64| {
        let (low, high) = points().map(of).fold((f64::MAX, 0.0_f64), |(low, high), one| (low.min(one), high.max(one)));
        (low * 0.8..high * 1.25).log_scale()
    };
    let root = SVGBackend::new(path, (760, 460)).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(title, (FONT, 18))
        .margin(14)
        .x_label_area_size(44)
        .y_label_area_size(70)
        .build_cartesian_2d(range(|point| point.0), range(|point| point.1))?;
    chart.configure_mesh().max_light_lines(0).x_desc(sizes).y_desc(figures).label_style((FONT, 13)).draw()?;
    for (place, (name, points)) in lines.iter().enumerate() {
        let color = Palette99::pick(place).to_rgba();
        chart
            .draw_series(LineSeries::new(points.iter().copied(), color.stroke_width(2)).point_size(3))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .label_font((FONT, 13))
        .background_style(WHITE.mix(0.8))
        .draw()?;
    root.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        figures::Spread,
        report::{Goal, Unit},
    };

    fn alone(median: f64, goal: Goal) -> Row {
        Row::alone("group", "work", Unit::Milliseconds, Spread { median, low: median, high: median }, goal)
    }

    #[test]
    fn more_is_better_in_the_picture_whatever_the_goal() {
        let check = |row: Row, reached: f64, aim: f64| {
            assert_eq!(reach(&row).map(|(_, reached, aim)| (reached, aim)), Some((reached, aim)));
        };
        check(alone(2.0, Goal::new(4.0, 2.0)), 2.0, 2.0);
        check(alone(8.0, Goal::new(4.0, 2.0)), 0.5, 2.0);
        check(alone(6.0, Goal::new(4.0, 8.0)), 1.5, 2.0);
        assert!(reach(&Row { goal: None, ..alone(1.0, Goal::new(1.0, 2.0)) }).is_none());
    }
}
