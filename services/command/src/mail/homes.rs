//! Mails about homes.

use contracts::content::EnergyRating;
use minijinja::context;
use uuid::Uuid;

use super::{Mail, Mailer, Outcome, mailbox, moment::moment};
use crate::{
    alerts::{AlertMail, ConfirmMail, MailedHome, MailedSearch, RenewalMail},
    reason::NO_ADDRESS,
};

impl Mailer {
    /// Sends a mail that asks the owner of a mailbox to confirm a search, or how often they want mails
    /// about it.
    pub async fn send_confirm(&self, content: &ConfirmMail, id: Uuid) -> Outcome {
        let to = mailbox(None, &content.email);
        let Some(to) = to else { return Outcome::refused(NO_ADDRESS) };
        let mail = Mail::new("confirm", content.locale, to);
        self.send(&mail, &self.values_of_confirm(&mail, content), id).await
    }

    /// Sends a mail about homes.
    pub async fn send_homes(&self, alert: &AlertMail, id: Uuid) -> Outcome {
        let to = mailbox(alert.name.as_deref(), &alert.email);
        let Some(to) = to else { return Outcome::refused(NO_ADDRESS) };
        let mail = Mail {
            reply_to: Some(self.office.clone()),
            unsubscribe: Some(self.unsubscribe_url(&alert.token)),
            ..Mail::new("homes", alert.locale, to)
        };
        self.send(&mail, &self.values_of_homes(&mail, alert), id).await
    }

    /// Sends a mail that asks a subscriber after a year whether mails are still wanted.
    pub async fn send_renewal(&self, content: &RenewalMail, id: Uuid) -> Outcome {
        let to = mailbox(None, &content.email);
        let Some(to) = to else { return Outcome::refused(NO_ADDRESS) };
        let mail = Mail {
            reply_to: Some(self.office.clone()),
            unsubscribe: Some(self.unsubscribe_url(&content.token)),
            ..Mail::new("renewal", content.locale, to)
        };
        self.send(&mail, &self.values_of_renewal(&mail, content), id).await
    }

    pub(super) fn values_of_confirm(&self, mail: &Mail, content: &ConfirmMail) -> minijinja::Value {
        let path = mail.locale.path_of("/alerts/confirm");
        let known = content.known.as_ref().map(|search| {
            context! { name => search.name.as_str(), wanted => search.wanted.name() }
        });
        context! {
            known => known,
            asked_at => moment(content.asked_at, mail.locale),
            link => format!("{}?token={}", self.page(&path), content.link.as_str()),
            ..self.values(mail)
        }
    }

    pub(super) fn values_of_homes(&self, mail: &Mail, alert: &AlertMail) -> minijinja::Value {
        let homes: Vec<_> =
            alert.homes.iter().map(|home| self.values_of_home(mail, home)).collect();
        context! {
            name => alert.name.as_deref(),
            count => alert.count,
            homes => homes,
            more => alert.count - alert.homes.len(),
            searches => self.values_of_searches(mail, &alert.searches),
            manage_url => self.manage_url(mail, &alert.token),
            ..self.values(mail)
        }
    }

    pub(super) fn values_of_renewal(&self, mail: &Mail, content: &RenewalMail) -> minijinja::Value {
        context! {
            searches => self.values_of_searches(mail, &content.searches),
            manage_url => self.manage_url(mail, &content.token),
            ..self.values(mail)
        }
    }

    fn values_of_searches(&self, mail: &Mail, searches: &[MailedSearch]) -> Vec<minijinja::Value> {
        let values = searches.iter().map(|search| {
            let url = self.page(&mail.locale.path_of(&search.path));
            context! { name => search.name.as_str(), url => url }
        });
        values.collect()
    }

    /// Returns the address of the page where the reader manages their searches.
    fn manage_url(&self, mail: &Mail, token: &str) -> String {
        format!("{}?token={token}", self.page(&mail.locale.path_of("/alerts")))
    }

    fn unsubscribe_url(&self, token: &str) -> String {
        self.page(&format!("/api/alerts/unsubscribe/{token}"))
    }

    fn values_of_home(&self, mail: &Mail, home: &MailedHome) -> minijinja::Value {
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
            url => home.path.as_deref().map(|path| self.page(&locale.path_of(path))),
        }
    }
}
