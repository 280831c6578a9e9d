//! Pictures as the rows of one language hold them.

use contracts::{Locale, content::Picture};
use serde_json::{Value, json};

/// `picture`, described for readers of `locale`.
pub(super) fn shown(picture: &Picture, locale: Locale) -> Value {
    json!({
        "file": picture.file,
        "version": picture.version,
        "width": picture.width,
        "height": picture.height,
        "alt": picture.alt_in(locale),
        "placeholder": picture.placeholder,
    })
}

/// The same, where there may be none.
pub(super) fn if_any(picture: Option<&Picture>, locale: Locale) -> Option<Value> {
    picture.map(|picture| shown(picture, locale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_described_in_the_language_of_its_row() {
        let mut bay = Picture {
            file: "0f8470da-8519-4420-8d5d-ae4d58b58e5f".parse().expect("an id"),
            version: "1".to_owned(),
            width: 640,
            height: 480,
            alt: "A bay".to_owned(),
            alt_es: Some("Una cala".to_owned()),
            placeholder: None,
        };
        assert_eq!(shown(&bay, Locale::Es)["alt"], "Una cala");
        assert_eq!(shown(&bay, Locale::En)["alt"], "A bay");
        bay.alt_es = None;
        assert_eq!(shown(&bay, Locale::Es)["alt"], "A bay");
    }
}
