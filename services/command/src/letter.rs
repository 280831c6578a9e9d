//! An enquiry as it is told to people.

use chrono::{DateTime, NaiveDateTime, Utc};
use contracts::{Locale, content::PropertyKind};
use sqlx::PgPool;
use uuid::Uuid;

use crate::Error;

/// What stands in mails and in the office's list.
#[derive(Clone, Debug)]
pub struct Letter {
    /// Of the enquiry.
    pub id: Uuid,
    /// What to call it.
    pub reference: String,
    /// `general`, `property`, `viewing`, `callback` or `valuation`.
    pub kind: String,
    /// The sender's language.
    pub locale: Locale,
    /// The sender.
    pub name: String,
    /// Where to answer.
    pub email: Option<String>,
    /// A number.
    pub phone: Option<String>,
    /// Another.
    pub mobile: Option<String>,
    /// What is asked.
    pub message: Option<String>,
    /// The home that it is about.
    pub home_reference: Option<String>,
    /// Its title when it was asked about.
    pub home_title: Option<String>,
    /// Its price then, in euros.
    pub home_price: Option<i64>,
    /// Its page's path.
    pub home_path: Option<String>,
    /// Proposed for a viewing, on the agency's clock.
    pub times: Vec<NaiveDateTime>,
    /// Of what is to be valued.
    pub address: Option<String>,
    /// What that is.
    pub property_kind: Option<PropertyKind>,
    /// In square metres.
    pub built_area: Option<i32>,
    /// How many pictures came with it.
    pub pictures: i64,
    /// Why it may be no person's.
    pub suspect: Option<String>,
    /// When it was kept.
    pub received_at: DateTime<Utc>,
}

impl Letter {
    /// Reads the enquiry `id`.
    pub async fn read(pool: &PgPool, id: Uuid) -> Result<Self, Error> {
        let row = sqlx::query!(
            r#"select id, reference, kind, locale, name, email, phone, mobile, message,
                    home_reference, home_title, home_price, home_path, times, suspect, received_at,
                    address, property_kind, built_area,
                    (select count(*) from visitor.picture p where p.enquiry = e.id) as "pictures!"
             from visitor.enquiry e where id = $1"#,
            id,
        )
        .fetch_one(pool)
        .await?;
        let locale: Locale = row.locale.parse().unwrap_or_default();
        Ok(Self {
            id: row.id,
            reference: row.reference,
            kind: row.kind,
            locale,
            name: row.name,
            email: row.email,
            phone: row.phone,
            mobile: row.mobile,
            message: row.message,
            home_reference: row.home_reference,
            home_title: row.home_title,
            home_price: row.home_price,
            home_path: row.home_path,
            times: row.times,
            address: row.address,
            property_kind: row.property_kind.and_then(|kind| kind.parse().ok()),
            built_area: row.built_area,
            pictures: row.pictures,
            suspect: row.suspect,
            received_at: row.received_at,
        })
    }
}
