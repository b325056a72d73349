//! A small SVG writer for boards: squares, labels, lines. Knows no game.

use std::fmt::Write as _;

/// An SVG document that grows by shapes; coordinates are pixels from the upper left corner.
pub(super) struct Svg {
    width: f64,
    height: f64,
    body: String,
}

impl Svg {
    /// An empty document.
    pub(super) fn new() -> Self {
        Self { width: 0.0, height: 0.0, body: String::new() }
    }

    /// A filled rectangle with a thin border; `class` names its style.
    pub(super) fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, class: &str) {
        self.grow(x + width, y + height);
        let _ = writeln!(
            self.body,
            r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}"/>"#
        );
    }

    /// A straight line.
    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), class: &str) {
        self.grow(from.0.max(to.0), from.1.max(to.1));
        let _ = writeln!(
            self.body,
            r#"<line class="{class}" x1="{}" y1="{}" x2="{}" y2="{}"/>"#,
            from.0, from.1, to.0, to.1
        );
    }

    /// A circle around a centre.
    pub(super) fn circle(&mut self, centre: (f64, f64), radius: f64, class: &str) {
        self.grow(centre.0 + radius, centre.1 + radius);
        let _ = writeln!(
            self.body,
            r#"<circle class="{class}" cx="{}" cy="{}" r="{radius}"/>"#,
            centre.0, centre.1
        );
    }

    /// One line of text whose base line starts at `at`, or is centred there by the style `class`.
    pub(super) fn text(&mut self, at: (f64, f64), text: &str, class: &str) {
        self.grow(at.0 + 8.0, at.1 + 4.0);
        let _ = writeln!(
            self.body,
            r#"<text class="{class}" x="{}" y="{}">{}</text>"#,
            at.0,
            at.1,
            escape(text)
        );
    }

    /// Makes the document at least this large.
    pub(super) fn grow(&mut self, width: f64, height: f64) {
        self.width = self.width.max(width);
        self.height = self.height.max(height);
    }

    /// The whole document; `style` is its CSS.
    pub(super) fn finish(self, title: &str, style: &str) -> String {
        let (width, height) = (self.width + 8.0, self.height + 8.0);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\">\n<title>{}</title>\n\
             <style>{style}</style>\n{}</svg>\n",
            escape(title),
            self.body
        )
    }
}

/// Text as it may stand between tags and in attributes.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_as_large_as_its_shapes_and_escapes_text() {
        let mut svg = Svg::new();
        svg.rect(0.0, 0.0, 20.0, 30.0, "wall");
        svg.text((5.0, 5.0), "a < b & \"c\"", "label");
        let document = svg.finish("t", "rect{}");
        assert!(document.contains("viewBox=\"0 0 28 38\""), "{document}");
        assert!(document.contains("a &lt; b &amp; &quot;c&quot;"), "{document}");
    }
}
