//! How `tandem top` draws.

use super::view::{View, text};
use crate::display;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Cell, Paragraph, Row, Sparkline, Table, TableState};
use serde_json::Value;
use std::collections::VecDeque;
use std::time::{SystemTime, UNIX_EPOCH};

const FAINT: Style = Style::new().fg(Color::DarkGray);
const GOOD: Style = Style::new().fg(Color::Green);
const BAD: Style = Style::new().fg(Color::Red);
const BOLD: Style = Style::new().add_modifier(Modifier::BOLD);
const CHOSEN: Style = Style::new().add_modifier(Modifier::REVERSED);

/// From here on links stand beside nodes, and requests show their whole ids.
const WIDE: u16 = 110;
/// What tables leave: the head, the charts, the last line, and three lines of what happened.
const OTHERS: u16 = 1 + CHARTS + 3 + 1;
const CHARTS: u16 = 3;
/// A rule with the title, and the names of the columns.
const HEAD_ROWS: u16 = 2;

pub fn draw(frame: &mut Frame, view: &View) {
    let wide = frame.area().width >= WIDE;
    let links = rows_of_links(view);
    let of_nodes = match (wide, view.shows_links) {
        (true, _) => view.rows("nodes").len().max(links.len()),
        (false, true) => links.len(),
        (false, false) => view.rows("nodes").len(),
    };
    let wanted = [of_nodes, view.rows("instances").len(), view.rows("requests").len()];
    let room = frame.area().height.saturating_sub(OTHERS);
    let [of_nodes, of_models, of_requests] = allotted(wanted.map(|rows| rows as u16), room);
    let [head, charts, top, middle, asked, happened, foot] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(CHARTS),
        Constraint::Length(of_nodes),
        Constraint::Length(of_models),
        Constraint::Length(of_requests),
        Constraint::Min(0),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    draw_head(frame, head, view);
    draw_charts(frame, charts, view);
    let half = if wide { 56 } else { 100 };
    let [left, right] = Layout::horizontal([Constraint::Percentage(half), Constraint::Fill(1)]).areas(top);
    match (wide, view.shows_links) {
        (false, true) => draw_links(frame, top, links),
        (false, false) => draw_nodes(frame, top, view),
        (true, _) => {
            draw_nodes(frame, left, view);
            draw_links(frame, right, links);
        }
    }
    draw_models(frame, middle, view);
    draw_requests(frame, asked, view, wide);
    draw_events(frame, happened, view);
    draw_foot(frame, foot, view);
}

/// Lines for tables with so many rows: what they want, or as much of it as there is room for, taken from the longest. A table
/// without rows takes one line to say so, the last none at all.
fn allotted(rows: [u16; 3], room: u16) -> [u16; 3] {
    let [nodes, models, requests] = rows;
    let of_requests = if requests == 0 { 0 } else { requests + HEAD_ROWS };
    let mut lines = [nodes.max(1) + HEAD_ROWS, models.max(1) + HEAD_ROWS, of_requests];
    while lines.iter().sum::<u16>() > room {
        let Some(longest) = lines.iter_mut().max_by_key(|lines| **lines).filter(|lines| **lines > HEAD_ROWS)
        else {
            break;
        };
        *longest -= 1;
    }
    lines
}

fn panel(title: &str) -> Block<'_> {
    Block::new().borders(Borders::TOP).border_style(FAINT).title(Span::styled(title, BOLD))
}

fn header<'a>(names: &[&'a str]) -> Row<'a> {
    Row::new(names.iter().map(|name| Cell::from(*name))).style(FAINT)
}

fn gigabytes(value: &Value) -> String {
    format!("{:.1}", value.as_f64().unwrap_or(0.0) / 1e9)
}

/// A number where there is one, otherwise a dash.
fn or_dash(value: &Value, unit: &str, scale: f64) -> String {
    value.as_f64().map_or("–".into(), |number| format!("{:.0}{unit}", number * scale))
}

fn draw_head(frame: &mut Frame, area: Rect, view: &View) {
    let nodes = view.rows("nodes");
    let live = nodes.iter().filter(|node| node["live"] == true).count();
    let health = format!("{live} of {} nodes", nodes.len());
    let cluster: String = text(&view.state["cluster"]).chars().take(8).collect();
    let mut parts = vec![
        Span::styled(" tandem ", BOLD),
        Span::styled(format!("cluster {cluster}  "), FAINT),
        Span::styled(health, if live == nodes.len() { GOOD } else { BAD }),
    ];
    if let Some(power) = display::power(&view.state) {
        parts.push(Span::raw(format!("  {power}")));
    }
    if view.paused {
        parts.push(Span::styled("  PAUSED", BAD));
    }
    match &view.lost {
        Some(_) => parts.push(Span::styled("  NO ANSWER", BAD)),
        None if view.silent_s > 2 => {
            parts.push(Span::styled(format!("  no answer for {} s", view.silent_s), BAD));
        }
        None => {}
    }
    frame.render_widget(Line::from(parts), area);
}

fn draw_charts(frame: &mut Frame, area: Rect, view: &View) {
    let charts: [(&VecDeque<u64>, &str); 3] = [
        (&view.tokens_per_s, "tokens/s"),
        (&view.first_token_ms, "ms to first token"),
        (&view.requests, "requests"),
    ];
    let areas = Layout::horizontal([Constraint::Fill(1); 3]).spacing(1).split(area);
    for ((values, unit), area) in charts.into_iter().zip(areas.iter()) {
        let title = format!("{} {unit} ", values.back().copied().unwrap_or(0));
        let shown = values.iter().skip(values.len().saturating_sub(usize::from(area.width)));
        let chart = Sparkline::default().data(shown.copied()).style(GOOD);
        frame.render_widget(chart.block(panel(&title)), *area);
    }
}

/// A table whose chosen row is always in sight.
fn render<'a>(
    frame: &mut Frame,
    area: Rect,
    title: &'a str,
    names: &[&'a str],
    widths: &[Constraint],
    rows: Vec<Row<'a>>,
    chosen: Option<usize>,
) {
    let table = Table::new(rows, widths.iter().copied()).header(header(names)).row_highlight_style(CHOSEN);
    let mut state = TableState::new().with_selected(chosen);
    frame.render_stateful_widget(table.block(panel(title)), area, &mut state);
}

fn draw_nodes(frame: &mut Frame, area: Rect, view: &View) {
    let row = |node: &Value| {
        let vitals = &view.state["vitals"][node["id"].as_str().unwrap_or_default()];
        let live = node["live"] == true;
        let memory = match vitals["memory_bytes"].is_u64() {
            true => {
                format!(
                    "{}/{} GB",
                    gigabytes(&vitals["memory_used_bytes"]),
                    gigabytes(&vitals["memory_bytes"])
                )
            }
            false => format!("{} GB", gigabytes(&node["memory_bytes"])),
        };
        let own = if node["id"] == view.state["self"] { "*" } else { "" };
        Row::new([
            Cell::from(format!("{}{own}", text(&node["name"]))),
            Cell::from(if live { "live" } else { "gone" }).style(if live { GOOD } else { BAD }),
            Cell::from(node["cores"].to_string()),
            Cell::from(memory),
            Cell::from(or_dash(&vitals["busy"], "%", 100.0)),
            Cell::from(or_dash(&vitals["temperature_c"], "°C", 1.0)),
            Cell::from(or_dash(&vitals["watts"], " W", 1.0)),
            Cell::from(or_dash(&vitals["requests"], "", 1.0)),
        ])
    };
    let widths = [
        Constraint::Fill(1),
        Constraint::Length(5),
        Constraint::Length(5),
        Constraint::Length(14),
        Constraint::Length(5),
        Constraint::Length(5),
        Constraint::Length(6),
        Constraint::Length(5),
    ];
    let names = ["NODE", "", "CORES", "MEMORY", "BUSY", "HEAT", "POWER", "ASKED"];
    let rows = view.rows("nodes").iter().map(row).collect();
    let chosen = (!view.on_models).then_some(view.node);
    render(frame, area, "Nodes ", &names, &widths, rows, chosen);
}

fn rows_of_links(view: &View) -> Vec<Row<'static>> {
    let carries = |a: &Value, b: &Value| {
        let is_it = |it: &&Value| [[a, b], [b, a]].contains(&[&it["between"][0], &it["between"][1]]);
        view.rows("traffic").iter().find(is_it).and_then(|it| it["bytes_per_s"].as_f64())
    };
    let mut rows = Vec::new();
    for node in view.rows("nodes") {
        for link in node["links"].as_array().into_iter().flatten() {
            rows.push(Row::new([
                format!("{} – {}", text(&node["name"]), text(&link["to"])),
                text(&link["transport"]),
                format!("{:.0} µs", link["round_trip_us"].as_f64().unwrap_or(0.0)),
                display::bits_per_s(link["bytes_per_s"].as_f64().unwrap_or(0.0)),
                carries(&node["name"], &link["to"]).map_or("–".into(), display::bits_per_s),
            ]));
        }
    }
    rows
}

fn draw_links(frame: &mut Frame, area: Rect, rows: Vec<Row>) {
    let widths = [
        Constraint::Fill(2),
        Constraint::Fill(2),
        Constraint::Length(8),
        Constraint::Length(10),
        Constraint::Length(10),
    ];
    render(frame, area, "Links ", &["LINK", "KIND", "TRIP", "CAN", "CARRIES"], &widths, rows, None);
}

fn draw_models(frame: &mut Frame, area: Rect, view: &View) {
    let row = |instance: &Value| {
        let ranks = || instance["ranks"].as_array().into_iter().flatten();
        let sum = |name: &str| ranks().filter_map(|rank| rank[name].as_f64()).sum::<f64>();
        let mut nodes: Vec<_> = ranks().map(|rank| text(&rank["node"])).collect();
        nodes.dedup();
        let (state, style) = match text(&instance["state"]).as_str() {
            "ready" => ("ready".to_owned(), GOOD),
            told if told.starts_with("failed") => (told.to_owned(), BAD),
            "loading" => {
                let share = 100.0 * sum("loaded_bytes") / sum("total_bytes").max(1.0);
                (format!("loading {share:.0}%"), Style::new())
            }
            told => (told.to_owned(), BAD),
        };
        Row::new([
            Cell::from(text(&instance["model"])),
            Cell::from(state).style(style),
            Cell::from(instance["context"].to_string()),
            Cell::from(instance["requests"].as_u64().unwrap_or(0).to_string()),
            Cell::from(nodes.join(", ")),
            Cell::from(format!("{:.2} GB", sum("bytes") / 1e9)),
        ])
    };
    let rows: Vec<_> = view.rows("instances").iter().map(row).collect();
    if rows.is_empty() {
        let said = Paragraph::new(Line::styled("none is loaded", FAINT));
        return frame.render_widget(said.block(panel("Models ")), area);
    }
    let widths = [
        Constraint::Fill(2),
        Constraint::Length(13),
        Constraint::Length(8),
        Constraint::Length(5),
        Constraint::Fill(1),
        Constraint::Length(10),
    ];
    let names = ["MODEL", "STATE", "CONTEXT", "ASKED", "NODES", "MEMORY"];
    render(frame, area, "Models ", &names, &widths, rows, view.on_models.then_some(view.model));
}

fn draw_requests(frame: &mut Frame, area: Rect, view: &View, wide: bool) {
    let row = |request: &Value| {
        let number = |name: &str| request[name].as_u64().unwrap_or(0);
        Row::new([
            text(&request["id"]),
            text(&request["model"]),
            number("prompt_tokens").to_string(),
            number("tokens").to_string(),
            request["first_token_ms"].as_u64().map_or("waiting".into(), |ms| format!("{ms} ms")),
            format!("{:.1} s", number("for_ms") as f64 / 1000.0),
        ])
    };
    let widths = [
        Constraint::Length(if wide { 29 } else { 12 }),
        Constraint::Fill(1),
        Constraint::Length(7),
        Constraint::Length(7),
        Constraint::Length(9),
        Constraint::Length(9),
    ];
    let names = ["REQUEST", "MODEL", "PROMPT", "TOKENS", "FIRST", "FOR"];
    let rows = view.rows("requests").iter().map(row).collect();
    render(frame, area, "Requests on this node ", &names, &widths, rows, None);
}

fn draw_events(frame: &mut Frame, area: Rect, view: &View) {
    let found = view.rows("findings").iter().map(|finding| {
        let told = format!("{}: {}", text(&finding["node"]), text(&finding["found"]));
        Line::from(vec![Span::styled("mend      ", BAD), Span::raw(told)])
    });
    let now_ms = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64;
    let happened = view.rows("events").iter().rev().map(|entry| {
        let style = match entry["weight"].as_str() {
            Some("good") => GOOD,
            Some("bad") => BAD,
            _ => FAINT,
        };
        let ago = now_ms.saturating_sub(entry["at_unix_ms"].as_u64().unwrap_or(now_ms)) / 1000;
        let ago = match ago {
            0..120 => format!("{ago} s"),
            120..7200 => format!("{} min", ago / 60),
            _ => format!("{} h", ago / 3600),
        };
        Line::from(vec![Span::styled(format!("{ago:>7} ● "), style), Span::raw(text(&entry["text"]))])
    });
    let lines: Vec<_> = found.chain(happened).take(usize::from(area.height)).collect();
    frame.render_widget(Paragraph::new(lines).block(panel("What happened ")), area);
}

fn draw_foot(frame: &mut Frame, area: Rect, view: &View) {
    let line = match (view.line(), &view.lost) {
        (Some((question, true)), _) => Line::styled(format!(" {question}"), BAD),
        (_, Some(error)) => Line::styled(format!(" {error}"), BAD),
        (Some((said, _)), None) => Line::raw(format!(" {said}")),
        (None, None) => {
            Line::styled(" ↑↓ choose  Tab nodes/models  u unload  r remove  l links  p pause  q quit", FAINT)
        }
    };
    frame.render_widget(line, area);
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use serde_json::json;

    fn state(nodes: usize, requests: usize) -> Value {
        let name = |index: usize| format!("node-{index}");
        let nodes: Vec<_> = (0..nodes)
            .map(|index| {
                let links: Vec<_> = (index + 1..nodes)
                    .map(|to| json!({"to": name(to), "transport": "tcp, encrypted", "round_trip_us": 61.0, "bytes_per_s": 1.2e9}))
                    .collect();
                json!({"id": name(index), "name": name(index), "live": index != 1, "cores": 8, "memory_bytes": 64e9, "links": links})
            })
            .collect();
        let requests: Vec<_> = (0..requests)
            .map(|index| json!({"id": format!("req_{index:024}"), "model": "llama3.3", "for_ms": 1500, "first_token_ms": 80, "prompt_tokens": 900, "tokens": 33}))
            .collect();
        json!({
            "nodes": nodes, "self": "node-0", "requests": requests,
            "instances": [{"model": "llama3.3", "state": "ready", "context": 16384, "requests": 2, "ranks": [{"node": "node-0", "bytes": 4e9}]}],
            "vitals": {"node-0": {"memory_bytes": 64_000_000_000u64, "memory_used_bytes": 12_000_000_000u64, "busy": 0.5, "watts": 43.2, "temperature_c": 61.0, "requests": 2}},
            "energy": {"watts": 43.2, "tokens_per_joule": 1.25},
            "events": [{"at_unix_ms": 0, "weight": "bad", "text": "node-1 is not heard any more"}],
            "findings": [], "traffic": [{"between": ["node-1", "node-0"], "bytes_per_s": 2.5e6}],
        })
    }

    fn drawn(view: &View, width: u16, height: u16) -> Vec<String> {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| draw(frame, view)).unwrap();
        let cells = terminal.backend().buffer().content();
        cells.chunks(usize::from(width)).map(|row| row.iter().map(|cell| cell.symbol()).collect()).collect()
    }

    fn has(lines: &[String], text: &str) -> bool {
        lines.iter().any(|line| line.contains(text))
    }

    #[test]
    fn a_small_terminal_shows_all_that_matters() {
        let mut view = View::of(state(3, 2));
        let lines = drawn(&view, 80, 24);
        for text in [
            "2 of 3 nodes",
            "43 W",
            "1.25 tokens per joule",
            "tokens/s",
            "node-0*",
            "gone",
            "12.0/64.0 GB",
            "61°C",
            "llama3.3",
            "ready",
            "req_00000000",
            "80 ms",
            "node-1 is not heard any more",
            "u unload",
        ] {
            assert!(has(&lines, text), "no {text} in\n{}", lines.join("\n"));
        }
        view.press(ratatui::crossterm::event::KeyCode::Char('l'));
        let lines = drawn(&view, 80, 24);
        assert!(
            has(&lines, "node-0 – node-1") && has(&lines, "9.60 Gb/s  20.0 Mb/s"),
            "{}",
            lines.join("\n")
        );
    }

    #[test]
    fn what_is_chosen_stays_in_sight_and_nothing_breaks_in_no_room() {
        let mut view = View::of(state(40, 60));
        for _ in 0..39 {
            view.press(ratatui::crossterm::event::KeyCode::Down);
        }
        let lines = drawn(&view, 80, 24);
        for text in ["node-39", "llama3.3", "req_", "What happened", "q quit"] {
            assert!(has(&lines, text), "no {text} in\n{}", lines.join("\n"));
        }
        for (width, height) in [(1, 1), (20, 5), (80, 10), (300, 100)] {
            drawn(&view, width, height);
        }
    }
}
