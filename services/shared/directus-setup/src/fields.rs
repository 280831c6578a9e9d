//! Converts the description of a field into its snapshot.

use serde_json::{Value, json};

use crate::{
    data::{FieldData, Kind, Needed},
    model::{Field, Relation},
    texts::{Names, Texts},
    validation::validation,
};

/// Collections whose keys are UUIDs.
const UUID_KEYED: [&str; 3] = ["directus_files", "directus_users", "articles"];
const MONTHS: [(&str, &str); 12] = [
    ("January", "Enero"),
    ("February", "Febrero"),
    ("March", "Marzo"),
    ("April", "Abril"),
    ("May", "Mayo"),
    ("June", "Junio"),
    ("July", "Julio"),
    ("August", "Agosto"),
    ("September", "Septiembre"),
    ("October", "Octubre"),
    ("November", "Noviembre"),
    ("December", "Diciembre"),
];

const WEEKDAYS: [(&str, &str); 7] = [
    ("Monday", "Lunes"),
    ("Tuesday", "Martes"),
    ("Wednesday", "Miércoles"),
    ("Thursday", "Jueves"),
    ("Friday", "Viernes"),
    ("Saturday", "Sábado"),
    ("Sunday", "Domingo"),
];

/// The tools for editing rich text.
const TOOLBAR: [&str; 12] = [
    "bold",
    "italic",
    "h2",
    "h3",
    "numlist",
    "bullist",
    "blockquote",
    "customLink",
    "table",
    "removeformat",
    "code",
    "fullscreen",
];
const LABEL: &str = "labels";
/// A reason on one line. A template can't depend on the reader's language, so it shows both.
const REASON: &str = "{{field}}: {{value}} · {{rule.en}} · {{rule.es}}";

/// The position of a field.
#[derive(Clone, Copy, Debug)]
pub struct FieldContext<'a> {
    pub collection: &'a str,
    pub group: Option<&'a str>,
    /// Its position in the form.
    pub sort: u32,
}

/// The properties that a field gets from its kind.
struct KindSpec {
    of: &'static str,
    column: Option<Value>,
    interface: Option<&'static str>,
    options: Value,
    display: Option<(&'static str, Value)>,
    special: Option<Vec<&'static str>>,
    half: bool,
    hidden: bool,
    readonly: bool,
}

impl KindSpec {
    fn new(of: &'static str, column: Value) -> Self {
        Self {
            of,
            column: Some(column),
            interface: Some("input"),
            options: Value::Null,
            display: None,
            special: None,
            half: false,
            hidden: false,
            readonly: false,
        }
    }

    /// Creates a field without a column.
    fn alias(interface: &'static str, special: Vec<&'static str>) -> Self {
        Self {
            column: None,
            special: Some(special),
            ..Self::new("alias", Value::Null).by(interface)
        }
    }

    fn by(self, interface: &'static str) -> Self {
        Self { interface: Some(interface), ..self }
    }

    fn with(self, options: Value) -> Self {
        Self { options, ..self }
    }

    fn special(self, special: &'static str) -> Self {
        Self { special: Some(vec![special]), ..self }
    }

    fn half(self) -> Self {
        Self { half: true, ..self }
    }

    fn hidden(self) -> Self {
        Self { hidden: true, ..self }
    }

    fn readonly(self) -> Self {
        Self { readonly: true, ..self }
    }

    fn labelled(self, options: Value) -> Self {
        self.shown_by(LABEL, options)
    }

    fn shown_by(self, display: &'static str, options: Value) -> Self {
        Self { display: Some((display, options)), ..self }
    }
}

/// Returns the field that `data` describes, and its relation, if it has one.
pub fn describe_field(
    at: FieldContext<'_>,
    data: &FieldData,
    choices: &[Value],
    texts: &mut Texts,
) -> (Field, Option<Relation>) {
    let FieldContext { collection, group, sort } = at;
    let field = data.field.as_str();
    let kind = kind_spec(data, choices, texts);
    let rule = validation(collection, field, texts);
    let note = data.note.clone().map(|note| texts.key(&format!("{collection}_{field}_note"), note));
    let (validation, message) = rule.unzip();
    let (display, display_options) = kind.display.unzip();
    let meta = json!({
        "collection": collection,
        "field": field,
        "interface": kind.interface,
        "options": kind.options,
        "display": display,
        "display_options": display_options,
        "special": kind.special,
        "note": note,
        "width": if data.half || kind.half { "half" } else { "full" },
        "sort": sort,
        "group": group,
        "hidden": kind.hidden || data.shown_if.is_some(),
        "readonly": kind.readonly || data.readonly,
        "required": data.needed == Some(Needed::Always),
        "conditions": conditions(data),
        "translations": data.name.as_ref().map(Names::translations),
        "validation": validation,
        "validation_message": message,
    });
    let related = related(data);
    let schema = kind.column.map(|column| {
        let mut schema = column_of(collection, field, related);
        overlay(&mut schema, &column);
        if data.needed.is_some() {
            schema["is_nullable"] = json!(false);
        }
        if data.unique {
            schema["is_unique"] = json!(true);
        }
        schema
    });
    let relation = related.map(|related| relation(collection, data, related));
    let described = Field {
        collection: collection.to_owned(),
        name: field.to_owned(),
        of: kind.of,
        schema,
        meta,
    };
    (described, relation)
}

/// Returns one of the four fields of an item's history.
pub fn history(
    at: FieldContext<'_>,
    field: &str,
    special: &'static str,
) -> (Field, Option<Relation>) {
    let mut data = crate::model::plain(field, Kind::Moment);
    if field.starts_with("user_") {
        data.is = Kind::Reference;
        data.to = Some("directus_users".to_owned());
    } else if field == "date_updated" {
        data.is = Kind::DateUpdated;
    }
    let (mut described, relation) = describe_field(at, &data, &[], &mut Texts::default());
    if data.is != Kind::DateUpdated {
        described.meta["special"] = json!([special]);
        described.meta["hidden"] = json!(true);
        described.meta["readonly"] = json!(true);
    }
    (described, relation)
}

fn kind_spec(data: &FieldData, choices: &[Value], texts: &mut Texts) -> KindSpec {
    let varying = |most: u32| json!({ "data_type": "character varying", "max_length": most });
    let choices = json!(choices);
    match data.is {
        Kind::IntegerKey => KindSpec::new(
            "integer",
            json!({ "data_type": "integer", "is_nullable": false, "is_unique": true,
                    "is_primary_key": true, "has_auto_increment": true }),
        )
        .hidden()
        .readonly(),
        Kind::UuidKey => KindSpec::new(
            "uuid",
            json!({ "data_type": "uuid", "is_nullable": false, "is_unique": true,
                    "is_primary_key": true }),
        )
        .special("uuid")
        .hidden()
        .readonly(),
        Kind::CodeKey => {
            let mut column = varying(data.length.unwrap_or(255));
            let key = json!({ "is_nullable": false, "is_unique": true, "is_primary_key": true });
            overlay(&mut column, &key);
            KindSpec::new("string", column)
        }
        Kind::Status => status(texts),
        Kind::Text => text(data, varying(data.length.unwrap_or(255)), &choices),
        Kind::Slug => KindSpec::new("string", varying(data.length.unwrap_or(255)))
            .with(json!({ "slug": true, "trim": true })),
        Kind::LongText => {
            KindSpec::new("text", json!({ "data_type": "text" })).by("input-multiline")
        }
        Kind::RichText => KindSpec::new("text", json!({ "data_type": "text" }))
            .by("input-rich-text-html")
            .with(json!({ "toolbar": TOOLBAR })),
        Kind::Whole => KindSpec::new("integer", json!({ "data_type": "integer" })),
        Kind::Decimal => KindSpec::new(
            "decimal",
            json!({ "data_type": "numeric", "numeric_precision": data.precision,
                    "numeric_scale": data.scale }),
        ),
        Kind::Flag => KindSpec::new(
            "boolean",
            json!({ "data_type": "boolean", "default_value": false, "is_nullable": false }),
        )
        .by("boolean")
        .special("cast-boolean")
        .half(),
        Kind::Date => KindSpec::new("date", json!({ "data_type": "date" })).by("datetime").half(),
        // Each field of a history is handled separately.
        Kind::Moment | Kind::History => moment(),
        Kind::DateUpdated => {
            // When a row was last written, including its creation. Directus's own field can't be used as a
            // cursor.
            let special = Some(vec!["date-created", "date-updated"]);
            KindSpec { special, ..moment() }.hidden().readonly()
        }
        Kind::DateCreated => moment().special("date-created").readonly(),
        Kind::Choice => {
            let mut column = varying(32);
            column["default_value"] = json!(data.default);
            KindSpec::new("string", column)
                .by("select-dropdown")
                .with(json!({ "choices": choices }))
                .labelled(json!({ "choices": choices }))
                .half()
        }
        Kind::Labels => json_by("select-multiple-checkbox")
            .with(json!({ "choices": choices, "allowOther": true, "itemsShown": 12 }))
            .labelled(json!({ "choices": choices })),
        Kind::Tags => json_by("tags"),
        Kind::Json => json_by("input-code").with(json!({ "language": "json" })),
        Kind::Memory => json_by("input-code").hidden().readonly(),
        Kind::List => json_by("list").with(json!({ "fields": columns(&choices) })),
        Kind::Reasons => json_by("list")
            .with(json!({ "template": REASON, "fields": reason_columns(texts) }))
            .shown_by("formatted-json-value", json!({ "format": REASON })),
        Kind::OpeningHours => json_by("list").with(json!({
            "template": "{{opens}} – {{closes}} {{months}}",
            "fields": opening_columns(texts),
        })),
        Kind::Rooms => json_by("list").with(json!({
            "template": "{{kind}} {{m2}} m²",
            "fields": room_columns(&choices, texts),
        })),
        Kind::Reference | Kind::Picture | Kind::PartOf => reference(data),
        Kind::Pictures => KindSpec::alias("files", vec!["files"]),
        Kind::Translations => KindSpec::alias("translations", vec!["translations"]).with(json!({
            "languageField": "name",
            "languageDirectionField": "direction",
            "defaultLanguage": "en-GB",
            "defaultOpenSplitView": true,
            "userLanguage": true,
        })),
        Kind::Group => {
            KindSpec::alias("group-detail", vec!["alias", "no-data", "group"]).with(json!({
                "start": if data.closed { "closed" } else { "open" },
                "headerIcon": data.icon,
            }))
        }
        Kind::LiveStatus => extension_element("almijara-live"),
        Kind::Map => extension_element("almijara-map").with(json!({ "place": data.place })),
        Kind::Sort => KindSpec::new("integer", json!({ "data_type": "integer" })).hidden(),
    }
}

/// Returns a form element without a column, which an Almijara extension implements.
fn extension_element(interface: &'static str) -> KindSpec {
    KindSpec::alias(interface, vec!["alias", "no-data"])
}

/// Returns a JSON field that editors edit with `interface`.
fn json_by(interface: &'static str) -> KindSpec {
    KindSpec::new("json", json!({ "data_type": "json" })).by(interface).special("cast-json")
}

fn moment() -> KindSpec {
    KindSpec::new("timestamp", json!({ "data_type": "timestamp with time zone" }))
        .by("datetime")
        .half()
}

fn text(data: &FieldData, column: Value, choices: &Value) -> KindSpec {
    let kind = KindSpec::new("string", column);
    if data.words.is_none() && data.of.is_none() {
        return kind;
    }
    kind.by("select-dropdown")
        .with(json!({ "choices": choices }))
        .labelled(json!({ "choices": choices }))
}

/// Returns the status field: draft, published or archived.
fn status(texts: &mut Texts) -> KindSpec {
    let choices = [
        ("draft", "Draft", "Borrador", "#A2B5CD", "edit_note"),
        ("published", "Published", "Publicado", "#2ECDA7", "public"),
        ("archived", "Archived", "Archivado", "#D3A14C", "archive"),
    ]
    .map(|(value, en, es, color, icon)| {
        let text = texts.key(&format!("status_{value}"), Names::new(en, es));
        json!({ "value": value, "text": text, "color": color, "icon": icon })
    });
    let shown = choices.clone().map(|mut choice| {
        choice["foreground"] = json!("#18222F");
        choice["background"] = choice["color"].take();
        choice
    });
    KindSpec::new(
        "string",
        json!({ "data_type": "character varying", "max_length": 32, "default_value": "draft" }),
    )
    .by("select-dropdown")
    .with(json!({ "choices": choices }))
    .labelled(json!({ "choices": shown, "showAsDot": true }))
    .half()
}

fn reference(data: &FieldData) -> KindSpec {
    let related = related(data).unwrap_or_default();
    let column = json!({
        "data_type": key_column(related),
        "max_length": (related == "languages").then_some(16),
        "is_indexed": true,
    });
    let kind = KindSpec::new(key_type(related), column);
    match data.is {
        Kind::Picture => kind.by("file-image").special("file"),
        Kind::PartOf => KindSpec { interface: None, ..kind }.hidden(),
        _ => {
            let options = data.template.as_ref().map(|template| json!({ "template": template }));
            kind.by("select-dropdown-m2o").special("m2o").with(json!(options))
        }
    }
}

/// Returns the columns of a list of records.
fn columns(choices: &Value) -> Vec<Value> {
    let columns = choices.as_array().map(Vec::as_slice).unwrap_or_default();
    columns
        .iter()
        .map(|column| {
            json!({ "field": column["value"], "name": column["text"], "type": "text",
                    "meta": { "interface": "input-multiline" } })
        })
        .collect()
}

/// Returns the columns of a list of reasons.
fn reason_columns(texts: &mut Texts) -> Vec<Value> {
    let mut column = |field: &str, en: &str, es: &str, of: &str, interface: &str| {
        let name = texts.key(&format!("reason_{field}"), Names::new(en, es));
        json!({ "field": field, "name": name, "type": of, "meta": { "interface": interface } })
    };
    vec![
        column("field", "Field", "Campo", "string", "input"),
        column("value", "Value", "Valor", "json", "input-code"),
        column("rule", "Rule", "Regla", "json", "input-code"),
    ]
}

/// Returns the columns of a list of rooms: the kind from the vocabulary, the size and the floor.
fn room_columns(choices: &Value, texts: &mut Texts) -> Vec<Value> {
    let mut column = |field: &str, en: &str, es: &str, of: &str, meta: Value| {
        let name = texts.key(&format!("room_of_{field}"), Names::new(en, es));
        json!({ "field": field, "name": name, "type": of, "meta": meta })
    };
    let kind = json!({
        "interface": "select-dropdown",
        "options": { "choices": choices },
        "display": LABEL,
        "display_options": { "choices": choices },
    });
    let half = json!({ "interface": "input", "width": "half" });
    vec![
        column("kind", "Room", "Estancia", "string", kind),
        column("m2", "Area (m²)", "Superficie (m²)", "float", half.clone()),
        column("floor", "Floor", "Planta", "string", half),
    ]
}

/// Returns the columns of a list of opening hours: months and weekdays as numbers, and two times.
fn opening_columns(texts: &mut Texts) -> Vec<Value> {
    let mut several = |field: &str, en: &str, es: &str, words: &[(&str, &str)]| {
        let choices: Vec<Value> = (1..)
            .zip(words)
            .map(|(number, (en, es))| {
                let text = texts.key(&format!("{field}_{number}"), Names::new(*en, *es));
                json!({ "value": number.to_string(), "text": text })
            })
            .collect();
        json!({
            "field": field,
            "name": texts.key(&format!("opening_{field}"), Names::new(en, es)),
            "type": "json",
            "meta": {
                "interface": "select-multiple-checkbox",
                "options": { "choices": choices, "itemsShown": words.len() },
                "display": LABEL,
                "display_options": { "choices": choices },
            },
        })
    };
    let months = several("months", "Months (none: all)", "Meses (ninguno: todos)", &MONTHS);
    let weekdays = several("weekdays", "Days", "Días", &WEEKDAYS);
    let mut time = |field: &str, en: &str, es: &str| {
        json!({
            "field": field,
            "name": texts.key(&format!("opening_{field}"), Names::new(en, es)),
            "type": "time",
            "meta": { "interface": "datetime", "width": "half" },
        })
    };
    let opens = time("opens", "From", "Desde");
    let closes = time("closes", "Until", "Hasta");
    vec![months, weekdays, opens, closes]
}

/// Returns the conditions that show or hide a field.
fn conditions(data: &FieldData) -> Option<Value> {
    let one = |name: &str, rule: &Value, hidden: bool| json!([{ "name": name, "rule": { "_and": [rule] }, "hidden": hidden }]);
    match (&data.shown_if, &data.hidden_if) {
        (Some(rule), _) => Some(one("shown", rule, false)),
        (None, Some(rule)) => Some(one("hidden", rule, true)),
        (None, None) => None,
    }
}

/// Returns the collection that a field references.
fn related(data: &FieldData) -> Option<&str> {
    match data.is {
        Kind::Picture => Some("directus_files"),
        Kind::Reference | Kind::PartOf => data.to.as_deref(),
        _ => None,
    }
}

fn column_of(collection: &str, field: &str, related: Option<&str>) -> Value {
    json!({
        "name": field,
        "table": collection,
        "default_value": null,
        "max_length": null,
        "numeric_precision": null,
        "numeric_scale": null,
        "is_nullable": true,
        "is_unique": false,
        "is_indexed": false,
        "is_primary_key": false,
        "has_auto_increment": false,
        "foreign_key_table": related,
        "foreign_key_column": related.map(key_of),
    })
}

fn relation(collection: &str, data: &FieldData, related: &str) -> Relation {
    let field = data.field.as_str();
    let on_delete = match data.is {
        _ if data.keeps => "NO ACTION",
        Kind::PartOf => "CASCADE",
        _ => "SET NULL",
    };
    let description = json!({
        "collection": collection,
        "field": field,
        "related_collection": related,
        "meta": {
            "many_collection": collection,
            "many_field": field,
            "one_collection": related,
            "one_field": data.as_field,
            "one_collection_field": null,
            "one_allowed_collections": null,
            "one_deselect_action": if data.as_field.is_some() { "delete" } else { "nullify" },
            "junction_field": data.beside,
            "sort_field": data.sorted.then_some("sort"),
        },
        "schema": {
            "table": collection,
            "column": field,
            "foreign_key_table": related,
            "foreign_key_column": key_of(related),
            "constraint_name": format!("{collection}_{field}_foreign"),
            "on_update": "NO ACTION",
            "on_delete": on_delete,
        },
    });
    Relation { collection: collection.to_owned(), field: field.to_owned(), description }
}

fn key_of(collection: &str) -> &'static str {
    if collection == "languages" { "code" } else { "id" }
}

fn key_type(collection: &str) -> &'static str {
    match collection {
        "languages" => "string",
        _ if UUID_KEYED.contains(&collection) => "uuid",
        _ => "integer",
    }
}

fn key_column(collection: &str) -> &'static str {
    match key_type(collection) {
        "string" => "character varying",
        other => other,
    }
}

/// Copies the members of `over` into `under`.
fn overlay(under: &mut Value, over: &Value) {
    for (name, value) in over.as_object().into_iter().flatten() {
        under[name] = value.clone();
    }
}
