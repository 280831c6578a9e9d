//! A stored enquiry, as mails and the office's item show it.

use chrono::{DateTime, NaiveDateTime, Utc};
use contracts::{Locale, content::PropertyKind};
use sqlx::PgPool;
use uuid::Uuid;

use crate::{Error, enquiry::Kind};

/// The data of an enquiry for mails and for the content service.
#[derive(Clone, Debug)]
pub struct StoredEnquiry {
    /// The enquiry's id.
    pub id: Uuid,
    /// The reference that people quote, such as `E-7K3QX9`.
    pub reference: String,
    /// The purpose of the enquiry.
    pub kind: Kind,
    /// The sender's language.
    pub locale: Locale,
    /// The sender's name.
    pub name: String,
    /// The sender's address.
    pub email: Option<String>,
    /// A telephone number.
    pub phone: Option<String>,
    /// Another telephone number.
    pub mobile: Option<String>,
    /// The sender's message.
    pub message: Option<String>,
    /// The reference of the home that the enquiry is about.
    pub home_reference: Option<String>,
    /// The home's title at the time of the enquiry.
    pub home_title: Option<String>,
    /// The home's price at the time of the enquiry, in euros.
    pub home_price: Option<i64>,
    /// The path of the home's page.
    pub home_path: Option<String>,
    /// The times proposed for a viewing, in local time of the agency.
    pub times: Vec<NaiveDateTime>,
    /// The address of the home to be valued.
    pub address: Option<String>,
    /// The kind of the home to be valued.
    pub property_kind: Option<PropertyKind>,
    /// The built area of the home to be valued, in square metres.
    pub built_area: Option<i32>,
    /// The number of attached pictures.
    pub pictures: i64,
    /// Why a program may have sent it, if that is suspected.
    pub suspect: Option<String>,
    /// When it was stored.
    pub received_at: DateTime<Utc>,
}

impl StoredEnquiry {
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
            kind: Kind::named(&row.kind).unwrap_or(Kind::General),
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
