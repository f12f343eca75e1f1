//! How to choose words: the flags of `tandem run`, changed by `/set` in a conversation.

use tandem_runtime::{Params, Sampling};

#[derive(Clone, Debug, clap::Args)]
pub struct Settings {
    /// How freely to choose: 0 takes the likeliest word, 1 follows the model's own probabilities
    #[arg(long, short = 't', value_name = "X", default_value_t = 0.7, value_parser = |text: &str| number(text, 0.0, 10.0))]
    pub temperature: f32,
    /// Choose among the N likeliest words; 0 is all
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub top_k: u32,
    /// Choose among the likeliest words that together have this probability
    #[arg(long, value_name = "X", default_value_t = 0.95, value_parser = |text: &str| number(text, 0.0, 1.0))]
    pub top_p: f32,
    /// Leave out words less likely than this share of the likeliest
    #[arg(long, value_name = "X", default_value_t = 0.05, value_parser = |text: &str| number(text, 0.0, 1.0))]
    pub min_p: f32,
    /// Above 1, words already used become less likely
    #[arg(long, value_name = "X", default_value_t = 1.0, value_parser = |text: &str| number(text, 0.01, 10.0))]
    pub repeat_penalty: f32,
    /// The same seed gives the same answer
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Stop after so many tokens; by default when the model is done or the context full
    #[arg(long, short = 'n', value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_tokens: Option<u32>,
    /// Stop before this text (may be given several times)
    #[arg(long, value_name = "TEXT")]
    pub stop: Vec<String>,
}

/// What `/set` knows, in the order it is shown.
pub const NAMES: &str = "temperature, top_k, top_p, min_p, repeat_penalty, seed, max_tokens, stop";

impl Settings {
    pub fn params(&self) -> Params {
        Params {
            sampling: Sampling {
                temperature: self.temperature,
                top_k: self.top_k as usize,
                top_p: self.top_p,
                min_p: self.min_p,
                repetition_penalty: self.repeat_penalty,
                seed: self.seed,
                ..Sampling::default()
            },
            tokens_max: self.max_tokens.map(|tokens| tokens as usize),
            stop: self.stop.iter().filter(|stop| !stop.is_empty()).cloned().collect(),
            ..Params::default()
        }
    }

    /// `/set name value`; `none` takes a setting back where that means something.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let none = value == "none";
        let whole = |value: &str| value.parse::<u32>().map_err(|_| "expected a whole number".to_owned());
        match name.replace('-', "_").as_str() {
            "temperature" => self.temperature = number(value, 0.0, 10.0)?,
            "top_k" => self.top_k = whole(value)?,
            "top_p" => self.top_p = number(value, 0.0, 1.0)?,
            "min_p" => self.min_p = number(value, 0.0, 1.0)?,
            "repeat_penalty" => self.repeat_penalty = number(value, 0.01, 10.0)?,
            "seed" if none => self.seed = None,
            "seed" => self.seed = Some(value.parse().map_err(|_| "expected a whole number or none")?),
            "max_tokens" if none => self.max_tokens = None,
            "max_tokens" => self.max_tokens = Some(whole(value)?.max(1)),
            "stop" if none => self.stop.clear(),
            "stop" => self.stop.push(value.to_owned()),
            _ => return Err(format!("no setting is called `{name}`; there are {NAMES}")),
        }
        Ok(())
    }

    pub fn show(&self) -> String {
        let or_none = |value: Option<String>| value.unwrap_or_else(|| "none".into());
        format!(
            "temperature {}  top_k {}  top_p {}  min_p {}  repeat_penalty {}  seed {}  max_tokens {}  stop {:?}",
            self.temperature,
            self.top_k,
            self.top_p,
            self.min_p,
            self.repeat_penalty,
            or_none(self.seed.map(|seed| seed.to_string())),
            or_none(self.max_tokens.map(|tokens| tokens.to_string())),
            self.stop,
        )
    }
}

fn number(text: &str, least: f32, most: f32) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(value) if value >= least && value <= most => Ok(value),
        _ => Err(format!("expected a number from {least} to {most}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Only {
        #[command(flatten)]
        settings: Settings,
    }

    #[test]
    fn values_are_checked() {
        let mut settings = Only::parse_from(["x"]).settings;
        for (name, value, good) in [
            ("temperature", "0", true),
            ("temperature", "-1", false),
            ("temperature", "NaN", false),
            ("top-p", "0.5", true),
            ("top_p", "2", false),
            ("top_k", "1.5", false),
            ("seed", "none", true),
            ("seed", "x", false),
            ("colour", "red", false),
        ] {
            assert_eq!(settings.set(name, value).is_ok(), good, "{name} {value}");
        }
        assert_eq!(settings.temperature, 0.0);
        assert_eq!(settings.params().sampling.top_p, 0.5);
    }
}
