//! Whatever sync relies on, the content pack and a real Directus answer alike: every case here
//! runs against both.
//!
//! The Directus is the one of deploy/directus, installed by `make directus` (or in the folder that
//! `ALMIJARA_DIRECTUS_DIR` names), with a database of its own; it starts once for all the cases.
#![expect(clippy::expect_used, reason = "a test that can't have its services fails loudly")]

#[path = "conformance/activity.rs"]
mod activity;
#[path = "conformance/changes.rs"]
mod changes;
#[path = "conformance/errors.rs"]
mod errors;
#[path = "conformance/queries.rs"]
mod queries;
#[path = "conformance/reading.rs"]
mod reading;
#[path = "conformance/rules.rs"]
mod rules;
#[path = "conformance/service/mod.rs"]
mod service;

/// Makes two tests of each case: one a service.
macro_rules! on_both {
    ($($module:ident: $($case:ident),+;)+) => {
        mod pack {
            $($(
                #[tokio::test]
                async fn $case() {
                    crate::$module::$case(crate::service::pack().await).await;
                }
            )+)+
        }
        mod directus {
            $($(
                #[tokio::test]
                async fn $case() {
                    crate::$module::$case(crate::service::directus().await).await;
                }
            )+)+
        }
    };
}

on_both! {
    reading: a_published_property_is_read_whole,
        a_property_in_one_language_keeps_what_is_empty_apart,
        what_is_not_published_is_hidden_with_its_reason,
        what_breaks_a_rule_is_named_and_not_hidden,
        nothing_of_a_draft_place_shows_in_a_snapshot,
        places_articles_and_pages_are_read,
        settings_menus_people_and_redirects_are_read,
        every_key_asked_for_is_answered,
        pages_hold_every_item_once,
        ids_tell_what_is_published,
        parts_name_their_parents,
        the_canary_is_seen,
        pictures_are_served_as_they_are;
    queries: filters_choose_the_same_items,
        items_come_sorted_and_cut_alike,
        fields_are_sent_as_asked;
    errors: refusals_have_the_same_status_and_code,
        a_wrong_token_is_unauthorised,
        an_address_without_a_service_is_unreachable;
    activity: a_save_is_in_the_activity_log;
    changes: a_changed_field_is_posted_and_read,
        a_changed_translation_names_its_own_row,
        a_new_item_is_posted_with_its_key,
        a_deleted_item_is_posted_and_absent,
        an_item_that_is_unpublished_is_hidden,
        a_replaced_picture_has_another_version,
        a_place_that_is_unpublished_hides_its_properties;
}
