//! Checks that the generated name files of the pages match the vocabulary. `UPDATE_VOCABULARY=1` or
//! `make types` writes them again.
#![expect(clippy::expect_used, reason = "a test that can't do its part must fail loudly")]

use std::{env, fs, path::Path};

use contracts::{
    Locale,
    content::{
        BeachSlope, EnergyExemption, EnergyRating, ListingStatus, Orientation, PropertyKind,
        PropertyType, RoomKind,
    },
    vocabulary::{self, Mark},
};
use serde_json::json;

fn assert_up_to_date(path: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(path);
    if env::var_os("UPDATE_VOCABULARY").is_some() {
        fs::write(&file, text).expect("the file can be written");
    }
    let checked_in = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        checked_in == text,
        "{path} is not what the vocabulary says; UPDATE_VOCABULARY=1 writes it"
    );
}

/// Returns the text of a TypeScript module with these imports, and with `constants` given as names, types and
/// values.
fn module(import: &str, constants: &[(&str, &str, String)]) -> String {
    let constants: Vec<String> = constants
        .iter()
        .map(|(name, of, value)| format!("\nexport const {name}: {of} = {value};\n"))
        .collect();
    let constants = constants.concat();
    format!(
        "// Made from services/shared/contracts/vocabulary.json by `make types`.\n{import}{constants}"
    )
}

/// Returns an object literal of `entries`, in their order.
fn object(entries: impl Iterator<Item = (&'static str, String)>, indent: &str) -> String {
    let entries: Vec<String> =
        entries.map(|(key, value)| format!("{indent}  {}: {value},\n", json!(key))).collect();
    format!("{{\n{}{indent}}}", entries.concat())
}

/// Returns an object literal of names by key, for each language.
fn names<T: Copy>(all: &[T], name: impl Fn(T, Locale) -> (&'static str, &'static str)) -> String {
    let named = |locale| all.iter().map(move |it| (*it, locale));
    let of = |locale: Locale| {
        let entries = named(locale).map(|(it, locale)| name(it, locale));
        (locale.code(), object(entries.map(|(key, name)| (key, json!(name).to_string())), "  "))
    };
    object(Locale::ALL.into_iter().map(of), "")
}

#[test]
fn the_names_on_pages_are_up_to_date() {
    use vocabulary::{kind, mark, property_type, status};
    let statuses = names(ListingStatus::ALL, |it, locale| (it.name(), &status(it, locale).name));
    let types =
        names(PropertyType::ALL, |it, locale| (it.name(), property_type(it, locale).plural()));
    let kinds = names(PropertyKind::ALL, |it, locale| (it.name(), &kind(it, locale).name));
    let plurals = names(PropertyKind::ALL, |it, locale| (it.name(), kind(it, locale).plural()));
    let marks = names(&[("reduced", Mark::Reduced), ("newBuild", Mark::NewBuild)], |it, locale| {
        (it.0, &mark(it.1, locale).name)
    });
    let is_letter =
        |it: &&EnergyRating| !matches!(it, EnergyRating::InProcess | EnergyRating::Exempt);
    let letters: Vec<_> = EnergyRating::ALL.iter().filter(is_letter).map(|it| it.name()).collect();
    let text = module(
        "import type { EnergyLetter, ListingStatus, PropertyKind, PropertyType } from \"#app/lib/api/types.ts\";\n\
         import type { Messages } from \"#app/lib/i18n/messages.ts\";\n",
        &[
            ("statusNames", "Messages<Record<ListingStatus, string>>", statuses),
            ("markNames", "Messages<Record<\"reduced\" | \"newBuild\", string>>", marks),
            ("typePlurals", "Messages<Record<PropertyType, string>>", types),
            ("kindNames", "Messages<Record<PropertyKind, string>>", kinds),
            ("kindPlurals", "Messages<Record<PropertyKind, string>>", plurals),
            ("energyLetters", "readonly EnergyLetter[]", json!(letters).to_string()),
        ],
    );
    assert_up_to_date("frontend/app/lib/vocabulary/names.gen.ts", &text);
}

#[test]
fn the_energy_exemptions_on_pages_are_up_to_date() {
    let called = names(EnergyExemption::ALL, |it, locale| {
        (it.name(), &vocabulary::energy_exemption(it, locale).name)
    });
    let text = module(
        "import type { EnergyExemption } from \"#app/lib/api/types.ts\";\n\
         import type { Messages } from \"#app/lib/i18n/messages.ts\";\n",
        &[("energyExemptionNames", "Messages<Record<EnergyExemption, string>>", called)],
    );
    assert_up_to_date("frontend/app/lib/vocabulary/energy.gen.ts", &text);
}

#[test]
fn the_words_of_a_homes_particulars_are_up_to_date() {
    use vocabulary::{orientation, room, slope};
    let sides = names(Orientation::ALL, |it, locale| (it.name(), &orientation(it, locale).name));
    let slopes = names(BeachSlope::ALL, |it, locale| (it.name(), &slope(it, locale).name));
    let text = module(
        "import type { BeachSlope, Orientation } from \"#app/lib/api/types.ts\";\n\
         import type { Messages } from \"#app/lib/i18n/messages.ts\";\n",
        &[
            ("orientationNames", "Messages<Record<Orientation, string>>", sides),
            ("slopeNames", "Messages<Record<BeachSlope, string>>", slopes),
        ],
    );
    assert_up_to_date("frontend/app/lib/vocabulary/particulars.gen.ts", &text);
    // A separate module: it is used further down the page, and loaded with that part.
    let rooms = names(RoomKind::ALL, |it, locale| (it.name(), &room(it, locale).name));
    let text = module(
        "import type { RoomKind } from \"#app/lib/api/types.ts\";\n\
         import type { Messages } from \"#app/lib/i18n/messages.ts\";\n",
        &[("roomNames", "Messages<Record<RoomKind, string>>", rooms)],
    );
    assert_up_to_date("frontend/app/lib/vocabulary/rooms.gen.ts", &text);
}

#[test]
fn the_features_on_pages_are_up_to_date() {
    let features: Vec<_> = vocabulary::features().iter().collect();
    let called = names(&features, |it, locale| (&it.key, &it.entry(locale).name));
    let groups: Vec<_> = vocabulary::feature_groups().iter().collect();
    let headings =
        names(&groups, |it, locale| (&it.key, it.name.get(locale).map_or("", String::as_str)));
    let members = groups.iter().map(|group| {
        let members = features.iter().filter(|feature| feature.group == group.key);
        (group.key.as_str(), json!(members.map(|it| &it.key).collect::<Vec<_>>()).to_string())
    });
    let group_names = groups.iter().map(|it| json!(it.key).to_string()).collect::<Vec<_>>();
    let text = module(
        &format!(
            "import type {{ Messages }} from \"#app/lib/i18n/messages.ts\";\n\n\
             export type FeatureGroupName = {};\n",
            group_names.join(" | ")
        ),
        &[
            ("featureNames", "Messages<Readonly<Record<string, string>>>", called),
            (
                "featureGroups",
                "Readonly<Record<FeatureGroupName, readonly string[]>>",
                object(members, ""),
            ),
            ("featureGroupNames", "Messages<Record<FeatureGroupName, string>>", headings),
        ],
    );
    assert_up_to_date("frontend/app/lib/vocabulary/features.gen.ts", &text);
}
