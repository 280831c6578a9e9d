//! The form of the index: its fields, and what a home's document contains.

/// The directory of an index of this build's form. An index of another form has another directory, so that
/// the new one is built beside the old one.
///
/// The name is a fingerprint of everything that a document depends on. The test below computes it, and says
/// what to write here.
pub(crate) const DIRECTORY: &str = "properties-47193402ec99e03a";

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use contracts::{
        Change, Event, Locale, Offer, Version,
        content::{
            EnergyRating, ListingStatus, Property, PropertyKind, PropertyText, PropertyType,
            Snapshot,
        },
        vocabulary,
    };
    use tantivy::Document;

    use super::DIRECTORY;
    use crate::{
        document::{document, tombstone},
        schema::{self, Analyzers},
    };

    /// The golden files of event forms, in the order of their names, the newest last.
    const EVENTS: &str = "../services/shared/contracts/tests/golden/events";

    /// Returns the homes of the newest form of events, with their price histories.
    fn golden_homes() -> Vec<(Property, Vec<Offer>)> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(EVENTS);
        let forms = fs::read_dir(folder).expect("the forms of events");
        let newest = forms.map(|form| form.expect("an entry").path()).max().expect("a form");
        let events = fs::read(newest).expect("it can be read");
        let events: Vec<Event> = serde_json::from_slice(&events).expect("events");
        let homes = events.into_iter().filter_map(|event| {
            let Change::Upserted { snapshot } = event.change else { return None };
            let Snapshot::Properties(home) = *snapshot else { return None };
            Some((home, event.offers))
        });
        homes.collect()
    }

    /// Returns `home` as one that shows what the analyzers do with all kinds of words.
    fn wordy(mut home: Property) -> Property {
        home.reference = "Áh-1042.B".to_owned();
        home.features.extend(["roof-terrace".to_owned(), "no-such-feature".to_owned()]);
        home.new_build = true;
        home.energy = None;
        home.coordinates = None;
        let long = "x".repeat(1030);
        home.text.set(
            Locale::En,
            PropertyText {
                title: "Two sunny villas with gardens near Nerja’s beaches".to_owned(),
                summary: "The owners’ houses: renovated, heated, 3-bed, 1,250.5 m²".to_owned(),
                description: format!(
                    "<h2>Living &amp; dining</h2><p>A <em>bright</em>ly lit room,<br>not the café. \
                     Wi-Fi</p><ul><li>Heating</li><li>{long}</li></ul>"
                ),
            },
        );
        home.text.set(
            Locale::Es,
            PropertyText {
                title: "Dos casas soleadas con jardi\u{301}n en Peñoncillo".to_owned(),
                summary: "Las habitaciones de los dueños: reformadas, 3 baños, 1.250,5 m²"
                    .to_owned(),
                description: "<p>Salón&nbsp;comedor <strong>lumi</strong>noso, y no la cocina.</p>\
                              <ul><li>Calefacción</li><li>Garajes</li></ul>"
                    .to_owned(),
            },
        );
        home
    }

    #[test]
    fn the_directory_is_named_by_the_form() {
        let (schema, fields) = schema::build();
        let mut analyzers = Analyzers::new();
        let mut homes = golden_homes();
        homes.extend(homes.clone().into_iter().map(|(home, offers)| (wordy(home), offers)));
        let documents: Vec<String> = homes
            .iter()
            .map(|(home, offers)| {
                document(&fields, &mut analyzers, "7", Version(3), home, offers)
                    .expect("a document")
            })
            .chain([tombstone(&fields, "8", Version(4))])
            .map(|document| document.to_json(&schema))
            .collect();
        assert_eq!(documents.len(), 3);
        // Members of closed sets are stored as their position.
        let closed_sets =
            (ListingStatus::ALL, PropertyType::ALL, PropertyKind::ALL, EnergyRating::ALL);
        let form = serde_json::to_vec(&(&schema, vocabulary::SOURCE, closed_sets, documents));
        let form = blake3::hash(&form.expect("JSON")).to_hex();
        assert_eq!(
            DIRECTORY,
            format!("properties-{}", &form[..16]),
            "the documents of the index have changed: name its directory as on the right, and every \
             query node builds a new index"
        );
    }
}
