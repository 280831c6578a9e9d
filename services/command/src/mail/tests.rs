mod office;
mod refusals;

use std::{env, fs, path::Path};

use clap::Parser;
use contracts::content::{EnergyRating, ListingStatus, PropertyKind};
use credentials::Secret;

use super::*;
use crate::{
    alerts::{
        AlertMail, ChangeKind, ConfirmMail, Frequency, KnownSearch, MailedHome, MailedSearch,
        RenewalMail,
    },
    enquiry::Kind,
};

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    config: Config,
}

/// Creates a mailer. Its connection pool needs a Tokio runtime.
fn mailer() -> Mailer {
    mailer_with(&[])
}

fn mailer_with(more: &[&str]) -> Mailer {
    Mailer::new(&config(more)).expect("a mailer")
}

fn config(more: &[&str]) -> Config {
    let arguments = [
        "command",
        "--database-url=postgres://x",
        "--nats-url=nats://x",
        "--query-url=http://x.example",
        "--public-url=https://almijara.example",
        "--smtp-url=smtp://127.0.0.1:1",
        "--mail-from=Almijara Homes <homes@almijara.example>",
        "--office-email=office@almijara.example",
        "--port=1",
    ];
    Arguments::parse_from(arguments.iter().chain(more)).config
}

fn enquiry() -> StoredEnquiry {
    StoredEnquiry {
        id: Uuid::nil(),
        reference: "E-7K3QX9".to_owned(),
        kind: Kind::Viewing,
        locale: Locale::Es,
        name: "Ann <b>Lee</b>".to_owned(),
        email: Some("ann@x.example".to_owned()),
        phone: Some("+34600123456".to_owned()),
        mobile: None,
        message: Some("<script>alert(1)</script>\nSecond line & more".to_owned()),
        home_reference: Some("AH-1042".to_owned()),
        home_title: Some("Casa <i>con patio".to_owned()),
        home_price: Some(385_000),
        home_path: Some("/es/property-for-sale/nerja/AH-1042".to_owned()),
        times: vec!["2026-12-01T10:30:00".parse().expect("a time")],
        address: Some("Calle <b>Real 1".to_owned()),
        property_kind: Some(PropertyKind::Villa),
        built_area: Some(1_140),
        pictures: 2,
        suspect: None,
        received_at: "2026-11-23T12:00:00Z".parse().expect("a time"),
    }
}

fn rendered(mail: &Mail, enquiry: &StoredEnquiry) -> (String, String, String) {
    let mailer = mailer();
    let values = mailer.values_of_enquiry(mail, enquiry);
    mailer.texts(mail, &values).expect("its texts").into()
}

fn mail(template: &'static str, locale: Locale) -> Mail {
    let to = "x@y.example".parse().expect("a mailbox");
    Mail::new(template, locale, to)
}

#[tokio::test]
async fn an_enquirys_text_is_escaped_in_mails() {
    for template in ["office", "visitor"] {
        for locale in Locale::ALL {
            let (_, text, html) = rendered(&mail(template, locale), &enquiry());
            for markup in ["<script>", "<b>Lee", "<b>Real", "<i>con"] {
                assert!(!html.contains(markup), "{markup}: {html}");
            }
            assert!(!text.contains("&lt;") && !text.contains("&amp;"), "{text}");
            assert!(html.contains("E-7K3QX9") && text.contains("E-7K3QX9"));
        }
    }
    let (_, text, _) = rendered(&mail("office", Locale::En), &enquiry());
    assert!(text.contains("<script>alert(1)</script>\nSecond line & more"), "{text}");
    assert!(text.contains("€385,000") && text.contains("01/12/2026 10:30"), "{text}");
    assert!(text.contains("Villa, 1,140\u{a0}m²"), "{text}");
}

#[tokio::test]
async fn texts_of_editors_and_visitors_are_escaped_in_alert_mails() {
    let home = MailedHome {
        happened: ChangeKind::Reduced,
        title: "<script>alert(1)</script>".to_owned(),
        place: "Nerja & Frigiliana".to_owned(),
        price: Some(300_000),
        price_before: Some(320_000),
        status: ListingStatus::ForSale,
        bedrooms: Some(3),
        built_area: Some(1_140),
        energy: Some(EnergyRating::E),
        path: Some("/property-for-sale/nerja/AH-1042".to_owned()),
    };
    let search = MailedSearch { name: "<b>Mine".to_owned(), path: "/property-for-sale".to_owned() };
    let alert = AlertMail {
        email: "ann@x.example".to_owned(),
        name: None,
        locale: Locale::Es,
        token: "a-token".to_owned(),
        count: 12,
        homes: vec![home],
        searches: vec![search],
    };
    let mailer = mailer();
    let mail = mail("homes", Locale::Es);
    let [subject, text, html] =
        mailer.texts(&mail, &mailer.values_of_homes(&mail, &alert)).expect("its texts");
    assert_eq!(subject, "12 viviendas para ver");
    assert!(!html.contains("<script>") && !html.contains("<b>Mine"), "{html}");
    assert!(text.contains("Nerja & Frigiliana") && text.contains("Y 11 más"), "{text}");
    assert!(
        text.contains("300.000\u{a0}€ (antes 320.000\u{a0}€), 3 dormitorios, 1.140 m²"),
        "{text}"
    );
    assert!(text.contains("https://almijara.example/es/alerts?token=a-token"), "{text}");
}

#[tokio::test]
async fn typed_names_are_escaped_in_mails() {
    let written = "<img src=x onerror=alert(1)> & more";
    let mailer = mailer();
    for locale in Locale::ALL {
        for is_new in [true, false] {
            let sign_in = SignInMail {
                email: "ann@x.example".to_owned(),
                name: Some(written.to_owned()),
                locale,
                is_new,
                link: fixed_secret(),
                code: "204816".to_owned(),
            };
            let mail = mail("sign_in", locale);
            let values = mailer.values_of_sign_in(&mail, &sign_in);
            let [_, text, html] = mailer.texts(&mail, &values).expect("its texts");
            assert!(!html.contains("<img src=x"), "{html}");
            assert!(text.contains(written), "{text}");
            assert!(!html.contains("{agency}"), "{html}");
        }
        let confirm = ConfirmMail {
            known: Some(KnownSearch { name: written.to_owned(), wanted: Frequency::Daily }),
            ..confirm(locale)
        };
        let mail = mail("confirm", locale);
        let values = mailer.values_of_confirm(&mail, &confirm);
        let [_, text, html] = mailer.texts(&mail, &values).expect("its texts");
        assert!(!html.contains("<img src=x"), "{html}");
        assert!(text.contains(written), "{text}");
        assert!(!html.contains("{frequency}"), "{html}");
    }
}

#[tokio::test]
async fn a_confirmation_to_the_sender_contains_nothing_that_was_typed() {
    for locale in Locale::ALL {
        let (subject, text, html) = rendered(&mail("visitor", locale), &enquiry());
        for typed in ["Ann", "Second line", "Calle"] {
            for part in [&subject, &text, &html] {
                assert!(!part.contains(typed), "{typed}: {part}");
            }
        }
    }
}

/// The mails can't show the search's name, which anybody may have typed.
#[tokio::test]
async fn confirmation_mails_show_when_they_were_requested() {
    let mailer = mailer();
    for (locale, asked_at) in
        [(Locale::En, "29 November at 14:05"), (Locale::Es, "29 de noviembre a las 14:05")]
    {
        let known = KnownSearch { name: "Nerja".to_owned(), wanted: Frequency::Daily };
        for confirm in [confirm(locale), ConfirmMail { known: Some(known), ..confirm(locale) }] {
            let mail = mail("confirm", locale);
            let values = mailer.values_of_confirm(&mail, &confirm);
            for part in mailer.texts(&mail, &values).expect("its texts") {
                assert!(part.contains(asked_at) && !part.contains("{asked_at}"), "{part}");
            }
        }
    }
}

#[tokio::test]
async fn names_can_not_inject_headers() {
    let mut enquiry = enquiry();
    enquiry.name = "Ann\r\nBcc: all@x.example".to_owned();
    enquiry.home_title = Some("A\r\nX-Evil: 1".to_owned());
    let mailer = mailer();
    let mail = mail("office", Locale::En);
    let message =
        mailer.build_message(&mail, &mailer.values_of_enquiry(&mail, &enquiry), Uuid::nil());
    let message = String::from_utf8(message.expect("a mail").formatted()).expect("text");
    let (head, _) = message.split_once("\r\n\r\n").expect("a head");
    assert!(!head.contains("\r\nBcc:") && !head.contains("\r\nX-Evil"), "{head}");
    assert!(head.contains("Auto-Submitted: auto-generated"), "{head}");
    assert!(head.contains(&format!("Message-ID: <{}@almijara.example>", Uuid::nil())), "{head}");
}

#[test]
fn every_text_exists_in_both_languages() {
    let words = words().expect("the file is read");
    let names = |locale| {
        let words: &Value = &words[&locale];
        words.as_object().expect("texts").keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(names(Locale::En), names(Locale::Es));
    assert!(names(Locale::En).len() > 10);
}

/// Compares all mails with files in both languages, which the catalogue of the pages shows too.
/// `UPDATE_MAILS=1` rewrites them.
#[tokio::test]
async fn each_mail_matches_its_file() {
    let mailer = mailer();
    for locale in Locale::ALL {
        let homes = homes(locale);
        let (enquiry, valuation) = enquiries(locale);
        let sign_in = SignInMail {
            email: "ann@x.example".to_owned(),
            name: None,
            locale,
            is_new: true,
            link: fixed_secret(),
            code: "204816".to_owned(),
        };
        let search = homes.searches[0].name.clone();
        let known = Some(KnownSearch { name: search, wanted: Frequency::AtOnce });
        let (confirm, confirm_known) = (confirm(locale), ConfirmMail { known, ..confirm(locale) });
        let renewal = RenewalMail {
            email: "ann@x.example".to_owned(),
            locale,
            token: homes.token.clone(),
            searches: homes.searches.clone(),
        };
        for (name, template) in [
            ("office", "office"),
            ("valuation", "office"),
            ("visitor", "visitor"),
            ("sign_in", "sign_in"),
            ("confirm", "confirm"),
            ("confirm_known", "confirm"),
            ("homes", "homes"),
            ("renewal", "renewal"),
        ] {
            let mail = mail(template, locale);
            let values = match name {
                "valuation" => mailer.values_of_enquiry(&mail, &valuation),
                "sign_in" => mailer.values_of_sign_in(&mail, &sign_in),
                "confirm" => mailer.values_of_confirm(&mail, &confirm),
                "confirm_known" => mailer.values_of_confirm(&mail, &confirm_known),
                "homes" => mailer.values_of_homes(&mail, &homes),
                "renewal" => mailer.values_of_renewal(&mail, &renewal),
                _ => mailer.values_of_enquiry(&mail, &enquiry),
            };
            let [subject, text, html] = mailer.texts(&mail, &values).expect("its texts");
            // Plain texts have links and no buttons.
            assert!(!text.contains("button") && !text.contains("botón"), "{text}");
            let kept = |kind: &str, now: &str| {
                let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mails");
                let file = folder.join(format!("{name}.{}.{kind}", locale.code()));
                if env::var_os("UPDATE_MAILS").is_some() {
                    fs::write(&file, now).expect("it is written");
                }
                let kept = fs::read_to_string(&file).unwrap_or_default();
                assert_eq!(now, kept, "{} is not what the templates make", file.display());
            };
            kept("html", &html);
            kept("txt", &format!("{subject}\n\n{text}"));
        }
    }
}

/// A word without line breaks, as people paste it, wider than any telephone.
const UNBROKEN: &str =
    "portal.example/property?home=casa_de_pueblo_con_patio_y_vistas_al_mar_en_el_centro_de_nerja";

/// Returns a secret that is the same in each run.
fn fixed_secret() -> Secret {
    Secret::parse(&"A".repeat(43)).expect("a secret")
}

/// Returns a mail about a search that is not confirmed yet.
fn confirm(locale: Locale) -> ConfirmMail {
    ConfirmMail {
        email: "ann@x.example".to_owned(),
        locale,
        asked_at: "2026-11-29T13:05:00Z".parse().expect("a time"),
        known: None,
        link: fixed_secret(),
    }
}

fn title(locale: Locale) -> String {
    match locale {
        Locale::En => "Village house with a patio".to_owned(),
        Locale::Es => "Casa de pueblo con patio".to_owned(),
    }
}

fn homes(locale: Locale) -> AlertMail {
    let home = |happened, reference: &str, price, price_before| MailedHome {
        happened,
        title: title(locale),
        place: "Frigiliana".to_owned(),
        price,
        price_before,
        status: ListingStatus::UnderOffer,
        bedrooms: Some(3),
        built_area: Some(140),
        energy: Some(if price.is_some() { EnergyRating::E } else { EnergyRating::Exempt }),
        path: Some(format!("/property-for-sale/frigiliana/{reference}")),
    };
    let search = match locale {
        Locale::En => format!("Nerja, up to €400,000, {UNBROKEN}"),
        Locale::Es => format!("Nerja, hasta 400.000 €, {UNBROKEN}"),
    };
    AlertMail {
        email: "ann@x.example".to_owned(),
        name: Some("Ann Prior".to_owned()),
        locale,
        token: "a-token".to_owned(),
        count: 12,
        homes: vec![
            home(ChangeKind::New, "AH-1042", Some(385_000), None),
            home(ChangeKind::Reduced, "AH-1077", Some(300_000), Some(320_000)),
            home(ChangeKind::Status, "AH-1090", None, None),
            home(ChangeKind::Back, "AH-1101", Some(450_000), None),
        ],
        searches: vec![MailedSearch {
            name: search,
            path: "/property-for-sale/nerja?max=400000".to_owned(),
        }],
    }
}

/// Returns an enquiry about a viewing and one about a valuation.
fn enquiries(locale: Locale) -> (StoredEnquiry, StoredEnquiry) {
    let enquiry = StoredEnquiry {
        locale,
        name: "Ann Prior".to_owned(),
        message: Some(format!("Is there room for a piano?\nWe come by train.\n{UNBROKEN}")),
        address: None,
        property_kind: None,
        built_area: None,
        pictures: 0,
        home_title: Some(title(locale)),
        ..enquiry()
    };
    let valuation = StoredEnquiry {
        kind: Kind::Valuation,
        address: Some(format!("Calle Real 1, Torrox, {UNBROKEN}")),
        property_kind: Some(PropertyKind::Townhouse),
        built_area: Some(140),
        pictures: 2,
        message: None,
        times: Vec::new(),
        home_reference: None,
        suspect: Some("flood".to_owned()),
        ..enquiry.clone()
    };
    (enquiry, valuation)
}
