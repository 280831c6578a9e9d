//! The office's mail about an enquiry, and its links.

use super::*;

#[tokio::test]
async fn the_office_mail_links_to_the_item_in_the_studio() {
    let office = mail("office", Locale::Es);
    let text = |more: &[&str]| {
        let mailer = mailer_with(more);
        let values = mailer.values_of_enquiry(&office, &enquiry());
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
async fn a_telephone_link_omits_the_extension() {
    let mut enquiry = enquiry();
    enquiry.phone = Some("+442079460958 ext. 123".to_owned());
    let (_, text, html) = rendered(&mail("office", Locale::En), &enquiry);
    assert!(text.contains("+442079460958 ext. 123"), "{text}");
    assert!(html.contains(r#"href="tel:+442079460958">+442079460958 ext. 123</a>"#), "{html}");
}

#[tokio::test]
async fn the_office_mails_subject_names_the_request() {
    let enquiry = StoredEnquiry { kind: Kind::Callback, name: "Ann Prior".to_owned(), ..enquiry() };
    for (locale, subject) in [
        (Locale::En, "Call requested E-7K3QX9 · AH-1042 · Ann Prior"),
        (Locale::Es, "Llamada pedida E-7K3QX9 · AH-1042 · Ann Prior"),
    ] {
        assert_eq!(rendered(&mail("office", locale), &enquiry).0, subject);
    }
}

#[tokio::test]
async fn a_mailto_link_encodes_the_address() {
    for (email, href) in [
        ("ann+homes@x.example", "mailto:ann%2Bhomes@x.example"),
        (
            "boss%40agency.example?cc=x@evil.example",
            "mailto:boss%2540agency.example%3Fcc%3Dx@evil.example",
        ),
    ] {
        let enquiry = StoredEnquiry { email: Some(email.to_owned()), ..enquiry() };
        let (_, _, html) = rendered(&mail("office", Locale::En), &enquiry);
        assert!(html.contains(&format!(r#"href="{href}""#)), "{html}");
    }
}
