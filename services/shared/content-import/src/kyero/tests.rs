//! Tests with feeds as agencies send them.

use serde_json::json;

use super::*;
use contracts::Locale;

fn read(homes: &str) -> Feed {
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<root><kyero><feed_version>3</feed_version>\
         </kyero>{homes}</root>"
    );
    read_kyero(text.as_bytes(), "a feed", &Kinds::default(), false).expect("it is a feed")
}

fn refused(text: &str) -> String {
    let refused = read_kyero(text.as_bytes(), "a feed", &Kinds::default(), false);
    runtime::error_text(&refused.expect_err("it is no feed"))
}

#[test]
fn a_home_that_follows_the_specification_is_read_completely() {
    let feed = read(
        "<property><id>12</id><date>2026-11-24 09:05:00</date><ref>V 104/2</ref>
         <price>250000</price><currency>EUR</currency><price_freq>sale</price_freq>
         <new_build>1</new_build><type>Town house</type><town>Nerja</town>
         <province>Málaga</province><location><latitude>36.7274998123</latitude>
         <longitude>-3.95</longitude></location><location_detail>Maro</location_detail>
         <beds>3</beds><baths>0</baths><pool>1</pool>
         <surface_area><built>120</built><plot>0</plot></surface_area>
         <energy_rating><consumption>D</consumption><emissions>X</emissions></energy_rating>
         <url><en>https://a.example/1</en></url>
         <desc><en>Sea &amp; sun\n\nA &lt;b&gt;bright&lt;/b&gt; home.</en><de>Meer</de></desc>
         <features><feature>Sea view</feature><feature>Lift</feature></features>
         <notes>call first</notes>
         <images><image id=\"2\"><url>https://a.example/2.jpg</url></image>
         <image id=\"1\"><url>https://a.example/1.jpg</url></image></images></property>",
    );
    let home = &feed.listings[0];
    assert_eq!((home.key.as_str(), home.reference()), ("12", "V-104-2"));
    for (field, value) in [
        ("price", json!(250_000)),
        ("new_build", json!(true)),
        ("kind", json!("townhouse")),
        ("property_type", json!("house")),
        ("lat", json!(36.7275)),
        ("lng", json!(-3.95)),
        ("bedrooms", json!(3)),
        ("bathrooms", json!(null)),
        ("built_m2", json!(120)),
        ("plot_m2", json!(null)),
        ("has_pool", json!(true)),
        ("views", json!(["sea"])),
        ("features", json!(["lift"])),
        ("energy_rating", json!("D")),
    ] {
        assert_eq!(home.fields.get(field), Some(&value), "{field}");
    }
    assert!(!home.fields.contains_key("emissions_rating"));
    assert_eq!(home.places, ["Maro", "Nerja"]);
    assert_eq!(home.texts[&Locale::En]["title"], "Sea & sun");
    assert_eq!(home.texts[&Locale::En]["description"], "<p>A bright home.</p>");
    let pictures = home.pictures.clone().expect("they are listed");
    assert_eq!(pictures, ["https://a.example/1.jpg", "https://a.example/2.jpg"]);
    let skipped: Vec<_> = feed.skipped.keys().map(String::as_str).collect();
    assert_eq!(skipped, ["element <notes>", "texts in `de`"]);
    assert!(home.violations.is_empty(), "{:?}", home.violations);
}

#[test]
fn videos_tours_and_floor_plans_are_read() {
    let image = |id: u32, name: &str, tags: &str| {
        let url = format!("<url>https://a.example/{name}.png</url>");
        format!("<image id=\"{id}\">{url}{tags}</image>")
    };
    let plan = "<tags><floorplan/></tags>";
    let feed = read(&format!(
        "<property><id>1</id><type>Villa</type>
         <images>{}{}{}{}</images>
         <video_url>https://youtu.be/aqz-KE-bpKQ?t=4</video_url>
         <virtual_tour_url> https://my.matterport.com/show/?m=SxQL3iGyoDo </virtual_tour_url>
         </property><property><id>2</id><type>Villa</type><images>{}</images>
         <video_url>https://a.example/film.mp4</video_url><virtual_tour_url/></property>",
        image(3, "upper-floor", "<tags><floorplan></floorplan></tags>"),
        image(2, "lower-floor", plan),
        image(1, "terrace", "<tags/>"),
        image(4, "terrace", ""),
        image(1, "pool", "<tags><cover/></tags>"),
    ));
    let [home, other] = &feed.listings[..] else { panic!("two homes") };
    // In the form of the site's own feed, so that importing that feed changes nothing.
    assert_eq!(home.fields["video_url"], "https://www.youtube.com/watch?v=aqz-KE-bpKQ");
    assert_eq!(home.fields["tour_url"], "https://my.matterport.com/show/?m=SxQL3iGyoDo");
    assert_eq!(home.floor_plan.as_deref(), Some("https://a.example/lower-floor.png"));
    let pictures = home.pictures.clone().expect("they are listed");
    assert_eq!(pictures, ["https://a.example/terrace.png", "https://a.example/upper-floor.png"]);
    // The site can't embed a film of another service: it is counted, and the home is imported without it.
    assert!(!other.fields.contains_key("video_url") && !other.fields.contains_key("tour_url"));
    assert_eq!((other.floor_plan.as_ref(), other.violations.len()), (None, 0));
    assert_eq!(other.pictures.as_deref(), Some(&["https://a.example/pool.png".to_owned()][..]));
    let skipped: Vec<_> = feed.skipped.keys().map(String::as_str).collect();
    assert_eq!(skipped, ["element <video_url> of another service"]);
}

#[test]
fn deviations_from_the_specification_are_read() {
    let feed = read(
        "<property><id>7</id><date>2026-11-24T09:05:00Z</date><ref>R7</ref><price>x</price>
         <type>Ático</type><town>Cómpeta</town><latitude>36,75</latitude>
         <longitude>-3,87</longitude><beds>2</beds><baths>1.0</baths><floor>3º</floor>
         <cadastralRef>9872023VH5797S0001WX</cadastralRef>
         <title><en-GB>A penthouse</en-GB><es>Un ático</es></title>
         <desc><en><![CDATA[<p>With &eacute;clat</p><p>and terrace</p>]]></en></desc>
         <energy_rating><consumption>X</consumption><emissions/></energy_rating>
         <images><image>https://a.example/a.jpg</image></images></property>
         <property><id>8</id><date>24/11/2026 9:05:00 PM</date><type>Land</type>
         <price>90,000</price><town>Nerja</town><beds/></property>",
    );
    let [penthouse, land] = &feed.listings[..] else { panic!("two homes") };
    assert_eq!(penthouse.fields["price"], json!(null), "on request");
    assert_eq!(penthouse.fields["kind"], json!("penthouse"));
    assert_eq!(penthouse.fields["lat"], json!(36.75));
    assert_eq!(penthouse.fields["bathrooms"], json!(1));
    assert_eq!(penthouse.fields["floor"], json!("3º"));
    assert_eq!(penthouse.fields["energy_rating"], json!("in_process"));
    assert_eq!(penthouse.texts[&Locale::En]["title"], "A penthouse");
    assert_eq!(penthouse.texts[&Locale::En]["description"], "<p>With éclat</p><p>and terrace</p>");
    assert_eq!(penthouse.texts[&Locale::Es]["title"], "Un ático");
    assert_eq!(penthouse.pictures.as_deref(), Some(&["https://a.example/a.jpg".to_owned()][..]));
    assert_eq!(feed.skipped["element <cadastralRef>"], 1);
    assert_eq!(land.reference(), "8", "without a reference, the id is used");
    assert_eq!(land.fields["price"], json!(90_000));
    assert!(!land.fields.contains_key("energy_rating"), "nothing is built there");
    assert!(!land.fields.contains_key("bedrooms"), "an empty element says nothing");
}

#[test]
fn entities_in_texts_are_resolved_in_and_outside_cdata() {
    let feed = read(
        "<property><id>1</id><type>Piso</type>
         <desc><es><![CDATA[Piso con jard&iacute;n.&#13;&#13;\nCerca del mar &amp; la plaza.]]></es>
         <en>Flat with a garden.&#13;&#13;Near the sea &amp; the square.</en></desc></property>
         <property><id>2</id><type>Piso</type>
         <title><es><![CDATA[Piso con balc&oacute;n]]></es></title></property>",
    );
    let [garden, balcony] = &feed.listings[..] else { panic!("two homes") };
    for (locale, title, description) in [
        (Locale::Es, "Piso con jardín.", "<p>Cerca del mar &amp; la plaza.</p>"),
        (Locale::En, "Flat with a garden.", "<p>Near the sea &amp; the square.</p>"),
    ] {
        assert_eq!(garden.texts[&locale]["title"], title);
        assert_eq!(garden.texts[&locale]["description"], description);
    }
    assert_eq!(balcony.texts[&Locale::Es]["title"], "Piso con balcón");
}

#[test]
fn pictures_are_unknown_without_their_list() {
    let feed = read(
        "<property><id>1</id><type>Villa</type></property>
         <property><id>2</id><type>Villa</type><images/></property>",
    );
    let pictures: Vec<_> = feed.listings.iter().map(|home| home.pictures.clone()).collect();
    assert_eq!(pictures, [None, Some(Vec::new())]);
}

#[test]
fn features_are_unknown_without_their_list() {
    let of_home = |elements: &str| {
        let feed = read(&format!("<property><id>1</id><type>Villa</type>{elements}</property>"));
        let fields = &feed.listings[0].fields;
        ["has_pool", "has_garden", "views", "features"].map(|field| fields.get(field).cloned())
    };
    assert_eq!(of_home(""), [None, None, None, None]);
    assert_eq!(of_home("<pool>1</pool>"), [Some(json!(true)), None, None, None]);
    let none = [json!(false), json!(false), json!([]), json!([])].map(Some);
    assert_eq!(of_home("<features/>"), none);
    assert_eq!(of_home("<pool>0</pool><features><feature/></features>"), none);
}

#[test]
fn unescaped_markup_is_read_as_text() {
    for (text, title, body) in [
        (
            "<p>Bright villa.</p>\n<p>Large\nterrace &amp; sea.</p>",
            "Bright villa.",
            "<p>Large terrace &amp; sea.</p>",
        ),
        ("Three <b>bed<i>rooms</i></b> and pool", "Three bedrooms and pool", ""),
        ("Sun<br/>Sea<br/>Ba&ntilde;o", "Sun", "<p>Sea</p><p>Baño</p>"),
        ("<ul><li>Pool</li><li>Lift</li></ul>", "Pool", "<p>Lift</p>"),
    ] {
        let feed = read(&format!(
            "<property><id>1</id><type>Villa</type><desc><en>{text}</en></desc></property>
             <property><id>2</id><type>Villa</type><title><en><b>Casa</b> Sol</en></title>
             <desc><en>{text}</en><de><p>Meer</p></de></desc></property>"
        ));
        let english = &feed.listings[0].texts[&Locale::En];
        assert_eq!(english["title"], title, "{text}");
        let description = english["description"].as_str().unwrap_or_default();
        assert_eq!(description, body, "{text}");
        assert_eq!(feed.listings[1].texts[&Locale::En]["title"], "Casa Sol");
        assert_eq!(feed.skipped["texts in `de`"], 1);
    }
}

#[test]
fn prices_and_coordinates_are_read_in_spanish_notation() {
    let price = |text: &str| {
        let feed = read(&format!(
            "<property><id>1</id><type>Villa</type><price>{text}</price></property>"
        ));
        let home = &feed.listings[0];
        (home.fields.get("price").cloned(), home.violations.len())
    };
    for (text, euros) in [
        ("249.500", json!(249_500)),
        ("1.250.000", json!(1_250_000)),
        ("1.250.000,00 €", json!(1_250_000)),
        ("1,250,000", json!(1_250_000)),
        ("249500.00", json!(249_500)),
        ("249500,00", json!(249_500)),
        ("0", json!(null)),
        ("", json!(null)),
        ("POA", json!(null)),
    ] {
        assert_eq!(price(text), (Some(euros), 0), "{text}");
    }
    for text in ["consult us", "250 000 GBP", "1.250.00"] {
        assert_eq!(price(text), (None, 1), "{text} is no price");
    }
    let feed = read(
        "<property><id>1</id><type>Villa</type><location><latitude>36,749</latitude>
         <longitude>-3.872</longitude></location>
         <baths>x</baths>
         <surface_area><built>120,5</built><plot>2.500</plot></surface_area></property>",
    );
    let home = &feed.listings[0];
    assert_eq!((&home.fields["built_m2"], &home.fields["plot_m2"]), (&json!(121), &json!(2_500)));
    assert_eq!((&home.fields["bathrooms"], home.violations.len()), (&json!(null), 0));
    assert_eq!((&home.fields["lat"], &home.fields["lng"]), (&json!(36.749), &json!(-3.872)));
}

#[test]
fn values_that_the_site_can_t_show_are_reported() {
    let feed = read(
        "<property><id>1</id><price>900</price><price_freq>month</price_freq>
         <currency>GBP</currency><type>Castle</type><beds>some</beds></property>",
    );
    let violations: Vec<_> = feed.listings[0].violations.iter().map(ToString::to_string).collect();
    for (violation, words) in violations.iter().zip([
        "type must be a kind that is known (--kind says which it is); it is \"Castle\"",
        "price_freq must be `sale`",
        "currency must be EUR",
        "bedrooms must be a whole number; it is \"some\"",
    ]) {
        assert!(violation.starts_with(words), "{violation}");
    }
    assert_eq!(violations.len(), 4, "{violations:?}");
}

#[test]
fn truncated_and_hostile_feeds_are_refused() {
    assert!(refused("<root><property><id>1</id></property>").contains("a part is missing"));
    assert!(refused("<html><body>503</body></html>").contains("begins with <root>"));
    assert!(refused("").contains("begins with <root>"));
    let bomb = "<!DOCTYPE r [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>\
                <root><property><id>&b;</id></property></root>";
    assert!(refused(bomb).contains("&b; is not known"));
    let outside = "<!DOCTYPE r [<!ENTITY f SYSTEM \"file:///etc/passwd\">]>\
                   <root><property><id>&f;</id></property></root>";
    assert!(refused(outside).contains("&f; is not known"));
    let deep = format!("<root>{}", "<a>".repeat(100_000));
    assert!(refused(&deep).contains("is nested in"));
    let wide = format!("<root><property>{}", "<a/>".repeat(100_000));
    assert!(refused(&wide).contains("elements"));
    let long = format!("<root><property><id>{}", "a".repeat(1 << 20));
    assert!(refused(&long).contains("longer than"));
}
