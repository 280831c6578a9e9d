//! The XML format: Kyero v3.9, <https://help.kyero.com/estate-agents/xml-import-specification>. Feeds are
//! validated against `services/query/kyero.xsd`.

use chrono::TimeDelta;
use contracts::{
    Locale,
    content::{Embed, EnergyLabel, EnergyRating, ListingStatus, PropertyKind},
    property_path, vocabulary,
};
use quick_xml::se::{SeError, Serializer};
use read_models::{Picture, PropertyRow};
use search_index::plain_text;
use serde::{Deserialize, Serialize};

/// The start of a feed, before the homes.
pub const OPENING: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<root>\n  <kyero>\n    \
                           <feed_version>3</feed_version>\n  </kyero>\n";
/// The end of a feed.
pub const ENDING: &str = "</root>\n";

/// The version of how homes are written. Increment it with each change: it is added in seconds to every date,
/// and a portal reads a home again only if its date has changed.
const FORM: i64 = 2;

/// The country of all places.
const COUNTRY: &str = "Spain";
/// The limits of the format.
const MAX_PICTURES: usize = 50;
const MAX_FEATURES: usize = 50;
const MAX_FEATURE_LENGTH: usize = 35;
/// The maximum width that portals request, in pixels.
const PICTURE_WIDTH: u32 = 1_920;

/// The Spanish texts of a home that has them.
#[derive(Debug, Deserialize)]
pub struct Spanish {
    /// The aggregate's key.
    pub key: String,
    title: String,
    description: String,
}

/// The element `property`: a home, with its elements in the order of the specification.
#[derive(Debug, Serialize)]
#[serde(rename = "property")]
pub struct Home<'a> {
    id: &'a str,
    /// When it was changed, plus [`FORM`] seconds.
    date: String,
    #[serde(rename = "ref")]
    reference: &'a str,
    price: i64,
    currency: &'static str,
    price_freq: &'static str,
    new_build: u8,
    #[serde(rename = "type")]
    kind: &'static str,
    town: String,
    province: String,
    country: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<Point>,
    /// 0 if not known; the same for baths.
    beds: i64,
    baths: i64,
    pool: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    surface_area: Option<Area>,
    #[serde(skip_serializing_if = "Option::is_none")]
    energy_rating: Option<Energy>,
    url: InLanguages,
    desc: InLanguages,
    #[serde(skip_serializing_if = "Option::is_none")]
    features: Option<Features>,
    images: Images,
    #[serde(skip_serializing_if = "Option::is_none")]
    video_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    virtual_tour_url: Option<String>,
}

#[derive(Debug, Serialize)]
struct Point {
    latitude: f64,
    longitude: f64,
}

#[derive(Debug, Serialize)]
struct Area {
    #[serde(skip_serializing_if = "Option::is_none")]
    built: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plot: Option<i64>,
}

#[derive(Debug, Serialize)]
struct Energy {
    consumption: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    emissions: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct InLanguages {
    #[serde(skip_serializing_if = "Option::is_none")]
    en: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    es: Option<String>,
}

#[derive(Debug, Serialize)]
struct Features {
    feature: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Images {
    image: Vec<Image>,
}

#[derive(Debug, Serialize)]
struct Image {
    #[serde(rename = "@id")]
    id: usize,
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<Tags>,
}

/// The tags of a picture that is no view of the home.
#[derive(Debug, Serialize)]
struct Tags {
    /// An empty element; its presence is the information.
    floorplan: (),
}

impl<'a> Home<'a> {
    /// Returns the home in the row `english`, in `province`, on the site at `origin`. None if it is sold or its
    /// price is only given on request.
    pub fn of(
        english: &'a PropertyRow,
        spanish: Option<&Spanish>,
        province: &str,
        origin: &str,
    ) -> Option<Self> {
        let home = &english.card;
        if home.status == ListingStatus::Sold {
            return None;
        }
        let url = |locale: Locale| {
            let path = locale.path_of(&property_path(&home.location_slug, &home.reference));
            format!("{origin}{path}")
        };
        // The English row falls back to Spanish texts.
        let in_english = english.locales.contains(&Locale::En) || spanish.is_none();
        let has = |feature: &str| home.features.iter().any(|each| each == feature);
        let pool = has("pool") || has("private-pool") || has("communal-pool");
        let features: Vec<String> = home.features.iter().map(|key| feature(key)).collect();
        Some(Self {
            id: &home.key,
            date: (english.changed_at + TimeDelta::seconds(FORM))
                .format("%Y-%m-%d %H:%M:%S")
                .to_string(),
            reference: &home.reference,
            price: home.price?,
            currency: "EUR",
            price_freq: "sale",
            new_build: home.new_build.into(),
            kind: kind(home.kind),
            town: without_controls(&home.location_name),
            province: without_controls(province),
            country: COUNTRY,
            location: home
                .lat
                .zip(home.lng)
                .map(|(lat, lng)| Point { latitude: lat, longitude: lng }),
            beds: home.bedrooms.unwrap_or(0),
            baths: home.bathrooms.unwrap_or(0),
            pool: pool.into(),
            surface_area: (home.built_area.is_some() || home.plot_area.is_some())
                .then_some(Area { built: home.built_area, plot: home.plot_area }),
            energy_rating: home.energy.as_ref().map(energy),
            url: InLanguages { en: Some(url(Locale::En)), es: Some(url(Locale::Es)) },
            desc: InLanguages {
                en: in_english.then(|| text(&home.title, &english.description)),
                es: spanish.map(|spanish| text(&spanish.title, &spanish.description)),
            },
            features: (!features.is_empty())
                .then(|| Features { feature: features.into_iter().take(MAX_FEATURES).collect() }),
            images: Images { image: images(&home.images, english.floor_plan.as_ref(), origin) },
            video_url: english.particulars.video.as_ref().map(Embed::address),
            virtual_tour_url: english.particulars.tour.as_ref().map(Embed::address),
        })
    }

    /// Returns the home as XML, one element a line.
    pub fn xml(&self) -> Result<String, SeError> {
        let mut xml = String::new();
        let mut serializer = Serializer::new(&mut xml);
        serializer.indent(' ', 2);
        self.serialize(serializer)?;
        xml.push('\n');
        Ok(xml)
    }
}

/// Returns the format's name of the kind: unaccented names that portals recognise.
fn kind(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Villa => "Villa",
        PropertyKind::Townhouse | PropertyKind::VillageHouse => "Town house",
        PropertyKind::CountryHouse => "Country house",
        PropertyKind::Apartment | PropertyKind::GroundFloor => "Apartment",
        PropertyKind::Penthouse => "Penthouse",
        PropertyKind::Studio => "Studio",
        PropertyKind::Duplex => "Duplex",
        PropertyKind::Premises | PropertyKind::Bar | PropertyKind::Office => "Commercial",
        PropertyKind::Land => "Land",
        PropertyKind::Garage => "Garage",
    }
}

fn energy(label: &EnergyLabel) -> Energy {
    Energy { consumption: letter(label.rating), emissions: label.emissions_rating.map(letter) }
}

/// Returns the letter of a rating. X stands for a pending certificate, and for a home that needs none.
fn letter(rating: EnergyRating) -> &'static str {
    match rating {
        EnergyRating::InProcess | EnergyRating::Exempt => "X",
        letter => letter.name(),
    }
}

/// Returns the feature's English name, or its key as words if it is not in the vocabulary.
fn feature(key: &str) -> String {
    let name = vocabulary::feature(key, Locale::En)
        .map_or_else(|| key.replace('-', " "), |feature| feature.name.clone());
    without_controls(&name).chars().take(MAX_FEATURE_LENGTH).collect()
}

/// Returns the title, for which the format has no element, and below it the paragraphs as plain text.
fn text(title: &str, description: &str) -> String {
    /// The tags that end a line in the editors' HTML.
    const LINE_ENDS: [&str; 9] =
        ["</p>", "</li>", "</h2>", "</h3>", "</h4>", "</tr>", "</blockquote>", "<br>", "<br/>"];
    let flat = description.replace(['\n', '\r'], " ");
    let lines = LINE_ENDS.iter().fold(flat, |text, end| text.replace(end, "\n"));
    let paragraphs =
        lines.lines().map(|line| plain_text(line).split_whitespace().collect::<Vec<_>>().join(" "));
    let all = std::iter::once(title.to_owned()).chain(paragraphs);
    let all: Vec<String> = all.filter(|line| !line.is_empty()).collect();
    without_controls(&all.join("\n\n"))
}

/// Removes the characters that no XML document may contain, not even escaped (XML 1.0, 2.2).
fn without_controls(text: &str) -> String {
    let is_allowed = |character: &char| !matches!(character, '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}');
    text.chars().filter(is_allowed).collect()
}

/// Returns the pictures in their order, and the floor plan last, so that no portal shows it first.
fn images(pictures: &[Picture], floor_plan: Option<&Picture>, origin: &str) -> Vec<Image> {
    let max_views = MAX_PICTURES - usize::from(floor_plan.is_some());
    let views = pictures.iter().take(max_views).map(|picture| (picture, None));
    let plan = floor_plan.map(|plan| (plan, Some(Tags { floorplan: () })));
    let all = views.chain(plan).enumerate();
    all.map(|(index, (Picture { file, version, .. }, tags))| Image {
        id: index + 1,
        url: format!("{origin}/media/{file}/{version}/{PICTURE_WIDTH}.jpg"),
        tags,
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn picture(file: &str, version: &str) -> Value {
        json!({ "file": file, "version": version, "width": 1_600, "height": 1_200, "alt": "" })
    }

    #[test]
    fn a_change_of_the_xml_requires_a_new_form() {
        let english: PropertyRow = serde_json::from_value(json!({
            "key": "7", "version": 3, "locale": "en", "language": "en", "locales": ["en", "es"],
            "reference": "AH-1042", "status": "for_sale", "property_type": "House", "kind": "villa",
            "title": "Villa above the bay", "summary": "Quiet",
            "description": "<p>Sea &amp; sun</p><p>Caf&eacute; below</p>",
            "location_key": "1", "location_slug": "nerja", "location_name": "Nerja",
            "price": 450_000, "bedrooms": 3, "bathrooms": 2, "built_area": 160, "plot_area": 900,
            "features": ["sea-view", "private-pool", "helipad"],
            "featured": true, "reduced": false, "new_build": true,
            "energy": { "rating": "D", "emissionsRating": "in_process" },
            "listed_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
            "changed_at": "2026-01-02T03:04:05Z",
            "lat": 36.75, "lng": -3.8725, "annual_costs": {},
            "particulars": {
                "video": { "service": "vimeo", "id": "76979871" },
                "tour": { "service": "matterport", "id": "SxQL3iGyoDo" },
            },
            "images": [picture("1", "a")], "floor_plan": picture("9", "b"),
        }))
        .expect("a row");
        let spanish = Spanish {
            key: "7".to_owned(),
            title: "Villa sobre la bahía".to_owned(),
            description: "<p>Mar &amp; sol</p>".to_owned(),
        };
        let home = Home::of(&english, Some(&spanish), "Granada", "https://almijara.example");
        assert_eq!(
            home.expect("it is for sale").xml().expect("XML"),
            include_str!("home.xml"),
            "the XML differs from home.xml: increment FORM and update home.xml"
        );
    }

    #[test]
    fn a_text_has_its_title_and_its_paragraphs() {
        let html = "<p>Sea &amp; sun\n<b>all</b> year</p><ul><li>Pool</li><li>Lift</li></ul>";
        let read = "Villa\n\nSea & sun all year\n\nPool\n\nLift";
        assert_eq!(text("Villa\u{1}", html), read);
        assert_eq!(text("Villa", ""), "Villa");
    }

    #[test]
    fn a_feature_has_its_name_within_the_length_limit() {
        assert_eq!(feature("sea-view"), "Sea view");
        assert_eq!(feature("helipad"), "helipad");
        assert_eq!(feature(&"a".repeat(90)).len(), MAX_FEATURE_LENGTH);
    }

    #[test]
    fn a_floor_plan_is_last_within_the_limit_of_pictures() {
        let picture = |file: usize| Picture {
            file: file.to_string(),
            version: "1".to_owned(),
            width: 1_600,
            height: 1_200,
            alt: String::new(),
            placeholder: None,
        };
        let pictures: Vec<Picture> = (1..=60).map(picture).collect();
        let address = |file: usize| format!("https://a.example/media/{file}/1/1920.jpg");
        for (shown, last) in [(2, 3), (60, 50)] {
            let written = images(&pictures[..shown], Some(&picture(99)), "https://a.example");
            assert_eq!((written[0].id, &written[0].url), (1, &address(1)));
            let tagged: Vec<_> = written.iter().filter(|image| image.tags.is_some()).collect();
            assert_eq!((tagged.len(), written.len()), (1, last), "of {shown}");
            assert_eq!((tagged[0].id, &tagged[0].url), (last, &address(99)));
        }
        assert_eq!(images(&pictures, None, "").len(), MAX_PICTURES);
    }
}
