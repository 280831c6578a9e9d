//! Details of a property, such as its rooms, video and tour.

use contracts::{
    Violation,
    content::{BeachWalk, Embed, Particulars, Room},
    rules::OtherRule,
};

use crate::raw::Raw;

/// The maximum area of a room in m², as in [`OtherRule::RoomArea`].
const MAX_ROOM_AREA: f64 = 10_000.0;

pub(super) fn particulars(raw: Raw<'_>) -> Result<Particulars, Violation> {
    Ok(Particulars {
        useful_area: raw.integer("useful_m2")?,
        orientation: raw.word("orientation")?,
        beach_walk: beach_walk(raw)?,
        rooms: raw.entries("rooms", room)?,
        video: embed(raw, "video_url", Embed::video)?,
        tour: embed(raw, "tour_url", Embed::tour)?,
    })
}

/// Returns the walk to the beach. A slope without a duration is ignored.
fn beach_walk(raw: Raw<'_>) -> Result<Option<BeachWalk>, Violation> {
    let Some(minutes) = raw.integer("beach_walk_minutes")? else { return Ok(None) };
    Ok(Some(BeachWalk { minutes, slope: raw.word("beach_slope")? }))
}

fn room(row: Raw<'_>) -> Result<Room, Violation> {
    let area = row.decimal("m2")?;
    if area.is_some_and(|area| area <= 0.0 || area > MAX_ROOM_AREA) {
        return Err(row.breaks("m2", OtherRule::RoomArea));
    }
    // Editors may write a floor as a number.
    let floor = row.key("floor").map(|floor| floor.trim().to_owned());
    Ok(Room {
        kind: row.required_word("kind")?,
        area,
        floor: floor.filter(|floor| !floor.is_empty()),
    })
}

fn embed(
    raw: Raw<'_>,
    field: &str,
    at: impl Fn(&str) -> Option<Embed>,
) -> Result<Option<Embed>, Violation> {
    let Some(address) = raw.text(field)? else { return Ok(None) };
    at(&address).map(Some).ok_or_else(|| raw.breaks(field, OtherRule::Embed))
}

#[cfg(test)]
mod tests {
    use contracts::content::{BeachSlope, EmbedService, Orientation, RoomKind};
    use serde_json::json;

    use super::*;
    use crate::mapping::tests::{broken, property_with, published};

    #[test]
    fn all_details_of_a_home_are_read() {
        let reading = property_with(&json!({
            "useful_m2": 84, "orientation": "sw", "beach_walk_minutes": "8", "beach_slope": "gentle",
            "rooms": [
                { "kind": "bedroom", "m2": "12.5", "floor": 1 },
                { "kind": "hall", "m2": null, "floor": " " },
            ],
            "video_url": "https://youtu.be/aqz-KE-bpKQ",
            "tour_url": "https://my.matterport.com/show/?m=SxQL3iGyoDo",
        }));
        let room =
            |kind, area, floor: Option<&str>| Room { kind, area, floor: floor.map(str::to_owned) };
        let embed = |service, id: &str| Some(Embed { service, id: id.to_owned() });
        let expected = Particulars {
            useful_area: Some(84),
            orientation: Some(Orientation::SouthWest),
            beach_walk: Some(BeachWalk { minutes: 8, slope: Some(BeachSlope::Gentle) }),
            rooms: vec![
                room(RoomKind::Bedroom, Some(12.5), Some("1")),
                room(RoomKind::Hall, None, None),
            ],
            video: embed(EmbedService::YouTube, "aqz-KE-bpKQ"),
            tour: embed(EmbedService::Matterport, "SxQL3iGyoDo"),
        };
        assert_eq!(published(&reading).particulars, expected);
    }

    #[test]
    fn a_slope_without_a_duration_is_ignored() {
        let reading = property_with(&json!({ "beach_slope": "steep", "rooms": [] }));
        assert!(published(&reading).particulars.is_empty());
    }

    #[test]
    fn an_invalid_value_is_reported_with_its_field() {
        for (field, value, at) in [
            ("orientation", json!("south"), "orientation"),
            ("beach_walk_minutes", json!(90), "beach_walk_minutes"),
            ("rooms", json!([{ "kind": "ballroom" }]), "rooms[1].kind"),
            ("rooms", json!([{ "kind": "hall" }, { "kind": "hall", "m2": 0 }]), "rooms[2].m2"),
            ("rooms", json!([{ "kind": "hall" }, { "m2": 4 }]), "rooms[2].kind"),
            ("video_url", json!("https://example.org/v"), "video_url"),
        ] {
            assert_eq!(broken(property_with(&json!({ field: value }))).0, at);
        }
    }

    #[test]
    fn a_floor_plan_is_a_picture_and_a_part_of_the_home() {
        let file = "0f8470da-8519-4420-8d5d-ae4d58b58e5f";
        let reading = property_with(&json!({
            "floor_plan": { "id": file, "type": "image/png", "width": 1600, "height": 1200,
                            "description": "A plan", "description_es": "Un plano" },
        }));
        let plan = published(&reading).floor_plan.as_ref();
        assert_eq!(plan.map(|plan| plan.alt.as_str()), Some("A plan"));
        assert!(reading.parts().iter().any(|part| part.key() == file));
    }
}
