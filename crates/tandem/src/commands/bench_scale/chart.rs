//! Speed-ups over numbers of nodes, as a picture.

use std::fmt::Write;

pub struct Chart {
    pub title: String,
    pub curves: Vec<Curve>,
}

/// Starts at one node and a speed-up of one.
pub struct Curve {
    pub name: String,
    pub points: Vec<(usize, f64)>,
    /// Somebody else's numbers.
    pub published: bool,
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
/// Around the axes: left, top, right (for the names), bottom.
const MARGIN: [f64; 4] = [56.0, 48.0, 210.0, 48.0];
const COLOURS: [&str; 6] = ["#0b6e4f", "#1d7fb8", "#8a4fbf", "#c2571a", "#b8860b", "#a12a5e"];
const GREY: [&str; 2] = ["#777777", "#aaaaaa"];

impl Chart {
    pub fn to_svg(&self) -> String {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let nodes_max = points().map(|point| point.0).max().unwrap_or(2).max(2) as f64;
        let top = points().map(|point| point.1).fold(nodes_max, f64::max).ceil();
        let [left, above, right, below] = MARGIN;
        let x = |nodes: f64| left + (nodes - 1.0) / (nodes_max - 1.0) * (WIDTH - left - right);
        let y = |speed: f64| HEIGHT - below - speed / top * (HEIGHT - above - below);

        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
             font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        // Writing to a string cannot fail.
        let mut put = |line: String| writeln!(svg, "{line}").unwrap_or_default();
        put(format!("<text x=\"{left}\" y=\"24\" font-size=\"15\">{}</text>", escape(&self.title)));
        for speed in 0..=top as usize {
            let at = y(speed as f64);
            put(format!(
                "<line x1=\"{left}\" y1=\"{at:.1}\" x2=\"{:.1}\" y2=\"{at:.1}\" stroke=\"#e4e4e4\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{speed}×</text>",
                x(nodes_max),
                left - 8.0,
                at + 4.0
            ));
        }
        let mut ticks: Vec<usize> = points().map(|point| point.0).chain([1]).collect();
        ticks.sort_unstable();
        ticks.dedup();
        for nodes in ticks {
            let text = if nodes == 1 { "1 node".to_owned() } else { nodes.to_string() };
            let (at, under) = (x(nodes as f64), HEIGHT - below + 20.0);
            put(format!("<text x=\"{at:.1}\" y=\"{under:.1}\" text-anchor=\"middle\">{text}</text>"));
        }
        let ideal = format!("{:.1},{:.1} {:.1},{:.1}", x(1.0), y(1.0), x(nodes_max), y(nodes_max));
        put(format!(
            "<polyline points=\"{ideal}\" fill=\"none\" stroke=\"#cccccc\" stroke-dasharray=\"4 4\"/>"
        ));
        let mut labels: Vec<f64> = Vec::new();
        let (mut own, mut others) = (COLOURS.iter().cycle(), GREY.iter().cycle());
        for curve in &self.curves {
            let colour = if curve.published { others.next() } else { own.next() }.unwrap_or(&"black");
            let path: Vec<String> = std::iter::once(&(1, 1.0))
                .chain(&curve.points)
                .map(|(nodes, speed)| format!("{:.1},{:.1}", x(*nodes as f64), y(*speed)))
                .collect();
            put(format!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.5\"/>",
                path.join(" ")
            ));
            for (nodes, speed) in &curve.points {
                let (at, height) = (x(*nodes as f64), y(*speed));
                put(format!("<circle cx=\"{at:.1}\" cy=\"{height:.1}\" r=\"4\" fill=\"{colour}\"/>"));
            }
            let Some((_, speed)) = curve.points.last() else { continue };
            // Names stand beside their curves' ends, pushed apart where those are close.
            let mut at = y(*speed) + 4.0;
            while labels.iter().any(|other| (other - at).abs() < 16.0) {
                at += 4.0;
            }
            labels.push(at);
            put(format!(
                "<text x=\"{:.1}\" y=\"{at:.1}\" fill=\"{colour}\">{} {speed:.2}×</text>",
                x(nodes_max) + 12.0,
                escape(&curve.name)
            ));
        }
        svg.push_str("</svg>\n");
        svg
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_curve_is_drawn_and_named() {
        let curve =
            |name: &str, published| Curve { name: name.into(), points: vec![(2, 1.9), (4, 3.5)], published };
        let chart =
            Chart { title: "a < b".into(), curves: vec![curve("ours", false), curve("theirs", true)] };
        let svg = chart.to_svg();
        assert_eq!(svg.matches("<circle").count(), 4);
        assert!(svg.contains("a &lt; b") && svg.contains("ours 3.50×") && svg.contains("theirs 3.50×"));
    }
}
