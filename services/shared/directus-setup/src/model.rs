//! The wanted schema, in the format of Directus's snapshots.

use contracts::{
    Locale, Rule,
    content::{
        BeachSlope, EnergyExemption, ListingStatus, Orientation, PropertyKind, PropertyType,
        RoomKind,
    },
    rules::Need,
    vocabulary::{self, Wording},
};
use serde_json::{Value, json};

use crate::{
    Error,
    data::{self, Choices, CollectionData, FieldData, Kind},
    fields::{FieldContext, describe_field},
    previews,
    texts::{Names, Texts},
};

/// The wanted collections, fields and relations, and their texts.
#[derive(Debug)]
pub struct Model {
    pub collections: Vec<Collection>,
    pub fields: Vec<Field>,
    pub relations: Vec<Relation>,
    pub texts: Texts,
}

#[derive(Debug)]
pub struct Collection {
    pub name: String,
    pub meta: Value,
    pub is_content: bool,
    /// The path of its items' pages on the site.
    pub page: Option<String>,
}

#[derive(Debug)]
pub struct Field {
    pub collection: String,
    pub name: String,
    /// Directus's name of its type; `alias` if it has no column.
    pub of: &'static str,
    /// Its column.
    pub schema: Option<Value>,
    /// Its metadata for the Studio.
    pub meta: Value,
}

impl Field {
    /// Returns whether every row needs a value, including existing rows.
    pub fn has_to_be_filled(&self) -> bool {
        self.schema.as_ref().is_some_and(|column| {
            column["is_nullable"] == false && column["default_value"].is_null()
        })
    }
}

#[derive(Debug)]
pub struct Relation {
    pub collection: String,
    pub field: String,
    /// Its description in a snapshot.
    pub description: Value,
}

impl Model {
    /// Creates the model from the descriptions in `data/`.
    pub fn new() -> Result<Self, Error> {
        let mut model = Self {
            collections: Vec::new(),
            fields: Vec::new(),
            relations: Vec::new(),
            texts: Texts::default(),
        };
        for collection in data::collections()? {
            model.add(&collection)?;
        }
        model.add_to_files();
        Ok(model)
    }

    /// Returns the collections that the site is made from: all except those with data from visitors and those
    /// that programs write to inform editors.
    pub fn content(&self) -> impl Iterator<Item = &str> {
        self.collections.iter().filter(|it| it.is_content).map(|it| it.name.as_str())
    }

    /// Sets preview URLs, with which the Studio shows each item's page on `site` beside its form.
    pub fn preview_on(&mut self, site: &str) {
        for collection in &mut self.collections {
            if let Some(page) = &collection.page {
                collection.meta["preview_url"] = json!(previews::address(site, page));
            }
        }
    }

    fn add(&mut self, data: &CollectionData) -> Result<(), Error> {
        let name = data.collection.as_str();
        self.collections.push(Collection {
            name: name.to_owned(),
            meta: collection_meta(data),
            is_content: !(data.personal || data.told),
            page: data.page.clone(),
        });
        let mut sort = 0;
        if let Some(parent) = &data.translates {
            for field in parts_of_a_translation(parent) {
                self.add_field(name, &field, None, &mut sort)?;
            }
        }
        for field in &data.fields {
            self.add_field(name, field, None, &mut sort)?;
        }
        if let Some(parent) = &data.translates {
            self.add_field(name, &plain("date_updated", Kind::DateUpdated), None, &mut sort)?;
            self.explain_needed_text(parent, data);
        }
        Ok(())
    }

    /// Sets what the Studio says at the texts of an item of `parent` if the extension refuses to publish it: which
    /// of its texts, described by `data`, is needed.
    fn explain_needed_text(&mut self, parent: &str, data: &CollectionData) {
        let has_status = |field: &Field| field.collection == parent && field.name == "status";
        let needed = Rule::of(&data.collection).find(|rule| rule.need == Need::InALanguage);
        let needed = needed.filter(|_| self.fields.iter().any(has_status));
        let text = needed.and_then(|rule| data.fields.iter().find(|it| it.field == rule.field));
        let mut fields = self.fields.iter_mut();
        let texts = fields.find(|it| it.collection == parent && it.name == "translations");
        let (Some(name), Some(texts)) = (text.and_then(|it| it.name.as_ref()), texts) else {
            return;
        };
        let [english, spanish] = Locale::ALL.map(|locale| name.of(locale));
        let message = Names::new(
            format!("Before it is published, one language at least needs this text: {english}."),
            format!("Antes de publicar hace falta este texto al menos en un idioma: {spanish}."),
        );
        let message = self.texts.key(&format!("rule_{parent}_translations"), message);
        texts.meta["validation_message"] = json!(message);
    }

    fn add_field(
        &mut self,
        collection: &str,
        data: &FieldData,
        group: Option<&str>,
        sort: &mut u32,
    ) -> Result<(), Error> {
        if data.is == Kind::History {
            for (field, kind) in HISTORY {
                *sort += 1;
                let at = FieldContext { collection, group, sort: *sort };
                let (field, relation) = crate::fields::history(at, field, kind);
                self.fields.push(field);
                self.relations.extend(relation);
            }
            return Ok(());
        }
        *sort += 1;
        let choices = self.choices(collection, data)?;
        let at = FieldContext { collection, group, sort: *sort };
        let (field, relation) = describe_field(at, data, &choices, &mut self.texts);
        self.fields.push(field);
        self.relations.extend(relation);
        for inner in &data.fields {
            self.add_field(collection, inner, Some(&data.field), sort)?;
        }
        Ok(())
    }

    /// Returns the choices of a field, with the keys of their names.
    fn choices(&mut self, collection: &str, data: &FieldData) -> Result<Vec<Value>, Error> {
        let listed = match (&data.of, &data.words) {
            (Some(Choices::Vocabulary(of)), _) => {
                let words = vocabulary_words(of).ok_or_else(|| Error::Data {
                    what: format!("{collection}.{}", data.field),
                    source: format!("the vocabulary has no {of}").into(),
                })?;
                words.into_iter().map(|(value, names)| (value, of.clone(), names)).collect()
            }
            (Some(Choices::Listed(listed)), _) | (None, Some(listed)) => {
                let of = format!("{collection}_{}", data.field);
                listed
                    .iter()
                    .map(|(value, en, es)| (value.clone(), of.clone(), Names::new(en, es)))
                    .collect()
            }
            (None, None) => Vec::new(),
        };
        let choice = |(value, of, names): (String, String, Names)| {
            let text = self.texts.key(&format!("{of}_{value}"), names);
            json!({ "value": value, "text": text })
        };
        Ok(listed.into_iter().map(choice).collect())
    }

    /// Adds a Spanish description to the files of Directus's library, whose own description is in English.
    fn add_to_files(&mut self) {
        let data = FieldData {
            name: Some(Names::new("Description in Spanish", "Descripción en español")),
            note: Some(Names::new(
                "What a picture shows, in Spanish, for those who do not see it.",
                "Lo que muestra la fotografía, para quien no la ve.",
            )),
            ..plain("description_es", Kind::LongText)
        };
        let at = FieldContext { collection: "directus_files", group: None, sort: 1 };
        let (field, _) = describe_field(at, &data, &[], &mut self.texts);
        self.fields.push(field);
    }
}

const HISTORY: [(&str, &str); 4] = [
    ("user_created", "user-created"),
    ("date_created", "date-created"),
    ("user_updated", "user-updated"),
    ("date_updated", "date-updated"),
];

fn collection_meta(data: &CollectionData) -> Value {
    let names = data.name.as_ref().map(Names::translations);
    let status = (data.translates.is_none() && !data.plain).then_some("status");
    let accountability = match (data.told, data.personal) {
        (true, _) => None,
        (false, true) => Some("activity"),
        (false, false) => Some("all"),
    };
    json!({
        "collection": data.collection,
        "accountability": accountability,
        "icon": data.icon.as_deref().or(data.translates.as_ref().map(|_| "translate")),
        "hidden": data.hidden || data.translates.is_some(),
        "singleton": data.singleton,
        "sort": data.order,
        "sort_field": data.sorted.then_some("sort"),
        "display_template": data.template,
        "versioning": data.versioned,
        "archive_field": status,
        "archive_value": status.map(|_| "archived"),
        "unarchive_value": status.map(|_| "draft"),
        "archive_app_filter": true,
        "translations": names,
    })
}

pub fn plain(field: &str, is: Kind) -> FieldData {
    FieldData {
        field: field.to_owned(),
        is,
        name: None,
        note: None,
        half: false,
        needed: None,
        unique: false,
        readonly: false,
        default: None,
        length: None,
        precision: None,
        scale: None,
        of: None,
        words: None,
        shown_if: None,
        hidden_if: None,
        icon: None,
        closed: false,
        fields: Vec::new(),
        to: None,
        keeps: false,
        template: None,
        place: None,
        as_field: None,
        beside: None,
        sorted: false,
    }
}

fn parts_of_a_translation(parent: &str) -> [FieldData; 3] {
    let key = format!("{parent}_id");
    [
        plain("id", Kind::IntegerKey),
        FieldData {
            to: Some(parent.to_owned()),
            as_field: Some("translations".to_owned()),
            beside: Some("languages_code".to_owned()),
            ..plain(&key, Kind::PartOf)
        },
        FieldData {
            to: Some("languages".to_owned()),
            keeps: true,
            beside: Some(key.clone()),
            ..plain("languages_code", Kind::PartOf)
        },
    ]
}

/// Returns the vocabulary's values for a content field, with their names.
fn vocabulary_words(of: &str) -> Option<Vec<(String, Names)>> {
    let called = |entry: [&Wording; 2]| Names::new(&entry[0].name, &entry[1].name);
    let both = Locale::ALL;
    let features = |field: Option<&'static str>| {
        let all = vocabulary::features().iter();
        all.filter(move |feature| feature.field.as_deref() == field)
            .map(move |feature| (&feature.key, both.map(|locale| feature.entry(locale))))
    };
    Some(match of {
        "listing_status" => ListingStatus::ALL
            .iter()
            .map(|it| {
                (it.name().to_owned(), called(both.map(|locale| vocabulary::status(*it, locale))))
            })
            .collect(),
        // The content service writes these values in lower case, URLs with a capital.
        "property_type" => PropertyType::ALL
            .iter()
            .map(|it| {
                let names = called(both.map(|locale| vocabulary::property_type(*it, locale)));
                (it.name().to_lowercase(), names)
            })
            .collect(),
        "kind" => PropertyKind::ALL
            .iter()
            .map(|it| {
                (it.name().to_owned(), called(both.map(|locale| vocabulary::kind(*it, locale))))
            })
            .collect(),
        "energy_exemption" => EnergyExemption::ALL
            .iter()
            .map(|it| {
                let names = called(both.map(|locale| vocabulary::energy_exemption(*it, locale)));
                (it.name().to_owned(), names)
            })
            .collect(),
        "orientation" => Orientation::ALL
            .iter()
            .map(|it| {
                let names = called(both.map(|locale| vocabulary::orientation(*it, locale)));
                (it.name().to_owned(), names)
            })
            .collect(),
        "slope" => BeachSlope::ALL
            .iter()
            .map(|it| {
                (it.name().to_owned(), called(both.map(|locale| vocabulary::slope(*it, locale))))
            })
            .collect(),
        "room" => RoomKind::ALL
            .iter()
            .map(|it| {
                (it.name().to_owned(), called(both.map(|locale| vocabulary::room(*it, locale))))
            })
            .collect(),
        "views" => features(Some("views"))
            .filter_map(|(key, names)| Some((key.strip_suffix("-view")?.to_owned(), called(names))))
            .collect(),
        "features" => features(None).map(|(key, names)| (key.clone(), called(names))).collect(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn fields_of<'a>(model: &'a Model, collection: &str) -> Vec<&'a Field> {
        model.fields.iter().filter(|field| field.collection == collection).collect()
    }

    #[test]
    fn visitor_data_and_status_for_editors_are_not_content() {
        let model = Model::new().expect("the model");
        let content: BTreeSet<&str> = model.content().collect();
        assert!(content.contains("properties"));
        assert!(!content.contains("enquiries") && !content.contains("live_status"));
        let of = |name: &str| model.collections.iter().find(|it| it.name == name).expect("it is");
        // It must be null, not absent: otherwise Directus would keep everything.
        assert_eq!(of("live_status").meta.get("accountability"), Some(&Value::Null));
        assert_eq!(of("enquiries").meta["accountability"], "activity");
        assert_eq!(of("properties").meta["accountability"], "all");
        for field in fields_of(&model, "live_status") {
            assert_eq!(field.meta["readonly"], true, "{}", field.name);
        }
    }

    #[test]
    fn each_form_of_published_content_starts_with_the_live_status() {
        let model = Model::new().expect("the model");
        let with: BTreeSet<&str> =
            model.fields.iter().filter(|it| it.name == "live").map(|it| &*it.collection).collect();
        let shown: BTreeSet<&str> = contracts::Collection::ALL.iter().map(|it| it.name()).collect();
        assert_eq!(with, shown);
        for collection in shown {
            let fields = fields_of(&model, collection);
            let first = fields.iter().find(|field| field.meta["hidden"] == false).expect("a form");
            assert_eq!(first.name, "live", "{collection}");
            assert_eq!((first.of, &first.schema), ("alias", &None));
            assert_eq!(first.meta["interface"], "almijara-live");
            assert_eq!(first.meta["special"], json!(["alias", "no-data"]));
        }
        let kinds = fields_of(&model, "live_status");
        let kinds = kinds.iter().find(|field| field.name == "item_collection").expect("a field");
        let named: BTreeSet<&str> = choices_of(kinds).into_iter().collect();
        assert_eq!(named, with, "each has a name in both languages");
    }

    /// Returns the values that editors can choose for a field.
    fn choices_of(field: &Field) -> Vec<&str> {
        let choices = field.meta["options"]["choices"].as_array().into_iter().flatten();
        choices.filter_map(|choice| choice["value"].as_str()).collect()
    }

    #[test]
    fn the_office_can_only_edit_the_progress_of_an_enquiry() {
        let model = Model::new().expect("the model");
        let fields = fields_of(&model, "enquiries");
        for field in fields.iter().filter(|field| field.meta["hidden"] == false) {
            assert_eq!(field.meta["readonly"], field.name != "state", "{}", field.name);
        }
        let kinds: Vec<&str> = PropertyKind::ALL.iter().map(|kind| kind.name()).collect();
        let languages = Locale::ALL.map(Locale::language_tag);
        for (name, words) in [
            ("kind", &["general", "property", "viewing", "callback", "valuation"][..]),
            ("suspect", &["trap", "haste", "flood"]),
            ("property_kind", &kinds),
            ("language", &languages),
        ] {
            let field = fields.iter().find(|field| field.name == name).expect("a field");
            assert_eq!(choices_of(field), words, "{name}");
            assert_eq!(field.meta["display"], "labels", "{name} is in words in lists too");
        }
    }

    #[test]
    fn the_texts_of_a_form_name_the_one_that_is_needed() {
        let model = Model::new().expect("the model");
        let message = |collection: &str| {
            let fields = fields_of(&model, collection);
            let texts = fields.iter().find(|it| it.name == "translations").expect("texts");
            let key = texts.meta["validation_message"].as_str()?.strip_prefix("$t:")?;
            let (_, names) = model.texts.all().find(|(known, _)| *known == key)?;
            Some(names.both())
        };
        for (collection, [english, spanish]) in [
            ("properties", ["Title", "Título"]),
            ("locations", ["Name", "Nombre"]),
            ("team", ["Role", "Cargo"]),
        ] {
            let words = message(collection).expect("a message");
            for name in [english, spanish] {
                assert!(words.contains(&format!("{name}.")), "{words}");
            }
        }
        assert_eq!(message("site_settings"), None, "nothing refuses these");
    }

    #[test]
    fn texts_are_deleted_with_their_item_and_not_with_their_language() {
        let model = Model::new().expect("the model");
        for relation in model.relations.iter().filter(|it| it.collection.ends_with("_translations"))
        {
            let expected = match relation.field.as_str() {
                "languages_code" => "NO ACTION",
                _ => "CASCADE",
            };
            let schema = &relation.description["schema"];
            assert_eq!(schema["on_delete"], expected, "{}", relation.collection);
        }
    }

    #[test]
    fn items_with_coordinates_have_a_map_and_editable_fields() {
        let model = Model::new().expect("the model");
        let mut collections = Vec::new();
        for map in model.fields.iter().filter(|it| it.meta["interface"] == "almijara-map") {
            assert_eq!((map.of, &map.schema), ("alias", &None), "it holds nothing");
            let fields = fields_of(&model, &map.collection);
            for name in ["lat", "lng"] {
                let field = fields.iter().find(|it| it.name == name).expect("it sets it");
                assert_eq!(field.meta["interface"], "input", "{name} is written without a map");
                assert_eq!(field.meta["group"], map.meta["group"], "{name} stands beside it");
            }
            if let Some(place) = map.meta["options"]["place"].as_str() {
                let field = fields.iter().find(|it| it.name == place).expect("it looks there");
                assert_eq!(field.meta["special"], json!(["m2o"]));
            }
            collections.push(map.collection.as_str());
        }
        assert_eq!(collections, ["site_settings", "properties", "locations"]);
    }
}
