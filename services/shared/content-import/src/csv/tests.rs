//! Tests with tables as agencies' programs write them.

use runtime::error_text;

use super::*;

const MAPPING: &str = r#"
delimiter = ";"
encoding = "windows-1252"
decimal = ","

[fields]
ref = { column = "Referencia" }
kind = { column = "Tipo", words = { "Casa mata" = "village-house" } }
place = { column = "Municipio" }
price = { column = "Precio" }
built_m2 = { column = "Metros" }
lat = { column = "Lat" }
new_build = { constant = false }
has_pool = { column = "Piscina" }
energy_rating = { column = "CEE", words = { "En trámite" = "in_process" } }
listed_on = { column = "Alta" }
title_es = { column = "Título" }
description_es = { column = "Texto" }
features = { column = "Extras", separator = "|" }
pictures = { column = "Fotos", separator = " " }
"#;

fn read(rows: &str) -> Result<Feed, Error> {
    let mapping = Mapping::parse(MAPPING)?;
    let header =
        "Referencia;Tipo;Municipio;Precio;Metros;Lat;Piscina;CEE;Alta;Título;Texto;Extras;Fotos";
    let text = format!("{header}\n{rows}");
    let (bytes, _, _) = encoding_rs::WINDOWS_1252.encode(&text);
    read_csv(&bytes, "homes.csv", &mapping, false)
}

#[test]
fn a_table_is_read_by_its_mapping() {
    let feed = read(
        "A 1;Casa Mata;Cómpeta;1.250.000,00 €;85,5;36,75;Sí;En tramite;24/11/2026;Una casa;\
         \"Luz.\nMar.\";Ascensor|Vistas al mar|Sauna;https://a.example/1.jpg https://a.example/2.jpg",
    )
    .expect("it is a table");
    let home = &feed.listings[0];
    assert_eq!((home.at.as_str(), home.key.as_str()), ("line 2", "A-1"));
    for (field, value) in [
        ("kind", json!("village-house")),
        ("property_type", json!("house")),
        ("price", json!(1_250_000)),
        ("built_m2", json!(86)),
        ("lat", json!(36.75)),
        ("new_build", json!(false)),
        ("has_pool", json!(true)),
        ("energy_rating", json!("in_process")),
        ("listed_on", json!("2026-11-24")),
        ("listing_status", json!("for_sale")),
        ("features", json!(["lift"])),
        ("views", json!(["sea"])),
    ] {
        assert_eq!(home.fields.get(field), Some(&value), "{field}");
    }
    assert_eq!(home.places, ["Cómpeta"]);
    assert_eq!(home.texts[&Locale::Es]["description"], "<p>Luz.</p><p>Mar.</p>");
    assert_eq!(home.pictures.as_ref().map(Vec::len), Some(2));
    assert_eq!(feed.skipped["feature `Sauna`"], 1);
    assert!(home.violations.is_empty(), "{:?}", home.violations);
}

#[test]
fn a_price_with_spanish_thousands_is_read_without_a_decimal_setting() {
    let mapping = MAPPING.replace("decimal = \",\"\n", "").replace("windows-1252", "utf-8");
    let mapping = Mapping::parse(&mapping).expect("it is a mapping");
    let header =
        "Referencia;Tipo;Municipio;Precio;Metros;Lat;Piscina;CEE;Alta;Título;Texto;Extras;Fotos";
    for (price, area, expected) in [
        ("249.500", "2.500", (json!(249_500), json!(2_500))),
        ("249,500", "85.5", (json!(249_500), json!(86))),
        ("POA", "120", (json!(null), json!(120))),
        ("x", "120", (json!(null), json!(120))),
        ("0", "120", (json!(null), json!(120))),
    ] {
        let text = format!("{header}\nA 1;Villa;Nerja;\"{price}\";{area};36.749;;;;;;;");
        let feed = read_csv(text.as_bytes(), "homes.csv", &mapping, false).expect("it is a table");
        let home = &feed.listings[0];
        assert!(home.violations.is_empty(), "{:?}", home.violations);
        let found = (home.fields["price"].clone(), home.fields["built_m2"].clone());
        assert_eq!(found, expected, "{price}");
        assert_eq!(home.fields["lat"], json!(36.749));
    }
}

#[test]
fn a_day_is_read_with_a_year_of_two_or_four_digits() {
    for text in
        ["2026-11-24", "2026-11-24T09:05:00", "24/11/2026", "24/11/26 9:05", "24-11-26", "24.11.26"]
    {
        assert_eq!(day(text).as_deref(), Some("2026-11-24"), "{text}");
    }
    for text in ["24/11/226", "0026-11-24", "31/02/26", "ayer"] {
        assert_eq!(day(text), None, "{text}");
    }
}

#[test]
fn an_empty_cell_leaves_the_pictures_unchanged() {
    let feed = read("A1;Piso;Nerja;1;1;1;no;D;;t;t;;").expect("it is a table");
    assert_eq!(feed.listings[0].pictures, None);
}

#[test]
fn a_table_that_ends_within_quotes_is_refused() {
    let row = "A1;Piso;Nerja;1;1;1;no;D;;t;t;;\"https://a.example/1";
    let broken = read(&format!("{row}\"\n{row}")).expect_err("a part is missing");
    let broken = error_text(&broken);
    assert!(broken.contains("it ends within quotes"), "{broken}");
    for end in ["\"", "\"\n", "\"\r\n\r\n"] {
        assert_eq!(read(&format!("{row}{end}")).expect("it is whole").listings.len(), 1, "{end:?}");
    }
    // A quote within a word has no special meaning.
    let inches = read("A1;Piso;Nerja;1;1;1;no;D;;t;t;;5\"").expect("it is whole");
    assert_eq!(inches.listings.len(), 1);
}

#[test]
fn an_invalid_value_is_reported_with_its_line_and_column() {
    let feed =
        read("A1;Piso;Nerja;1;1;1;no;D;;t;t;;\nA2;Castillo;Nerja;mucho;85;36;quizás;Z;ayer;t;t;;")
            .expect("it is a table");
    assert!(feed.listings[0].violations.is_empty());
    let home = &feed.listings[1];
    assert_eq!(home.at, "line 3");
    let violations: Vec<_> = home.violations.iter().map(ToString::to_string).collect();
    for words in [
        "kind (column `Tipo`) must be a kind",
        "price (column `Precio`) must be a whole number",
        "has_pool (column `Piscina`) must be yes or no",
        "energy_rating (column `CEE`) must be one of A",
        "listed_on (column `Alta`) must be a date",
    ] {
        assert!(
            violations.iter().any(|violation| violation.starts_with(words)),
            "{words}: {violations:?}"
        );
    }
    assert_eq!(violations.len(), 5);
}

#[test]
fn errors_name_what_is_wrong_with_a_table_or_a_mapping() {
    let error = error_text(&read("A1;Piso").expect_err("columns are missing"));
    assert!(error.contains("line: 2"), "{error}");
    for (mapping, words) in [
        (
            "[fields]\nrooms = { column = \"R\" }",
            "`rooms` is not a field; the fields are key, place",
        ),
        ("[fields]\nref = {}", "`ref` needs either `column` or `constant`"),
        ("[fields]\nref = { column = \"R\" }", "a home needs `kind`"),
        ("delimiter = \"ab\"\n[fields]", "delimiter must be one letter"),
        ("[fields]\nstatus = { constant = \"published\" }", "`status` is not a field"),
        ("[fields]\nkind = { column = \"K\", words = { a = \"b\" } }", "`b` is not a kind of home"),
        ("columns = 1", "unknown field `columns`"),
    ] {
        let refused = error_text(&Mapping::parse(mapping).expect_err(mapping));
        assert!(refused.contains(words), "{refused}");
    }
    let mapping = MAPPING.replace("\"Metros\"", "\"Superficie\"");
    let mapping = Mapping::parse(&mapping).expect("it is a mapping");
    let refused = read_csv(b"Referencia;Tipo\n", "homes.csv", &mapping, false);
    let refused = error_text(&refused.expect_err("a column is missing"));
    assert!(refused.contains("`built_m2` uses the column `Superficie`"), "{refused}");
}
