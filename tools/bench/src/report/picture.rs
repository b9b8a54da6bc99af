//! Pictures: the goals as bars, and curves over sizes.

use std::path::Path;

use plotters::prelude::*;

use super::row::{Report, Row};
use crate::{Outcome, figures::thousands};

const FONT: &str = "sans-serif";
const BAR_PIXELS: u32 = 26;
const REACHED: RGBColor = RGBColor(164, 214, 173);
const SHORT: RGBColor = RGBColor(240, 182, 170);

/// Draws each row with a goal as a bar: its figure divided by its goal, on a logarithmic scale. Bars that
/// end right of 1 reach the goal.
///
/// # Errors
/// When the file cannot be written.
pub fn bars(report: &Report, path: &Path) -> Outcome<()> {
    let rows: Vec<(&Row, f64)> = report.rows.iter().filter_map(relation).collect();
    let count = u32::try_from(rows.len())?;
    let root = SVGBackend::new(path, (960, 90 + BAR_PIXELS * count)).into_drawing_area();
    root.fill(&WHITE)?;
    let title = "each figure divided by its goal; 1 or more reaches it";
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
    for (place, (row, relation)) in rows.iter().enumerate() {
        let top = f64::from(count) - place as f64;
        let color = if *relation >= 1.0 { REACHED } else { SHORT };
        let end = relation.clamp(0.13, 7.9);
        chart.draw_series([Rectangle::new([(0.13, top - 0.9), (end, top - 0.1)], color.filled())])?;
        chart.draw_series([Text::new(row.work.clone(), (0.133, top - 0.28), (FONT, 13))])?;
    }
    chart.draw_series([PathElement::new([(1.0, 0.0), (1.0, f64::from(count))], BLACK.stroke_width(1))])?;
    root.present()?;
    Ok(())
}

/// A row with a goal, and its figure in relation to it.
fn relation(row: &Row) -> Option<(&Row, f64)> {
    Some((row, row.goal?.relation(row.judged())))
}

/// A curve: its name and its points.
pub type Curve = (String, Vec<(f64, f64)>);

/// Draws curves over sizes, with both axes logarithmic.
///
/// # Errors
/// When the file cannot be written.
pub fn curves(path: &Path, title: &str, sizes: &str, figures: &str, lines: &[Curve]) -> Outcome<()> {
    let points = || lines.iter().flat_map(|(_, points)| points);
    let range = |of: fn(&(f64, f64)) -> f64| {
        let (low, high) = points().map(of).fold((f64::MAX, 0.0_f64), |(low, high), one| (low.min(one), high.max(one)));
        (low * 0.8..high * 1.25).log_scale()
    };
    let root = SVGBackend::new(path, (860, 440)).into_drawing_area();
    root.fill(&WHITE)?;
    let (left, right) = root.split_horizontally(690);
    let mut chart = ChartBuilder::on(&left)
        .caption(title, (FONT, 17))
        .margin(14)
        .x_label_area_size(44)
        .y_label_area_size(70)
        .build_cartesian_2d(range(|point| point.0), range(|point| point.1))?;
    let mark = |mark: &f64| if *mark < 1.0 { format!("{mark}") } else { thousands(mark.round() as usize) };
    chart
        .configure_mesh()
        .max_light_lines(0)
        .x_desc(sizes)
        .y_desc(figures)
        .label_style((FONT, 13))
        .x_label_formatter(&mark)
        .y_label_formatter(&mark)
        .draw()?;
    for (place, (_, points)) in lines.iter().enumerate() {
        let color = Palette99::pick(place).stroke_width(2);
        chart.draw_series(LineSeries::new(points.iter().copied(), color).point_size(3))?;
    }
    // The legend has the order of the curves' right ends.
    let mut names: Vec<_> = lines.iter().enumerate().collect();
    let end = |line: &Curve| line.1.last().map_or(0.0, |point| point.1);
    names.sort_by(|(_, one), (_, other)| end(other).total_cmp(&end(one)));
    for (y, (place, (name, _))) in (60..).step_by(22).zip(names) {
        right.draw(&PathElement::new([(0, y + 6), (20, y + 6)], Palette99::pick(place).stroke_width(3)))?;
        right.draw(&Text::new(name.clone(), (26, y), (FONT, 13)))?;
    }
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
        let figure = Spread { median, low: median, high: median };
        Row { goal: Some(goal), ..Row::alone("group", "work", Unit::Milliseconds, figure) }
    }

    #[test]
    fn more_is_better_in_the_picture_whatever_the_goal() {
        let check = |row: &Row, expected: f64| assert_eq!(relation(row).map(|(_, relation)| relation), Some(expected));
        check(&alone(2.0, Goal::AtMost(4.0)), 2.0);
        check(&alone(8.0, Goal::AtMost(4.0)), 0.5);
        check(&alone(6.0, Goal::AtLeast(4.0)), 1.5);
        assert!(relation(&Row { goal: None, ..alone(1.0, Goal::AtLeast(1.0)) }).is_none());
    }
}
