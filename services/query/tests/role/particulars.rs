//! The particulars of a home: orientation, rooms, floor plan, video and tour.

use contracts::content::{
    BeachSlope, BeachWalk, Embed, EmbedService, Orientation, Particulars, Room, RoomKind,
};
use serde_json::{Value, json};

use crate::{
    homes::{home, publish},
    node::World,
};

#[tokio::test(flavor = "multi_thread")]
async fn unknown_particulars_are_omitted() {
    let mut world = World::start("query_particulars").await;
    let mut known = home("AH-1", 300_000, 1);
    known.particulars = Particulars {
        useful_area: Some(84),
        orientation: Some(Orientation::SouthWest),
        beach_walk: Some(BeachWalk { minutes: 8, slope: Some(BeachSlope::Gentle) }),
        rooms: vec![
            Room { kind: RoomKind::LivingKitchen, area: Some(26.4), floor: Some("0".to_owned()) },
            Room { kind: RoomKind::Bedroom, area: None, floor: None },
        ],
        video: Some(Embed { service: EmbedService::Vimeo, id: "76979871".to_owned() }),
        tour: None,
    };
    known.floor_plan = known.images.first().cloned();
    publish(&mut world, &[known, home("AH-2", 200_000, 1)]).await;

    let answer = ask(&world, "/api/properties/AH-1").await;
    let expected = json!({
        "usefulArea": 84,
        "orientation": "sw",
        "beachWalk": { "minutes": 8, "slope": "gentle" },
        "rooms": [{ "kind": "living-kitchen", "area": 26.4, "floor": "0" }, { "kind": "bedroom" }],
        "video": { "service": "vimeo", "id": "76979871" },
    });
    assert_eq!(answer["particulars"], expected);
    assert_eq!(answer["floorPlan"]["file"], answer["images"][0]["file"]);
    assert_eq!(answer["floorPlan"]["placeholder"], Value::Null, "it is not visible at once");

    let other = ask(&world, "/api/properties/AH-2").await;
    assert_eq!((other.get("particulars"), other.get("floorPlan")), (None, None));
}

async fn ask(world: &World, path: &str) -> Value {
    let answer = reqwest::get(format!("{}{path}", world.node.url)).await.expect("an answer");
    answer.json().await.expect("JSON")
}
