//! `read.site_settings`: names, addresses and figures, a row for each locale.

use contracts::{Locale, content::SiteSettings};
use serde_json::{Value, json};

use super::picture;
use crate::table::{Per, Table};

pub(super) const TABLE: Table = Table {
    name: "site_settings",
    per: Per::Locale,
    columns: &[("language", "text not null"), ("settings", "jsonb not null")],
    indexes: &[],
};

pub(super) fn columns(site: &SiteSettings, locale: Locale) -> Option<Value> {
    let (language, text) = site.text.get_or_fallback(locale)?;
    Some(json!({
        "language": language,
        "settings": {
            "companyName": site.company_name,
            "legalName": site.legal_name,
            "taxId": site.tax_id,
            "phones": site.phones,
            "emails": site.emails,
            "whatsapp": site.whatsapp,
            "street": site.street,
            "postalCode": site.postal_code,
            "town": site.town,
            "province": site.province,
            "coordinates": site.coordinates,
            "socialUrl": site.social_url,
            "figures": site.figures,
            "hero": picture::if_any(site.hero.as_ref(), locale),
            "titleSuffix": text.title_suffix,
            "tagline": text.tagline,
            "description": text.description,
            "footerNote": text.footer_note,
            "sampleNotice": text.sample_notice,
        },
    }))
}
