//! Drawn charts: dots on a line, sizes against times, bars. Pure: numbers in, SVG out. Shapes are
//! styled by the page; letters tell what colours tell.

use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A logarithmic axis between numbers with one digit: 1, 2 or 5 times a power of ten.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    /// The axis that holds all positive values; none without one.
    pub(super) fn over(values: impl Iterator<Item = f64> + Clone) -> Option<Self> {
        let positive = values.filter(|value| *value > 0.0 && value.is_finite());
        let least = positive.clone().fold(f64::INFINITY, f64::min);
        let most = positive.fold(0.0, f64::max);
        if most <= 0.0 {
            return None;
        }
        let (low, high) = (below(least), above(most));
        Some(Self { low, high: if high > low { high } else { low + 1.0 } })
    }

    /// Where a value stands, 0 to 1; what is outside stands at the end.
    pub(super) fn place(&self, value: f64) -> f64 {
        let place = (value.max(f64::MIN_POSITIVE).log10() - self.low) / (self.high - self.low);
        place.clamp(0.0, 1.0)
    }

    /// The values with a label, about so many at most.
    fn ticks(&self, most: f64) -> Vec<f64> {
        let decades = self.high - self.low;
        let step = (decades / (most - 1.0)).ceil().max(1.0);
        let digits: &[f64] = if decades * 3.0 < most + 1.5 { &DIGITS } else { &DIGITS[..1] };
        let mut ticks = Vec::new();
        let mut power = if digits.len() == 1 { self.low.ceil() } else { self.low.floor() };
        while power <= self.high + NEAR {
            let values = digits.iter().map(|digit| digit.log10() + power);
            let inside = values.filter(|at| (self.low - NEAR..=self.high + NEAR).contains(at));
            ticks.extend(inside.map(|at| 10.0_f64.powf(at)));
            power += step;
        }
        ticks
    }
}

/// The first digits of labels.
const DIGITS: [f64; 3] = [1.0, 2.0, 5.0];

/// Logarithms this near are equal.
const NEAR: f64 = 1e-9;

/// The logarithm of the greatest number with one digit that is not above a value.
fn below(value: f64) -> f64 {
    let power = (value.log10() + NEAR).floor();
    let fits = |digit: &f64| digit.log10() + power <= value.log10() + NEAR;
    DIGITS.into_iter().rfind(fits).map_or(power, |digit| digit.log10() + power)
}

/// The logarithm of the least number with one digit that is not below a value.
fn above(value: f64) -> f64 {
    let power = (value.log10() + NEAR).floor();
    let fits = |digit: &f64| digit.log10() + power >= value.log10() - NEAR;
    DIGITS.into_iter().find(fits).map_or(power + 1.0, |digit| digit.log10() + power)
}

/// A value of a chart; `letter` is drawn instead of a dot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dot {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) letter: Option<char>,
}

/// `10 ms`, `2 s`, `0.5 ms` for seconds.
pub(super) fn time_label(seconds: f64) -> String {
    if seconds >= 0.9995 {
        format!("{} s", trim(seconds))
    } else {
        format!("{} ms", trim(seconds * 1e3))
    }
}

/// `200 B`, `10 kB`, `1 MB` for bytes.
pub(super) fn size_label(bytes: f64) -> String {
    match bytes {
        ..1e3 => format!("{} B", trim(bytes)),
        ..1e6 => format!("{} kB", trim(bytes / 1e3)),
        ..1e9 => format!("{} MB", trim(bytes / 1e6)),
        _ => format!("{} GB", trim(bytes / 1e9)),
    }
}

/// Two significant digits at least, without zeros at the end.
fn trim(number: f64) -> String {
    let text = if number >= 10.0 { format!("{number:.0}") } else { format!("{number:.4}") };
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// The nearest whole number; nothing is drawn left of or above the chart.
#[expect(clippy::cast_sign_loss, reason = "not below 0")]
fn whole(place: f64) -> u32 {
    place.max(0.0).round() as u32
}

/// Labels of a line of dots, and of an axis of a small chart.
const LABELS: f64 = 7.0;
const FEW_LABELS: f64 = 4.0;

/// Places of a line of dots that are told apart.
const PLACES: f64 = 250.0;

/// Dots of times along a line that is as wide as its place on the page, with the limit across.
pub(super) fn strip(axis: &Axis, dots: &[Dot], limit: Option<f64>, label: &str) -> String {
    let mut svg =
        format!(r#"<svg class="strip" height="22" role="img" aria-label="{}">"#, escape(label));
    for tick in axis.ticks(LABELS) {
        let x = percent(axis.place(tick));
        let _ = write!(svg, r#"<line class="grid" x1="{x}" x2="{x}" y1="0" y2="22"/>"#);
    }
    if let Some(limit) = limit {
        let x = percent(axis.place(limit));
        let _ = write!(svg, r#"<line class="limit" x1="{x}" x2="{x}" y1="0" y2="22"/>"#);
    }
    let places: BTreeSet<(Option<char>, u32)> =
        dots.iter().map(|dot| (dot.letter, whole(axis.place(dot.x) * PLACES))).collect();
    for (letter, place) in places {
        let x = percent(f64::from(place) / PLACES);
        let _ = match letter {
            None => write!(svg, r#"<circle cx="{x}" cy="11" r="4"/>"#),
            Some(letter) => write!(svg, r#"<text x="{x}" y="15">{letter}</text>"#),
        };
    }
    svg + "</svg>"
}

/// The labels below lines of dots.
pub(super) fn strip_axis(axis: &Axis, limit: Option<f64>) -> String {
    let mut svg = r#"<svg class="strip" height="34" aria-hidden="true">"#.to_owned();
    for tick in axis.ticks(LABELS) {
        let (x, anchor) = (percent(axis.place(tick)), anchor(axis.place(tick)));
        let label = time_label(tick);
        let _ = write!(svg, r#"<text class="tick" x="{x}" y="14"{anchor}>{label}</text>"#);
    }
    if let Some(limit) = limit {
        let (x, anchor) = (percent(axis.place(limit)), anchor(axis.place(limit)));
        let label = time_label(limit);
        let _ =
            write!(svg, r#"<text class="tick limit" x="{x}" y="30"{anchor}>limit {label}</text>"#);
    }
    svg + "</svg>"
}

/// Labels at the ends stay inside.
fn anchor(place: f64) -> &'static str {
    if place < 0.06 {
        r#" style="text-anchor:start""#
    } else if place > 0.94 {
        r#" style="text-anchor:end""#
    } else {
        ""
    }
}

fn percent(share: f64) -> String {
    let text = format!("{:.1}", share * 100.0);
    format!("{}%", text.trim_end_matches('0').trim_end_matches('.'))
}

/// The plane of a scatter chart: pixels of its width and height, and of its left and lower margin.
const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 190.0;
const LEFT: f64 = 52.0;
const BELOW: f64 = 24.0;
const ROOM: f64 = 10.0;

/// Both axes of a scatter chart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plane {
    pub(super) sizes: Axis,
    pub(super) times: Axis,
}

impl Plane {
    fn at(&self, size: f64, time: f64) -> (f64, f64) {
        let x = LEFT + self.sizes.place(size) * (WIDTH - LEFT - ROOM);
        let y = HEIGHT - BELOW - self.times.place(time) * (HEIGHT - BELOW - ROOM);
        (x.round(), y.round())
    }

    fn grid(&self) -> String {
        let mut svg = String::new();
        let (right, bottom) = (WIDTH - ROOM, HEIGHT - BELOW);
        for tick in self.times.ticks(FEW_LABELS) {
            let y = self.at(1.0, tick).1;
            let _ = write!(
                svg,
                r#"<line class="grid" x1="{LEFT}" x2="{right}" y1="{y}" y2="{y}"/><text class="tick" x="{}" y="{}" style="text-anchor:end">{}</text>"#,
                LEFT - 6.0,
                y + 4.0,
                time_label(tick)
            );
        }
        for tick in self.sizes.ticks(FEW_LABELS) {
            let x = self.at(tick, 1.0).0;
            let style = if x > WIDTH - 30.0 { r#" style="text-anchor:end""# } else { "" };
            let _ = write!(
                svg,
                r#"<line class="grid" x1="{x}" x2="{x}" y1="{ROOM}" y2="{bottom}"/><text class="tick" x="{x}" y="{}"{style}>{}</text>"#,
                HEIGHT - 6.0,
                size_label(tick)
            );
        }
        svg
    }
}

/// Times against sizes, with a fitted line from the first to the second point, if there is one.
pub(super) fn scatter(
    plane: &Plane,
    dots: &[Dot],
    line: Option<[(f64, f64); 2]>,
    label: &str,
) -> String {
    let mut svg = format!(
        r#"<svg class="scatter" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="{}">{}"#,
        escape(label),
        plane.grid()
    );
    if let Some([from, to]) = line {
        let ((x1, y1), (x2, y2)) = (plane.at(from.0, from.1), plane.at(to.0, to.1));
        let _ = write!(svg, r#"<line class="fit" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#);
    }
    let places: BTreeSet<(Option<char>, u32, u32)> = dots
        .iter()
        .map(|dot| (dot.letter, plane.at(dot.x, dot.y)))
        .map(|(letter, (x, y))| (letter, whole(x), whole(y)))
        .collect();
    for (letter, x, y) in places {
        let _ = match letter {
            None => write!(svg, r#"<circle cx="{x}" cy="{y}" r="3.5"/>"#),
            Some(letter) => write!(svg, r#"<text x="{x}" y="{}">{letter}</text>"#, y + 4),
        };
    }
    svg + "</svg>"
}

/// A bar as long as the share of its place; what is behind 1 is cut.
pub(super) fn bar(share: f64) -> String {
    let width = percent(share.clamp(0.0, 1.0));
    format!(
        r#"<svg class="bar" height="10" aria-hidden="true"><rect width="{width}" height="10"/></svg>"#
    )
}

/// Text as it may stand in attributes.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis() -> Axis {
        Axis::over([0.001, 0.25, 1.0].into_iter()).unwrap()
    }

    #[test]
    fn an_axis_ends_at_numbers_with_one_digit() {
        assert_eq!(axis(), Axis { low: -3.0, high: 0.0 });
        assert!((axis().place(0.1) - 2.0 / 3.0).abs() < 1e-9);
        assert!((axis().place(50.0) - 1.0).abs() < 1e-9);
        assert!(axis().place(0.0).abs() < 1e-9);
        assert_eq!(Axis::over([0.0, f64::NAN].into_iter()), None);
        assert_eq!(Axis::over([1.0].into_iter()), Some(Axis { low: 0.0, high: 1.0 }));
        assert!(Axis::over([1e-9, 1e9].into_iter()).unwrap().ticks(7.0).len() <= 7);
        let near = Axis::over([0.03, 1.2].into_iter()).unwrap();
        let labels: Vec<String> = near.ticks(7.0).into_iter().map(time_label).collect();
        assert_eq!(labels, ["20 ms", "50 ms", "100 ms", "200 ms", "500 ms", "1 s", "2 s"]);
    }

    #[test]
    fn labels_have_units() {
        let times: Vec<String> = [1e-4, 0.002, 0.5, 1.0, 20.0].map(time_label).into();
        assert_eq!(times, ["0.1 ms", "2 ms", "500 ms", "1 s", "20 s"]);
        let sizes: Vec<String> = [1.0, 2e3, 1e6, 1e10].map(size_label).into();
        assert_eq!(sizes, ["1 B", "2 kB", "1 MB", "10 GB"]);
    }

    #[test]
    fn dots_of_one_place_are_drawn_once_and_names_are_escaped() {
        let dot = |x, letter| Dot { x, y: 0.0, letter };
        let dots = [dot(0.1, None), dot(0.1, None), dot(1.2, Some('T'))];
        snapbox::assert_data_eq!(
            strip(&axis(), &dots, Some(1.0), "a\"<b>"),
            snapbox::str![[
                r#"<svg class="strip" height="22" role="img" aria-label="a&quot;&lt;b&gt;"><line class="grid" x1="0%" x2="0%" y1="0" y2="22"/><line class="grid" x1="33.3%" x2="33.3%" y1="0" y2="22"/><line class="grid" x1="66.7%" x2="66.7%" y1="0" y2="22"/><line class="grid" x1="100%" x2="100%" y1="0" y2="22"/><line class="limit" x1="100%" x2="100%" y1="0" y2="22"/><circle cx="66.8%" cy="11" r="4"/><text x="100%" y="15">T</text></svg>"#
            ]]
        );
        snapbox::assert_data_eq!(
            strip_axis(&axis(), Some(0.5)),
            snapbox::str![[
                r#"<svg class="strip" height="34" aria-hidden="true"><text class="tick" x="0%" y="14" style="text-anchor:start">1 ms</text><text class="tick" x="33.3%" y="14">10 ms</text><text class="tick" x="66.7%" y="14">100 ms</text><text class="tick" x="100%" y="14" style="text-anchor:end">1 s</text><text class="tick limit" x="90%" y="30">limit 500 ms</text></svg>"#
            ]]
        );
    }

    #[test]
    fn sizes_and_times_stand_in_a_plane_with_their_fitted_line() {
        let plane = Plane { sizes: Axis::over([10.0, 1000.0].into_iter()).unwrap(), times: axis() };
        let dots = [(10.0, 0.001, None), (1000.0, 1.0, Some('T'))];
        let dots = dots.map(|(x, y, letter)| Dot { x, y, letter });
        snapbox::assert_data_eq!(
            scatter(&plane, &dots, Some([(10.0, 0.001), (1000.0, 1.0)]), "fast.cpp"),
            snapbox::str![[
                r#"<svg class="scatter" viewBox="0 0 300 190" width="300" height="190" role="img" aria-label="fast.cpp"><line class="grid" x1="52" x2="290" y1="166" y2="166"/><text class="tick" x="46" y="170" style="text-anchor:end">1 ms</text><line class="grid" x1="52" x2="290" y1="114" y2="114"/><text class="tick" x="46" y="118" style="text-anchor:end">10 ms</text><line class="grid" x1="52" x2="290" y1="62" y2="62"/><text class="tick" x="46" y="66" style="text-anchor:end">100 ms</text><line class="grid" x1="52" x2="290" y1="10" y2="10"/><text class="tick" x="46" y="14" style="text-anchor:end">1 s</text><line class="grid" x1="52" x2="52" y1="10" y2="166"/><text class="tick" x="52" y="184">10 B</text><line class="grid" x1="171" x2="171" y1="10" y2="166"/><text class="tick" x="171" y="184">100 B</text><line class="grid" x1="290" x2="290" y1="10" y2="166"/><text class="tick" x="290" y="184" style="text-anchor:end">1 kB</text><line class="fit" x1="52" y1="166" x2="290" y2="10"/><circle cx="52" cy="166" r="3.5"/><text x="290" y="14">T</text></svg>"#
            ]]
        );
    }

    #[test]
    fn a_bar_is_as_long_as_its_share() {
        snapbox::assert_data_eq!(
            bar(0.5),
            snapbox::str![[
                r#"<svg class="bar" height="10" aria-hidden="true"><rect width="50%" height="10"/></svg>"#
            ]]
        );
        assert_eq!(bar(7.0), bar(1.0));
    }
}
