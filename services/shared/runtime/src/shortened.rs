//! Shortens texts for lists and logs.

/// Returns `text`, or its first `max_chars` characters and an ellipsis.
pub fn shortened(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_longer_text_is_shortened() {
        assert_eq!(shortened("cortijo", 7), "cortijo");
        assert_eq!(shortened("cármenes", 3), "cár…");
    }
}
