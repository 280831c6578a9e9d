//! Reading what a role measures, as it tells Prometheus.

use std::collections::HashMap;

/// The figures of one answer.
#[derive(Clone, Debug, Default)]
pub struct Figures(HashMap<String, Vec<(String, f64)>>);

impl Figures {
    /// Reads `text`, of which every line that is none is passed over. Buckets of histograms are left out:
    /// they are most of it, and nothing here looks at them.
    pub fn read(text: &str) -> Self {
        let mut figures: HashMap<String, Vec<(String, f64)>> = HashMap::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let Some((place, value)) = line.trim_end().rsplit_once(' ') else { continue };
            let (name, labels) = place.split_once('{').unwrap_or((place, ""));
            let Ok(value) = value.parse::<f64>() else { continue };
            if name.ends_with("_bucket") || !value.is_finite() {
                continue;
            }
            figures.entry(name.to_owned()).or_default().push((labels.to_owned(), value));
        }
        Self(figures)
    }

    /// The figure called `name`, of all its labels together; none where it is not told.
    pub fn sum(&self, name: &str) -> Option<f64> {
        self.0.get(name).map(|figures| figures.iter().map(|(_, value)| value).sum())
    }

    /// The figure called `name` where it has this label.
    pub fn labelled(&self, name: &str, label: &str, of: &str) -> Option<f64> {
        let wanted = format!("{label}=\"{of}\"");
        let figures = self.0.get(name)?;
        let found = figures.iter().find(|(labels, _)| labels.contains(&wanted));
        found.map(|(_, value)| *value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_with_and_without_labels() {
        let text = "# HELP x y\n# TYPE x counter\nx 7\n\
                    jobs{state=\"due\"} 2\njobs{state=\"failed\"} 1\n\
                    seconds_bucket{le=\"1.0\"} 9 # {trace_id=\"ab\"} 0.5 1.25\n\
                    seconds_count 9\nnonsense\nbroken NaN\n# EOF\n";
        let figures = Figures::read(text);
        assert_eq!(figures.sum("x"), Some(7.0));
        assert_eq!(figures.sum("jobs"), Some(3.0));
        assert_eq!(figures.labelled("jobs", "state", "failed"), Some(1.0));
        assert_eq!(figures.sum("seconds_count"), Some(9.0));
        for missing in ["seconds_bucket", "broken", "y"] {
            assert_eq!(figures.sum(missing), None, "{missing}");
        }
    }
}
