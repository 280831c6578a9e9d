//! Sample events: at least one of each collection, with all fields set.

use chrono::{DateTime, Utc};
use contracts::{
    AggregateId, Change, Event, Localized, Offer, OpeningPeriod, SCHEMA_VERSION, Version,
    content::{
        Agency, AnnualCosts, Article, ArticleText, BeachSlope, BeachWalk, Coordinates, Doc, Embed,
        EmbedService, EnergyExemption, EnergyLabel, EnergyRating, ListingStatus, Location,
        LocationRef, LocationText, NavigationLink, NavigationText, Orientation, Page, PageText,
        Particulars, Picture, Property, PropertyKind, PropertyText, PropertyType, Question,
        Redirect, Room, RoomKind, SiteSettings, SiteText, Snapshot, TeamMember, TeamMemberText,
    },
};
use serde_json::json;
use uuid::Uuid;

/// Returns the sample events. They use no defaults, so that a new field can't be forgotten here.
pub fn events() -> Vec<Event> {
    let snapshots = [
        Snapshot::Properties(property()),
        Snapshot::Locations(Location {
            slug: "nerja".into(),
            ancestors: vec!["axarquia".into()],
            sort: Some(2),
            coordinates: Some(COORDINATES),
            image: Some(picture()),
            text: both(LocationText {
                name: "Nerja".into(),
                intro: "By the sea".into(),
                description: "<p>Caves</p>".into(),
            }),
        }),
        Snapshot::Articles(Article {
            slug: "spring".into(),
            published_at: Some(time()),
            image: Some(picture()),
            text: both(article_text()),
        }),
        Snapshot::Pages(Page {
            slug: "buying".into(),
            kind: "guide".into(),
            location: Some("nerja".into()),
            image: Some(picture()),
            text: both(PageText {
                title: "Buying".into(),
                intro: "Step by step".into(),
                body: "<p>First</p>".into(),
                meta_description: "How to buy".into(),
                faq: vec![Question { question: "How long?".into(), answer: "A month".into() }],
            }),
        }),
        Snapshot::Docs(Doc { slug: "start".into(), sort: Some(1), text: both(article_text()) }),
        Snapshot::Team(TeamMember {
            name: "Ana".into(),
            administration: true,
            sort: Some(1),
            photo: Some(picture()),
            email: Some("ana@almijara.example".into()),
            phone: Some("+34 600 000 000".into()),
            text: both(TeamMemberText { role: "Sales".into(), bio: "<p>Ana</p>".into() }),
        }),
        Snapshot::Navigation(NavigationLink {
            menu: "main".into(),
            parent: Some("1".into()),
            sort: Some(1),
            url: Some("/contact".into()),
            target: Some("_blank".into()),
            icon: Some("mail".into()),
            badge: Some("new".into()),
            disabled: false,
            text: both(NavigationText { label: "Contact".into(), description: "Write".into() }),
        }),
        Snapshot::SiteSettings(settings()),
        Snapshot::Redirects(Redirect {
            from_path: "/old".into(),
            to_path: Some("/new".into()),
            code: 301,
        }),
    ];
    let mut events: Vec<Event> = snapshots.into_iter().map(published).collect();
    let removed = events[0].aggregate.clone();
    events.push(event(removed, 4, Change::Removed));
    events
}

const COORDINATES: Coordinates = Coordinates { lat: 36.75, lng: -3.87 };

fn time() -> DateTime<Utc> {
    DateTime::from_timestamp(1_750_000_000, 0).expect("a time")
}

fn both<T: Clone>(text: T) -> Localized<T> {
    Localized { en: Some(text.clone()), es: Some(text) }
}

fn published(snapshot: Snapshot) -> Event {
    let id = AggregateId::new(snapshot.collection(), "7");
    event(id, 3, Change::Upserted { snapshot: Box::new(snapshot) })
}

fn event(aggregate: AggregateId, version: i64, change: Change) -> Event {
    let of_property = matches!(
        &change,
        Change::Upserted { snapshot } if matches!(**snapshot, Snapshot::Properties(_))
    );
    let offer = Offer {
        version: Version(2),
        at: time(),
        reference: "AH-1042".into(),
        location: "nerja".into(),
        property_type: PropertyType::House,
        price: Some(520_000),
        status: ListingStatus::ForSale,
    };
    Event {
        id: Uuid::from_u128(9),
        schema_version: SCHEMA_VERSION,
        aggregate,
        version: Version(version),
        captured_at: time(),
        change,
        offers: of_property.then_some(offer).into_iter().collect(),
    }
}

fn picture() -> Picture {
    Picture {
        file: Uuid::from_u128(5),
        version: "19de2fb1900".into(),
        width: 2400,
        height: 1600,
        alt: "A terrace".into(),
        alt_es: Some("Una terraza".into()),
        placeholder: Some("UklGRg==".into()),
    }
}

fn article_text() -> ArticleText {
    ArticleText { title: "Spring".into(), summary: "Almonds".into(), body: "<p>White</p>".into() }
}

fn property() -> Property {
    Property {
        reference: "AH-1042".into(),
        status: ListingStatus::ForSale,
        property_type: PropertyType::House,
        kind: PropertyKind::Villa,
        price: Some(510_000),
        previous_price: Some(520_000),
        reduced: true,
        featured: true,
        new_build: false,
        listed_at: time(),
        updated_at: time(),
        bedrooms: Some(3),
        bathrooms: Some(2),
        built_area: Some(180),
        plot_area: Some(900),
        terrace_area: Some(40),
        year_built: Some(1998),
        floor: Some("ground".into()),
        features: vec!["garden".into(), "pool".into()],
        energy: Some(EnergyLabel {
            rating: EnergyRating::Exempt,
            exemption: Some(EnergyExemption::DemolitionOrRenovation),
            consumption: Some(120.5),
            emissions: Some(24.0),
            emissions_rating: Some(EnergyRating::E),
        }),
        annual_costs: AnnualCosts { community_fees: Some(600), ibi: Some(800), garbage: Some(90) },
        coordinates: Some(COORDINATES),
        location: LocationRef {
            key: "4".into(),
            slug: "nerja".into(),
            name: both("Nerja".to_owned()),
            ancestors: vec!["axarquia".into()],
        },
        particulars: Particulars {
            useful_area: Some(96),
            orientation: Some(Orientation::SouthWest),
            beach_walk: Some(BeachWalk { minutes: 8, slope: Some(BeachSlope::Gentle) }),
            rooms: vec![Room {
                kind: RoomKind::Bedroom,
                area: Some(12.5),
                floor: Some("1".into()),
            }],
            video: Some(Embed { service: EmbedService::Vimeo, id: "76979871".into() }),
            tour: Some(Embed { service: EmbedService::Matterport, id: "SxQL3iGyoDo".into() }),
        },
        images: vec![picture()],
        floor_plan: Some(picture()),
        text: both(PropertyText {
            title: "Villa by the sea".into(),
            summary: "Quiet and sunny".into(),
            description: "<p>With a garden</p>".into(),
        }),
    }
}

fn settings() -> SiteSettings {
    SiteSettings {
        agency: Agency {
            company_name: "Almijara".into(),
            legal_name: Some("Almijara SL".into()),
            tax_id: Some("B00000000".into()),
            phones: vec!["+34 952 000 000".into()],
            emails: vec!["hello@almijara.example".into()],
            whatsapp: Some("+34600000000".into()),
            street: Some("Calle Real 1".into()),
            postal_code: Some("29770".into()),
            town: Some("Torrox".into()),
            province: Some("Málaga".into()),
            coordinates: Some(COORDINATES),
            social_url: Some("https://social.example/almijara".into()),
            opening_hours: vec![OpeningPeriod {
                months: vec![7, 8],
                weekdays: vec![1, 2, 3, 4, 5],
                opens: "09:00".parse().expect("a time of the day"),
                closes: "15:00".parse().expect("a time of the day"),
            }],
        },
        figures: json!({ "transferTax": 7 }),
        hero: Some(picture()),
        text: both(SiteText {
            title_suffix: "Almijara".into(),
            tagline: "Homes".into(),
            description: "Homes around Nerja".into(),
            footer_note: "Since 2004".into(),
            sample_notice: String::new(),
        }),
    }
}
