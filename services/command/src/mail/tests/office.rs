//! What the office reads of an enquiry, and what its links do.

use super::*;

#[tokio::test]
async fn the_office_is_led_to_where_it_opens_the_item() {
    let office = mail("office", Locale::Es);
    let text = |more: &[&str]| {
        let mailer = mailer_with(more);
        let values = mailer.values_of_letter(&office, &letter());
        let texts: (String, String, String) = mailer.texts(&office, &values).expect("texts").into();
        texts.1
    };
    let inside = ["--content-url=http://directus:8055", "--enquiries-token=a-token"];
    assert!(text(&inside).contains("http://directus:8055/admin/content/enquiries/"));
    let [content, token] = inside;
    let text_outside = text(&[content, token, "--studio-url=https://studio.example/"]);
    assert!(text_outside.contains("https://studio.example/admin/content/enquiries/"));
    assert!(!text(&[content, "--studio-url=https://studio.example"]).contains("studio"));
}

#[tokio::test]
async fn a_number_is_dialled_without_its_extension_which_the_office_reads() {
    let mut letter = letter();
    letter.phone = Some("+442079460958 ext. 123".to_owned());
    let (_, text, html) = whole(&mail("office", Locale::En), &letter);
    assert!(text.contains("+442079460958 ext. 123"), "{text}");
    assert!(html.contains(r#"href="tel:+442079460958">+442079460958 ext. 123</a>"#), "{html}");
}

#[tokio::test]
async fn the_offices_subject_says_what_is_asked_and_not_whom_to_call() {
    let letter = Letter { kind: "callback".to_owned(), name: "Ann Prior".to_owned(), ..letter() };
    for (locale, subject) in [
        (Locale::En, "Call requested E-7K3QX9 · AH-1042 · Ann Prior"),
        (Locale::Es, "Llamada pedida E-7K3QX9 · AH-1042 · Ann Prior"),
    ] {
        assert_eq!(whole(&mail("office", locale), &letter).0, subject);
    }
}

#[tokio::test]
async fn an_address_is_written_to_as_it_is_whatever_stands_in_it() {
    for (email, href) in [
        ("ann+homes@x.example", "mailto:ann%2Bhomes@x.example"),
        (
            "boss%40agency.example?cc=x@evil.example",
            "mailto:boss%2540agency.example%3Fcc%3Dx@evil.example",
        ),
    ] {
        let letter = Letter { email: Some(email.to_owned()), ..letter() };
        let (_, _, html) = whole(&mail("office", Locale::En), &letter);
        assert!(html.contains(&format!(r#"href="{href}""#)), "{html}");
    }
}
