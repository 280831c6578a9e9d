//! Mails about homes.

use contracts::content::EnergyRating;
use lettre::message::Mailbox;
use minijinja::context;
use uuid::Uuid;

use super::{Mail, Mailer, Outcome, localized, moment::moment};
use crate::{
    alerts::{AlertMail, ConfirmMail, RenewalMail, ToldHome, ToldSearch},
    reason::NO_ADDRESS,
};

impl Mailer {
    /// Asks whoever reads a mailbox whether they want mails about a search, or how often.
    pub async fn ask_to_confirm(&self, asked: &ConfirmMail, id: Uuid) -> Outcome {
        let Ok(address) = asked.email.parse() else {
            return Outcome::Refused(NO_ADDRESS.to_owned());
        };
        let mail = Mail {
            template: "confirm",
            locale: asked.locale,
            to: Mailbox::new(None, address),
            reply_to: None,
            automatic: "auto-generated",
            unsubscribe: None,
            pictures: Vec::new(),
        };
        self.send(&mail, &self.values_of_confirm(&mail, asked), id).await
    }

    /// Tells somebody of homes.
    pub async fn tell_of_homes(&self, told: &AlertMail, id: Uuid) -> Outcome {
        let Ok(address) = told.email.parse() else {
            return Outcome::Refused(NO_ADDRESS.to_owned());
        };
        let mail = Mail {
            template: "homes",
            locale: told.locale,
            to: Mailbox::new(told.name.clone(), address),
            reply_to: Some(self.office.clone()),
            automatic: "auto-generated",
            unsubscribe: Some(self.unsubscribe_url(&told.token)),
            pictures: Vec::new(),
        };
        self.send(&mail, &self.values_of_homes(&mail, told), id).await
    }

    /// Asks whoever was told of homes for a year whether they still want that.
    pub async fn ask_to_renew(&self, asked: &RenewalMail, id: Uuid) -> Outcome {
        let Ok(address) = asked.email.parse() else {
            return Outcome::Refused(NO_ADDRESS.to_owned());
        };
        let mail = Mail {
            template: "renewal",
            locale: asked.locale,
            to: Mailbox::new(None, address),
            reply_to: Some(self.office.clone()),
            automatic: "auto-generated",
            unsubscribe: Some(self.unsubscribe_url(&asked.token)),
            pictures: Vec::new(),
        };
        self.send(&mail, &self.values_of_renewal(&mail, asked), id).await
    }

    pub(super) fn values_of_confirm(&self, mail: &Mail, asked: &ConfirmMail) -> minijinja::Value {
        let path = localized(mail.locale, "/alerts/confirm");
        let known = asked.known.as_ref().map(|search| {
            context! { name => search.name.as_str(), wanted => search.wanted.name() }
        });
        context! {
            known => known,
            asked_at => moment(asked.asked_at, mail.locale),
            link => format!("{}?token={}", self.page(&path), asked.link.as_str()),
            ..self.values(mail)
        }
    }

    pub(super) fn values_of_homes(&self, mail: &Mail, told: &AlertMail) -> minijinja::Value {
        let homes: Vec<_> = told.homes.iter().map(|home| self.values_of_home(mail, home)).collect();
        context! {
            name => told.name.as_deref(),
            count => told.count,
            homes => homes,
            more => told.count - told.homes.len(),
            searches => self.values_of_searches(mail, &told.searches),
            manage_url => self.manage_url(mail, &told.token),
            ..self.values(mail)
        }
    }

    pub(super) fn values_of_renewal(&self, mail: &Mail, asked: &RenewalMail) -> minijinja::Value {
        context! {
            searches => self.values_of_searches(mail, &asked.searches),
            manage_url => self.manage_url(mail, &asked.token),
            ..self.values(mail)
        }
    }

    fn values_of_searches(&self, mail: &Mail, searches: &[ToldSearch]) -> Vec<minijinja::Value> {
        let values = searches.iter().map(|search| {
            let url = self.page(&localized(mail.locale, &search.path));
            context! { name => search.name.as_str(), url => url }
        });
        values.collect()
    }

    /// Where the reader sees all that they hear of, and changes it.
    fn manage_url(&self, mail: &Mail, token: &str) -> String {
        format!("{}?token={token}", self.page(&localized(mail.locale, "/alerts")))
    }

    fn unsubscribe_url(&self, token: &str) -> String {
        self.page(&format!("/api/alerts/unsubscribe/{token}"))
    }

    fn values_of_home(&self, mail: &Mail, home: &ToldHome) -> minijinja::Value {
        let locale = mail.locale;
        let status = serde_json::to_value(home.status).ok();
        context! {
            happened => home.happened.name(),
            title => home.title.as_str(),
            place => home.place.as_str(),
            price => home.price.map(|price| locale.euros(price)),
            price_before => home.price_before.map(|price| locale.euros(price)),
            status => status.as_ref().and_then(serde_json::Value::as_str),
            bedrooms => home.bedrooms,
            built_area => home.built_area.map(|area| locale.number(area)),
            energy => home.energy.map(EnergyRating::name),
            url => home.path.as_deref().map(|path| self.page(&localized(locale, path))),
        }
    }
}
