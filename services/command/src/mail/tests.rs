mod office;
mod refusals;

use std::{env, fs, path::Path};

use clap::Parser;
use contracts::content::{EnergyRating, ListingStatus, PropertyKind};
use credentials::Secret;

use super::*;
use crate::alerts::{
    AlertMail, ConfirmMail, Frequency, Happened, KnownSearch, RenewalMail, ToldHome, ToldSearch,
};

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    config: Config,
}

/// Its pool of connections wants a runtime around it.
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

fn letter() -> Letter {
    Letter {
        id: Uuid::nil(),
        reference: "E-7K3QX9".to_owned(),
        kind: "viewing".to_owned(),
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

fn whole(mail: &Mail, letter: &Letter) -> (String, String, String) {
    let mailer = mailer();
    let values = mailer.values_of_letter(mail, letter);
    mailer.texts(mail, &values).expect("its texts").into()
}

fn mail(template: &'static str, locale: Locale) -> Mail {
    let to = "x@y.example".parse().expect("a mailbox");
    Mail {
        template,
        locale,
        to,
        reply_to: None,
        automatic: "auto-generated",
        unsubscribe: None,
        pictures: Vec::new(),
    }
}

#[tokio::test]
async fn nothing_that_was_sent_is_markup_in_a_mail() {
    for template in ["office", "visitor"] {
        for locale in Locale::ALL {
            let (_, text, html) = whole(&mail(template, locale), &letter());
            for markup in ["<script>", "<b>Lee", "<b>Real", "<i>con"] {
                assert!(!html.contains(markup), "{markup}: {html}");
            }
            assert!(!text.contains("&lt;") && !text.contains("&amp;"), "{text}");
            assert!(html.contains("E-7K3QX9") && text.contains("E-7K3QX9"));
        }
    }
    let (_, text, _) = whole(&mail("office", Locale::En), &letter());
    assert!(text.contains("<script>alert(1)</script>\nSecond line & more"), "{text}");
    assert!(text.contains("€385,000") && text.contains("01/12/2026 10:30"), "{text}");
    assert!(text.contains("Villa, 1,140\u{a0}m²"), "{text}");
}

#[tokio::test]
async fn what_editors_and_visitors_wrote_is_no_markup_in_a_mail_about_homes() {
    let home = ToldHome {
        happened: Happened::Reduced,
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
    let search = ToldSearch { name: "<b>Mine".to_owned(), path: "/property-for-sale".to_owned() };
    let told = AlertMail {
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
        mailer.texts(&mail, &mailer.values_of_homes(&mail, &told)).expect("its texts");
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
async fn what_others_may_write_in_ones_name_is_no_markup_in_a_mail() {
    let written = "<img src=x onerror=alert(1)> & more";
    let mailer = mailer();
    for locale in Locale::ALL {
        for is_new in [true, false] {
            let sign_in = SignInMail {
                email: "ann@x.example".to_owned(),
                name: Some(written.to_owned()),
                locale,
                is_new,
                link: a_secret(),
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
async fn whoever_writes_anothers_address_into_a_form_sends_them_no_words() {
    for locale in Locale::ALL {
        let (subject, text, html) = whole(&mail("visitor", locale), &letter());
        for typed in ["Ann", "Second line", "Calle"] {
            for part in [&subject, &text, &html] {
                assert!(!part.contains(typed), "{typed}: {part}");
            }
        }
    }
}

/// Neither may name its search, which anybody may have typed.
#[tokio::test]
async fn mails_that_ask_about_two_searches_are_told_apart_by_when_somebody_asked() {
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
async fn no_name_begins_a_header_of_its_own() {
    let mut letter = letter();
    letter.name = "Ann\r\nBcc: all@x.example".to_owned();
    letter.home_title = Some("A\r\nX-Evil: 1".to_owned());
    let mailer = mailer();
    let mail = mail("office", Locale::En);
    let message = mailer.write(&mail, &mailer.values_of_letter(&mail, &letter), Uuid::nil());
    let message = String::from_utf8(message.expect("a mail").formatted()).expect("text");
    let (head, _) = message.split_once("\r\n\r\n").expect("a head");
    assert!(!head.contains("\r\nBcc:") && !head.contains("\r\nX-Evil"), "{head}");
    assert!(head.contains("Auto-Submitted: auto-generated"), "{head}");
    assert!(head.contains(&format!("Message-ID: <{}@almijara.example>", Uuid::nil())), "{head}");
}

#[test]
fn every_text_stands_in_both_languages() {
    let words = words();
    let names = |locale| {
        let words: &Value = &words[&locale];
        words.as_object().expect("texts").keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(names(Locale::En), names(Locale::Es));
    assert!(names(Locale::En).len() > 10);
}

/// As they look: kept as files, which the catalogue of the pages shows, and whoever changes a template
/// sees in both languages. `UPDATE_MAILS=1` writes them anew.
#[tokio::test]
async fn each_mail_is_as_it_was_looked_at() {
    let mailer = mailer();
    for locale in Locale::ALL {
        let homes = homes(locale);
        let (letter, valuation) = letters(locale);
        let sign_in = SignInMail {
            email: "ann@x.example".to_owned(),
            name: None,
            locale,
            is_new: true,
            link: a_secret(),
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
                "valuation" => mailer.values_of_letter(&mail, &valuation),
                "sign_in" => mailer.values_of_sign_in(&mail, &sign_in),
                "confirm" => mailer.values_of_confirm(&mail, &confirm),
                "confirm_known" => mailer.values_of_confirm(&mail, &confirm_known),
                "homes" => mailer.values_of_homes(&mail, &homes),
                "renewal" => mailer.values_of_renewal(&mail, &renewal),
                _ => mailer.values_of_letter(&mail, &letter),
            };
            let [subject, text, html] = mailer.texts(&mail, &values).expect("its texts");
            // A plain text has links alone.
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

/// A word as people paste it, wider than any telephone.
const WITHOUT_END: &str =
    "portal.example/property?home=casa_de_pueblo_con_patio_y_vistas_al_mar_en_el_centro_de_nerja";

/// One that is the same in each run.
fn a_secret() -> Secret {
    Secret::read(&"A".repeat(43)).expect("a secret")
}

/// About a search that nobody has agreed to yet.
fn confirm(locale: Locale) -> ConfirmMail {
    ConfirmMail {
        email: "ann@x.example".to_owned(),
        locale,
        asked_at: "2026-11-29T13:05:00Z".parse().expect("a time"),
        known: None,
        link: a_secret(),
    }
}

fn title(locale: Locale) -> String {
    match locale {
        Locale::En => "Village house with a patio".to_owned(),
        Locale::Es => "Casa de pueblo con patio".to_owned(),
    }
}

fn homes(locale: Locale) -> AlertMail {
    let home = |happened, reference: &str, price, price_before| ToldHome {
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
        Locale::En => format!("Nerja, up to €400,000, {WITHOUT_END}"),
        Locale::Es => format!("Nerja, hasta 400.000 €, {WITHOUT_END}"),
    };
    AlertMail {
        email: "ann@x.example".to_owned(),
        name: Some("Ann Prior".to_owned()),
        locale,
        token: "a-token".to_owned(),
        count: 12,
        homes: vec![
            home(Happened::New, "AH-1042", Some(385_000), None),
            home(Happened::Reduced, "AH-1077", Some(300_000), Some(320_000)),
            home(Happened::Status, "AH-1090", None, None),
            home(Happened::Back, "AH-1101", Some(450_000), None),
        ],
        searches: vec![ToldSearch {
            name: search,
            path: "/property-for-sale/nerja?max=400000".to_owned(),
        }],
    }
}

/// About a viewing, and about a valuation.
fn letters(locale: Locale) -> (Letter, Letter) {
    let letter = Letter {
        locale,
        name: "Ann Prior".to_owned(),
        message: Some(format!("Is there room for a piano?\nWe come by train.\n{WITHOUT_END}")),
        address: None,
        property_kind: None,
        built_area: None,
        pictures: 0,
        home_title: Some(title(locale)),
        ..letter()
    };
    let valuation = Letter {
        kind: "valuation".to_owned(),
        address: Some(format!("Calle Real 1, Torrox, {WITHOUT_END}")),
        property_kind: Some(PropertyKind::Townhouse),
        built_area: Some(140),
        pictures: 2,
        message: None,
        times: Vec::new(),
        home_reference: None,
        suspect: Some("flood".to_owned()),
        ..letter.clone()
    };
    (letter, valuation)
}
