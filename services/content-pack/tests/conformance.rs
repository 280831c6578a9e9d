//! Checks that the content pack behaves like a real Directus in everything that sync relies on: every
//! case runs against both.
//!
//! The Directus is that of deploy/directus, installed by `make directus` (or in the folder
//! `ALMIJARA_DIRECTUS_DIR`). It has its own database, and starts once for all cases.
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

/// Generates two tests for each case, one for each service.
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
    reading: a_published_property_is_read_completely,
        missing_texts_and_empty_fields_of_a_property_are_distinguished,
        unpublished_items_are_hidden_with_a_reason,
        items_that_violate_a_rule_are_invalid_and_not_hidden,
        snapshots_contain_nothing_of_a_draft_place,
        places_articles_and_pages_are_read,
        settings_menus_people_and_redirects_are_read,
        every_requested_key_has_a_reading,
        pages_contain_every_item_exactly_once,
        ids_include_the_published_state,
        the_parents_of_parts_are_found,
        the_canary_is_found,
        pictures_are_served_unchanged;
    queries: filters_select_the_same_items,
        sorting_and_paging_are_the_same,
        the_requested_fields_are_returned;
    errors: refusals_have_the_same_status_and_code,
        a_wrong_token_is_unauthorised,
        an_address_without_a_service_is_unreachable;
    activity: a_save_is_in_the_activity_log;
    changes: a_changed_field_is_posted_and_read,
        a_changed_translation_is_posted_with_its_own_key,
        a_new_item_is_posted_with_its_key,
        a_deleted_item_is_posted_and_absent,
        an_unpublished_item_is_hidden,
        a_replaced_picture_has_another_version,
        an_unpublished_place_hides_its_properties;
}
