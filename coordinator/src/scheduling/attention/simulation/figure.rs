//! The figure of docs/results/allocation.md.

use super::LOOKS;
use protocol::experiment::Policy;
use std::fmt::Write;

/// Width and height of a panel, and the space around it.
const PANEL: (f64, f64) = (280.0, 220.0);
const MARGIN: f64 = 48.0;

/// The range of regrets, which are drawn on a logarithmic scale.
const REGRETS: (f64, f64) = (0.001, 0.1);

/// The mean regrets of a policy at each look.
pub(super) type RegretCurve = (Policy, [f64; LOOKS.len()]);

fn colour(policy: Policy) -> &'static str {
    match policy {
        Policy::Coverage => "#767676",
        Policy::Error => "#b45f06",
        Policy::Best => "#0b6e99",
        Policy::Race => "#7a3e9d",
    }
}

/// An SVG picture with a panel for each landscape.
pub(super) fn draw(panels: &[(&str, Vec<RegretCurve>)]) -> Result<String, std::fmt::Error> {
    let width = panels.len() as f64 * (PANEL.0 + 2.0 * MARGIN);
    let height = PANEL.1 + 2.0 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"11\"><title>Regret by pairs played, for each policy</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (number, (title, lines)) in panels.iter().enumerate() {
        let left = number as f64 * (PANEL.0 + 2.0 * MARGIN) + MARGIN;
        let x = |pairs: usize| left + PANEL.0 * pairs as f64 / LOOKS[LOOKS.len() - 1] as f64;
        let y = |regret: f64| {
            let part = (regret.max(REGRETS.0) / REGRETS.0).ln() / (REGRETS.1 / REGRETS.0).ln();
            MARGIN + PANEL.1 * (1.0 - part)
        };
        writeln!(svg, "<text x=\"{left}\" y=\"{}\" font-weight=\"bold\">{title}</text>", MARGIN - 16.0)?;
        for regret in [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1] {
            let (y, right) = (y(regret), left + PANEL.0);
            writeln!(svg, "<path d=\"M{left} {y:.1}H{right}\" stroke=\"#ddd\"/>")?;
            writeln!(
                svg,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{regret}</text>",
                left - 5.0,
                y + 4.0
            )?;
        }
        for pairs in LOOKS {
            let below = MARGIN + PANEL.1 + 16.0;
            writeln!(svg, "<text x=\"{:.1}\" y=\"{below}\" text-anchor=\"middle\">{pairs}</text>", x(pairs))?;
        }
        for (policy, regrets) in lines {
            let points: Vec<String> = LOOKS
                .iter()
                .zip(regrets)
                .map(|(pairs, regret)| format!("{:.1},{:.1}", x(*pairs), y(*regret)))
                .collect();
            let (points, colour) = (points.join(" "), colour(*policy));
            writeln!(
                svg,
                "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
            )?;
        }
    }
    for (number, policy) in Policy::ALL.into_iter().enumerate() {
        let (x, y) = (MARGIN + 90.0 * number as f64, height - 10.0);
        writeln!(svg, "<text x=\"{x}\" y=\"{y}\" fill=\"{}\">{policy}</text>", colour(policy))?;
    }
    writeln!(svg, "</svg>")?;
    Ok(svg)
}
