//! The load of engines and ranks as numbers for `/metrics`.

use tandem_api::{Metric, MetricKind};
use tandem_engine::{Load, RankReport};

/// How busy each model's engine is.
pub fn engine_metrics(engines: &[(String, Load)]) -> Vec<Metric> {
    use MetricKind::{Counter, Gauge};
    type Read = fn(&Load) -> u64;
    let numbers: [(&str, &str, MetricKind, Read); 9] = [
        ("model_unsound", "1 where a model computed values that are not numbers.", Gauge, |load| {
            u64::from(load.unsound)
        }),
        ("sequences_running", "Requests that have a slot.", Gauge, |load| load.running as u64),
        ("requests_waiting", "Requests in the queue.", Gauge, |load| load.waiting as u64),
        ("queue_limit_requests", "Requests that may wait.", Gauge, |load| load.waiting_max as u64),
        ("cache_used_blocks", "Cache blocks held by running requests.", Gauge, |load| {
            load.blocks_used as u64
        }),
        ("cache_blocks", "Cache blocks in all.", Gauge, |load| load.blocks as u64),
        ("steps_total", "Batches computed.", Counter, |load| load.steps),
        (
            "sequences_cancelled_total",
            "Requests cancelled before their answer was complete.",
            Counter,
            |load| load.cancelled,
        ),
        ("cancel_steps_max", "Most steps from a cancellation to a free slot.", Gauge, |load| {
            load.cancel_steps_max
        }),
    ];
    let mut metrics = Vec::new();
    for (name, help, kind, read) in numbers {
        for (model, load) in engines {
            let (labels, value) = (vec![("model", model.clone())], read(load) as f64);
            metrics.push(Metric { name, help, kind, labels, value });
        }
    }
    metrics
}

/// Where each rank's time goes, and what joins it to the others: by model and rank.
pub fn rank_metrics(ranks: &[(String, usize, RankReport)]) -> Vec<Metric> {
    type Read = fn(&RankReport) -> Option<f64>;
    let numbers: [(&str, &str, MetricKind, Read); 3] = [
        ("rank_computing_seconds_total", "Time a rank computed.", MetricKind::Counter, |rank| {
            Some(rank.computing_us / 1e6)
        }),
        (
            "rank_exchanging_seconds_total",
            "Time a rank exchanged values with others, or waited for them.",
            MetricKind::Counter,
            |rank| Some(rank.exchanging_us / 1e6),
        ),
        ("rank_resident_bytes", "Memory a rank's process holds.", MetricKind::Gauge, |rank| {
            rank.resident_bytes.map(|bytes| bytes as f64)
        }),
    ];
    let labels = |model: &str, rank: usize| vec![("model", model.to_owned()), ("rank", rank.to_string())];
    let mut metrics = Vec::new();
    for (name, help, kind, read) in numbers {
        for (model, rank, report) in ranks {
            if let Some(value) = read(report) {
                metrics.push(Metric { name, help, kind, labels: labels(model, *rank), value });
            }
        }
    }
    for (model, rank, report) in ranks {
        for (to, transport) in &report.links {
            let mut labels = labels(model, *rank);
            labels.extend([("to", to.to_string()), ("kind", transport.clone())]);
            let (name, help) = ("rank_link", "A link between two ranks, by its kind.");
            metrics.push(Metric { name, help, kind: MetricKind::Gauge, labels, value: 1.0 });
        }
        if let Some(way) = &report.exchanges_by {
            let mut labels = labels(model, *rank);
            labels.push(("way", way.clone()));
            let (name, help) = ("rank_hand_over", "How a rank's steps pass to others and back, as measured.");
            metrics.push(Metric { name, help, kind: MetricKind::Gauge, labels, value: 1.0 });
        }
    }
    metrics
}
