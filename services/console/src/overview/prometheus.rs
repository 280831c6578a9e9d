//! Parses the metrics of a role in the text format of Prometheus.

use std::collections::HashMap;

/// The metrics of one response: for each name, the labels and the value of every sample.
#[derive(Clone, Debug, Default)]
pub struct Metrics(HashMap<String, Vec<(String, f64)>>);

impl Metrics {
    /// Parses `text`, and ignores invalid lines. Skips histogram buckets: they are most of the text, and
    /// nothing here uses them.
    pub fn parse(text: &str) -> Self {
        let mut metrics: HashMap<String, Vec<(String, f64)>> = HashMap::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let Some((series, value)) = line.trim_end().rsplit_once(' ') else { continue };
            let (name, labels) = series.split_once('{').unwrap_or((series, ""));
            let Ok(value) = value.parse::<f64>() else { continue };
            if name.ends_with("_bucket") || !value.is_finite() {
                continue;
            }
            metrics.entry(name.to_owned()).or_default().push((labels.to_owned(), value));
        }
        Self(metrics)
    }

    /// Returns the sum of `name` over all labels; `None` if it is missing.
    pub fn sum(&self, name: &str) -> Option<f64> {
        self.0.get(name).map(|samples| samples.iter().map(|(_, value)| value).sum())
    }

    /// Returns the value of `name` with this label value.
    pub fn with_label(&self, name: &str, label: &str, value: &str) -> Option<f64> {
        let wanted = format!("{label}=\"{value}\"");
        let samples = self.0.get(name)?;
        let found = samples.iter().find(|(labels, _)| labels.contains(&wanted));
        found.map(|(_, value)| *value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_are_parsed_with_and_without_labels() {
        let text = "# HELP x y\n# TYPE x counter\nx 7\n\
                    jobs{state=\"due\"} 2\njobs{state=\"failed\"} 1\n\
                    seconds_bucket{le=\"1.0\"} 9 # {trace_id=\"ab\"} 0.5 1.25\n\
                    seconds_count 9\nnonsense\nbroken NaN\n# EOF\n";
        let metrics = Metrics::parse(text);
        assert_eq!(metrics.sum("x"), Some(7.0));
        assert_eq!(metrics.sum("jobs"), Some(3.0));
        assert_eq!(metrics.with_label("jobs", "state", "failed"), Some(1.0));
        assert_eq!(metrics.sum("seconds_count"), Some(9.0));
        for missing in ["seconds_bucket", "broken", "y"] {
            assert_eq!(metrics.sum(missing), None, "{missing}");
        }
    }
}
