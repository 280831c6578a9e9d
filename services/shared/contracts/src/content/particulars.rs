//! Details of a home: its usable area, its orientation, the walk to the beach, its rooms, and its video and
//! virtual tour.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::closed_set;

/// The maximum walk to a beach, in minutes.
pub const MAX_BEACH_MINUTES: i64 = 60;

closed_set!(
    /// The side of the compass that the main terrace faces, or the living room where there is none.
    Orientation, "orientation", serialized {
        /// North.
        North = "n",
        /// North-east.
        NorthEast = "ne",
        /// East.
        East = "e",
        /// South-east.
        SouthEast = "se",
        /// South.
        South = "s",
        /// South-west.
        SouthWest = "sw",
        /// West.
        West = "w",
        /// North-west.
        NorthWest = "nw",
    }
);

closed_set!(
    /// The slope of the way to the beach.
    BeachSlope, "slope", serialized {
        /// Flat.
        Flat = "flat",
        /// Gentle slopes.
        Gentle = "gentle",
        /// Steep slopes.
        Steep = "steep",
        /// With flights of steps.
        Steps = "steps",
    }
);

closed_set!(
    /// What a room is for.
    RoomKind, "kind of room", serialized {
        /// Hall.
        Hall = "hall",
        /// Living room.
        Living = "living-room",
        /// Living room with the kitchen in it.
        LivingKitchen = "living-kitchen",
        /// Living and dining room.
        LivingDining = "living-dining",
        /// Dining room.
        Dining = "dining-room",
        /// Kitchen.
        Kitchen = "kitchen",
        /// Bedroom.
        Bedroom = "bedroom",
        /// Bathroom.
        Bathroom = "bathroom",
        /// Bathroom of one bedroom.
        EnSuite = "en-suite",
        /// Toilet.
        Toilet = "toilet",
        /// Dressing room.
        Dressing = "dressing-room",
        /// Study.
        Study = "study",
        /// Landing or corridor.
        Landing = "landing",
        /// Utility room.
        Utility = "utility-room",
        /// Storeroom.
        Store = "storeroom",
        /// Workshop.
        Workshop = "workshop",
        /// Terrace.
        Terrace = "terrace",
        /// Balcony.
        Balcony = "balcony",
        /// Roof terrace.
        RoofTerrace = "roof-terrace",
        /// Patio.
        Patio = "patio",
        /// Garage.
        Garage = "garage",
    }
);

closed_set!(
    /// A service that hosts videos or tours.
    EmbedService, "service", serialized {
        /// `YouTube`.
        YouTube = "youtube",
        /// Vimeo.
        Vimeo = "vimeo",
        /// Matterport.
        Matterport = "matterport",
    }
);

/// The walk to the nearest beach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BeachWalk {
    /// The duration in minutes.
    pub minutes: i64,
    /// The slope, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slope: Option<BeachSlope>,
}

/// One room.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Room {
    /// What the room is for.
    pub kind: RoomKind,
    /// Its size, m².
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area: Option<f64>,
    /// The floor that the room is on, in the editors' words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor: Option<String>,
}

/// A video or tour that is embedded from another service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Embed {
    /// The service.
    pub service: EmbedService,
    /// Its id at that service.
    #[schema(pattern = "^[A-Za-z0-9_-]{1,40}$")]
    pub id: String,
}

const VIDEOS: [(&str, EmbedService); 6] = [
    ("https://www.youtube.com/watch?v=", EmbedService::YouTube),
    ("https://youtube.com/watch?v=", EmbedService::YouTube),
    ("https://www.youtube-nocookie.com/embed/", EmbedService::YouTube),
    ("https://youtu.be/", EmbedService::YouTube),
    ("https://player.vimeo.com/video/", EmbedService::Vimeo),
    ("https://vimeo.com/", EmbedService::Vimeo),
];
const TOURS: [(&str, EmbedService); 1] =
    [("https://my.matterport.com/show/?m=", EmbedService::Matterport)];
/// The maximum length of the id of a video or a tour, in characters.
const MAX_ID_LENGTH: usize = 40;

impl Embed {
    /// A regular expression for the URL of a video.
    pub const VIDEO_PATTERN: &'static str = "^https://((www\\.)?youtube\\.com/watch\\?v=|\
         www\\.youtube-nocookie\\.com/embed/|youtu\\.be/|player\\.vimeo\\.com/video/|vimeo\\.com/)\
         [A-Za-z0-9_-]{1,40}([?&#].*)?$";
    /// A regular expression for the URL of a tour.
    pub const TOUR_PATTERN: &'static str =
        "^https://my\\.matterport\\.com/show/\\?m=[A-Za-z0-9_-]{1,40}([?&#].*)?$";

    /// Returns the video at the URL `address`, if it is one of a supported service.
    pub fn video(address: &str) -> Option<Self> {
        Self::at(address, &VIDEOS)
    }

    /// Returns the tour at the URL `address`, if it is one of a supported service.
    pub fn tour(address: &str) -> Option<Self> {
        Self::at(address, &TOURS)
    }

    /// Returns its URL at the service, in one canonical form.
    pub fn address(&self) -> String {
        let id = &self.id;
        match self.service {
            EmbedService::YouTube => format!("https://www.youtube.com/watch?v={id}"),
            EmbedService::Vimeo => format!("https://vimeo.com/{id}"),
            EmbedService::Matterport => format!("https://my.matterport.com/show/?m={id}"),
        }
    }

    fn at(address: &str, known: &[(&str, EmbedService)]) -> Option<Self> {
        let (rest, service) = known
            .iter()
            .find_map(|(start, service)| Some((address.strip_prefix(start)?, *service)))?;
        let id = rest.split(['?', '&', '#']).next().unwrap_or_default();
        let is_id_byte = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        ((1..=MAX_ID_LENGTH).contains(&id.len()) && id.bytes().all(is_id_byte))
            .then(|| Self { service, id: id.to_owned() })
    }
}

/// Details of a home beyond its main figures. Unknown ones are omitted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Particulars {
    /// The usable floor area, m². The built area includes the walls as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub useful_area: Option<i64>,
    /// The orientation of the home.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orientation: Option<Orientation>,
    /// The walk to the nearest beach.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beach_walk: Option<BeachWalk>,
    /// Its rooms in the editors' order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub rooms: Vec<Room>,
    /// A video of the home.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub video: Option<Embed>,
    /// A virtual tour of the home.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tour: Option<Embed>,
}

impl Particulars {
    /// Returns whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn videos_and_tours_are_parsed_from_each_url_form() {
        for (address, service, id) in [
            ("https://www.youtube.com/watch?v=aqz-KE-bpKQ", EmbedService::YouTube, "aqz-KE-bpKQ"),
            ("https://youtu.be/aqz-KE-bpKQ?t=4", EmbedService::YouTube, "aqz-KE-bpKQ"),
            ("https://youtube.com/watch?v=a_b&list=x", EmbedService::YouTube, "a_b"),
            ("https://vimeo.com/76979871", EmbedService::Vimeo, "76979871"),
            ("https://player.vimeo.com/video/76979871#t=1", EmbedService::Vimeo, "76979871"),
        ] {
            let video = Embed { service, id: id.to_owned() };
            assert_eq!(Embed::video(address).as_ref(), Some(&video), "{address}");
            assert_eq!(Embed::tour(address), None, "{address}");
            assert_eq!(Embed::video(&video.address()), Some(video), "{address}");
        }
        let tour = Embed { service: EmbedService::Matterport, id: "SxQL3iGyoDo".to_owned() };
        let address = "https://my.matterport.com/show/?m=SxQL3iGyoDo&play=1";
        assert_eq!(Embed::tour(address).as_ref(), Some(&tour));
        assert_eq!(Embed::tour(&tour.address()), Some(tour));
    }

    #[test]
    fn urls_of_other_pages_are_not_videos() {
        for address in [
            "",
            "http://youtu.be/aqz-KE-bpKQ",
            "https://youtu.be/",
            "https://youtu.be/a/b",
            "https://youtu.be/a\"b",
            "https://youtu.be.example/a",
            "https://example.org/?https://youtu.be/a",
            "https://www.youtube.com/redirect?q=x",
            "javascript:alert(1)",
        ] {
            assert_eq!(Embed::video(address), None, "{address}");
        }
        let long = format!("https://youtu.be/{}", "a".repeat(41));
        assert_eq!(Embed::video(&long), None);
    }

    #[test]
    fn unknown_details_are_not_serialized() {
        let nothing = Particulars::default();
        assert_eq!(serde_json::to_string(&nothing).ok().as_deref(), Some("{}"));
        assert!(nothing.is_empty());
        let some = Particulars { orientation: Some(Orientation::SouthWest), ..nothing };
        assert_eq!(serde_json::to_string(&some).ok().as_deref(), Some(r#"{"orientation":"sw"}"#));
    }
}
