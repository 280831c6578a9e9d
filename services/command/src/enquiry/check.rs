//! Validates and normalizes enquiries.

use std::collections::HashSet;

use chrono::{DateTime, NaiveDateTime, Utc};
use contracts::{Locale, OpeningPeriod, Reference, content::PropertyKind};
use lettre::Address;
use rlibphonenumber::{PhoneNumber, PhoneNumberFormat, Region};
use uuid::Uuid;

use super::{
    AREA, Code, EnquiryRequest, Kind, LENGTHS, MAX_PICTURES, MAX_TIMES, REQUIRED, Refusal,
    viewing_time::may_be_proposed,
};

/// People need at least this many seconds to fill in a form.
const MIN_SECONDS: i64 = 3;

/// The country parameter of `tel:` links. No sender writes one, and the phone number parser panics if
/// `tel:` comes after it.
const PHONE_CONTEXT: &str = ";phone-context=";

/// A valid, normalized enquiry.
#[derive(Clone, Debug)]
pub struct Enquiry {
    /// What it is for.
    pub kind: Kind,
    /// The sender's language.
    pub locale: Locale,
    /// The sender's name.
    pub name: String,
    /// A valid mail address.
    pub email: Option<String>,
    /// In E.164 format, followed by the extension if it has one.
    pub phone: Option<String>,
    /// In the same format.
    pub mobile: Option<String>,
    /// The sender's message.
    pub message: Option<String>,
    /// The home that the enquiry is about.
    pub home: Option<Reference>,
    /// The times proposed for a viewing, in local time of the agency.
    pub times: Vec<NaiveDateTime>,
    /// What is to be valued.
    pub valued: Option<Valued>,
    /// Whether the sender wants to hear of offers.
    pub marketing_consent: bool,
    /// Why a program may have sent it, if that is suspected.
    pub suspect: Option<&'static str>,
}

/// A home whose owner wants to know what it is worth.
#[derive(Clone, Debug)]
pub struct Valued {
    /// Where it is.
    pub address: String,
    /// What it is.
    pub kind: PropertyKind,
    /// In square metres.
    pub built_area: Option<u32>,
    /// The ids of stored pictures.
    pub pictures: Vec<Uuid>,
}

/// Validates `request` at the time `now`; `hours` are the office's opening hours, if they are known.
///
/// # Errors
/// Each field that breaks a rule, in the order of the form.
pub fn check(
    request: &EnquiryRequest,
    hours: Option<&[OpeningPeriod]>,
    now: DateTime<Utc>,
) -> Result<Enquiry, Vec<Refusal>> {
    read(request, now, |time| may_be_proposed(time, hours, now))
}

/// Validates `request` like [`check`], except that a viewing may be proposed for any time. So what was
/// valid once stays valid.
///
/// # Errors
/// Each field that breaks another rule.
pub fn check_at_any_time(
    request: &EnquiryRequest,
    now: DateTime<Utc>,
) -> Result<Enquiry, Vec<Refusal>> {
    read(request, now, |_| true)
}

fn read(
    request: &EnquiryRequest,
    now: DateTime<Utc>,
    may_be_proposed: impl Fn(NaiveDateTime) -> bool,
) -> Result<Enquiry, Vec<Refusal>> {
    let mut form = Form { request, refusals: Vec::new() };
    let name = form.name();
    let email = form.email();
    let phone = form.phone("phone", request.phone.as_deref());
    let mobile = form.phone("mobile", request.mobile.as_deref());
    form.check_contact();
    let message = form.message();
    let home = form.home();
    let times = form.times(may_be_proposed);
    let valued = form.valued();
    if !request.privacy_accepted {
        form.refuse("privacyAccepted", Code::Required);
    }
    if !form.refusals.is_empty() {
        return Err(form.refusals);
    }
    Ok(Enquiry {
        kind: request.kind,
        locale: request.locale,
        name,
        email,
        phone,
        mobile,
        message,
        home,
        times,
        valued,
        marketing_consent: request.marketing_consent,
        suspect: suspect(request, now),
    })
}

/// Returns why `request` may come from a program, if it is suspect.
fn suspect(request: &EnquiryRequest, now: DateTime<Utc>) -> Option<&'static str> {
    if non_empty(request.website.as_deref()).is_some() {
        return Some("trap");
    }
    let seconds = match request.opened_for {
        Some(seconds) => i64::from(seconds),
        // This compares two clocks, of which the sender's may be wrong.
        None => (now - request.started_at?).num_seconds(),
    };
    (0..MIN_SECONDS).contains(&seconds).then_some("haste")
}

struct Form<'a> {
    request: &'a EnquiryRequest,
    refusals: Vec<Refusal>,
}

impl Form<'_> {
    fn refuse(&mut self, field: &'static str, code: Code) {
        self.refusals.push(Refusal::new(field, code, self.request.locale));
    }

    fn needs(&self, field: &str) -> bool {
        REQUIRED.iter().any(|(kind, fields)| *kind == self.request.kind && fields.contains(&field))
    }

    /// Checks the length of `text` against the limits of `field`, and reports it if it is out of range.
    fn has_length(&mut self, field: &'static str, text: &str) -> bool {
        let Some((_, min, max)) = LENGTHS.iter().find(|(name, ..)| *name == field) else {
            return true;
        };
        let length = text.chars().count();
        let locale = self.request.locale;
        if length < *min {
            let short = Refusal::new(field, Code::TooShort, locale).with("min", *min);
            self.refusals.push(short);
        } else if length > *max {
            self.refusals.push(Refusal::new(field, Code::TooLong, locale).with("max", *max));
        }
        (*min..=*max).contains(&length)
    }

    fn name(&mut self) -> String {
        let request = self.request;
        if let Some(name) = single_line(request.name.as_deref()) {
            self.has_length("name", &name);
            return name;
        }
        let (first, last) =
            (single_line(request.first_name.as_deref()), single_line(request.last_name.as_deref()));
        let asked_in_two = request.first_name.is_some() || request.last_name.is_some();
        match &first {
            Some(first) => {
                self.has_length("firstName", first);
            }
            None => self.refuse(if asked_in_two { "firstName" } else { "name" }, Code::Required),
        }
        if let Some(last) = &last {
            self.has_length("lastName", last);
        }
        [first, last].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    fn email(&mut self) -> Option<String> {
        let email = non_empty(self.request.email.as_deref())?;
        if !self.has_length("email", email) {
            return None;
        }
        let address = email_address(email);
        if address.is_none() {
            self.refuse("email", Code::InvalidEmail);
        }
        address
    }

    fn phone(&mut self, field: &'static str, text: Option<&str>) -> Option<String> {
        let text = non_empty(text)?;
        if !self.has_length(field, text) {
            return None;
        }
        let number = (!text.contains(PHONE_CONTEXT))
            .then(|| PhoneNumber::parse(text, Some(Region::ES)).ok())
            .flatten();
        match number {
            Some(number) if number.is_valid() => {
                let dialled = number.format_as(PhoneNumberFormat::E164);
                Some(match number.extension() {
                    "" => dialled.into_owned(),
                    extension => format!("{dialled} ext. {extension}"),
                })
            }
            _ => {
                self.refuse(field, Code::InvalidPhone);
                None
            }
        }
    }

    fn check_contact(&mut self) {
        let request = self.request;
        let [email, phone, mobile] =
            [&request.email, &request.phone, &request.mobile].map(|it| non_empty(it.as_deref()));
        let has_number = phone.or(mobile).is_some();
        if request.kind == Kind::Callback && !has_number {
            self.refuse("phone", Code::PhoneNeeded);
        } else if email.is_none() && !has_number {
            self.refuse("email", Code::ContactNeeded);
        }
    }

    fn message(&mut self) -> Option<String> {
        let message = text(self.request.message.as_deref());
        match &message {
            Some(message) => {
                self.has_length("message", message);
            }
            None if self.needs("message") => self.refuse("message", Code::Required),
            None => {}
        }
        message
    }

    fn home(&mut self) -> Option<Reference> {
        let Some(reference) = non_empty(self.request.reference.as_deref()) else {
            if self.needs("ref") {
                self.refuse("ref", Code::Required);
            }
            return None;
        };
        let reference = reference.parse().ok();
        if reference.is_none() {
            self.refuse("ref", Code::UnknownHome);
        }
        reference
    }

    fn times(&mut self, may_be_proposed: impl Fn(NaiveDateTime) -> bool) -> Vec<NaiveDateTime> {
        let given = &self.request.times;
        let times: Vec<&str> = given.iter().filter_map(|time| non_empty(Some(time))).collect();
        if times.is_empty() {
            if self.needs("times") {
                self.refuse("times", Code::Required);
            }
            return Vec::new();
        }
        if times.len() > MAX_TIMES {
            let many = Refusal::new("times", Code::TooMany, self.request.locale);
            self.refusals.push(many.with("max", MAX_TIMES));
            return Vec::new();
        }
        let read = |time: &str| {
            NaiveDateTime::parse_from_str(time, "%Y-%m-%dT%H:%M")
                .ok()
                .filter(|time| may_be_proposed(*time))
        };
        let read: Option<Vec<_>> = times.into_iter().map(read).collect();
        let Some(mut read) = read else {
            self.refuse("times", Code::InvalidTime);
            return Vec::new();
        };
        // The form does not check for duplicates.
        let mut known = HashSet::new();
        read.retain(|time| known.insert(*time));
        read
    }

    fn valued(&mut self) -> Option<Valued> {
        if self.request.kind != Kind::Valuation {
            return None;
        }
        let address = single_line(self.request.address.as_deref());
        match &address {
            Some(address) => {
                self.has_length("address", address);
            }
            None => self.refuse("address", Code::Required),
        }
        let given = non_empty(self.request.property_kind.as_deref());
        let kind = given.and_then(|kind| kind.parse().ok());
        if kind.is_none() {
            let code = if given.is_none() { Code::Required } else { Code::Invalid };
            self.refuse("propertyKind", code);
        }
        let built_area = self.request.built_area;
        if built_area.is_some_and(|area| !(AREA.0..=AREA.1).contains(&area)) {
            let locale = self.request.locale;
            let [min, max] = [AREA.0, AREA.1].map(|limit| locale.number(limit.into()));
            let refusal = Refusal::new("builtArea", Code::OutOfRange, locale);
            self.refusals.push(refusal.with("min", min).with("max", max));
        }
        let pictures = self.request.pictures.clone();
        if pictures.len() > MAX_PICTURES {
            let many = Refusal::new("pictures", Code::TooMany, self.request.locale);
            self.refusals.push(many.with("max", MAX_PICTURES));
        }
        Some(Valued { address: address?, kind: kind?, built_area, pictures })
    }
}

/// Normalizes `text` as a mail address that is reachable from outside: its domain has a dot. The result
/// is ASCII, which every mail server accepts, and for which case-insensitive comparison never merges two
/// different mailboxes.
pub fn email_address(text: &str) -> Option<String> {
    let written = text.trim().parse::<Address>().ok()?;
    let domain = idna::domain_to_ascii(written.domain()).ok()?;
    let address = Address::new(written.user(), domain).ok()?;
    let is_fit = address.user().is_ascii() && address.domain().contains('.');
    is_fit.then(|| address.to_string())
}

/// Returns the trimmed text, or `None` if it is empty.
fn non_empty(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

/// Normalizes `text` to one line, so that it can't inject headers into a mail.
pub fn single_line(text: Option<&str>) -> Option<String> {
    let words: Vec<&str> = non_empty(text)?
        .split(|character: char| character.is_whitespace() || character.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Normalizes line breaks and removes control characters.
fn text(text: Option<&str>) -> Option<String> {
    let kept: String = non_empty(text)?
        .replace("\r\n", "\n")
        .chars()
        .filter(|character| *character == '\n' || *character == '\t' || !character.is_control())
        .collect();
    non_empty(Some(&kept)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::enquiry::tests::office_hours;

    fn checked(fields: &Value) -> Result<Enquiry, Vec<(&'static str, Code)>> {
        let mut request = json!({
            "kind": "general", "name": "Ann Lee", "email": "ann@x.example",
            "message": "Is there a lift in the house?", "privacyAccepted": true,
        });
        for (name, value) in fields.as_object().expect("fields") {
            request[name] = value.clone();
        }
        let request: EnquiryRequest = serde_json::from_value(request).expect("a request");
        let now = "2026-11-23T12:00:00Z".parse().expect("a time");
        check(&request, Some(&office_hours()), now).map_err(|refusals| {
            refusals.into_iter().map(|refusal| (refusal.field, refusal.code)).collect()
        })
    }

    fn refused(fields: &Value) -> Vec<(&'static str, Code)> {
        checked(fields).expect_err("a refusal")
    }

    #[test]
    fn each_field_reports_the_rule_that_it_breaks() {
        assert_eq!(refused(&json!({ "name": " " })), [("name", Code::Required)]);
        assert_eq!(
            refused(&json!({ "name": null, "firstName": "", "lastName": "Lee" })),
            [("firstName", Code::Required)]
        );
        assert_eq!(refused(&json!({ "email": "ann@x" })), [("email", Code::InvalidEmail)]);
        assert_eq!(refused(&json!({ "phone": "12" })), [("phone", Code::InvalidPhone)]);
        assert_eq!(refused(&json!({ "email": "" })), [("email", Code::ContactNeeded)]);
        assert_eq!(refused(&json!({ "message": "Short" })), [("message", Code::TooShort)]);
        assert_eq!(refused(&json!({ "message": "x".repeat(2_001) })), [("message", Code::TooLong)]);
        assert_eq!(refused(&json!({ "kind": "property" })), [("ref", Code::Required)]);
        assert_eq!(refused(&json!({ "ref": "../etc" })), [("ref", Code::UnknownHome)]);
        assert_eq!(refused(&json!({ "kind": "callback" })), [("phone", Code::PhoneNeeded)]);
        assert_eq!(
            refused(&json!({ "privacyAccepted": false })),
            [("privacyAccepted", Code::Required)]
        );
        assert_eq!(
            refused(&json!({ "kind": "valuation", "propertyKind": "castle", "builtArea": 3 })),
            [
                ("address", Code::Required),
                ("propertyKind", Code::Invalid),
                ("builtArea", Code::OutOfRange)
            ]
        );
        let pictures = vec![Uuid::nil(); MAX_PICTURES + 1];
        let valuation = json!({ "kind": "valuation", "message": null, "pictures": pictures,
                                "address": "Calle Real 1, Nerja", "propertyKind": "villa" });
        assert_eq!(refused(&valuation), [("pictures", Code::TooMany)]);
        let viewing = json!({ "kind": "viewing", "ref": "AH-1042", "times": ["2026-11-29T10:00"] });
        assert_eq!(refused(&viewing), [("times", Code::InvalidTime)]);
        let times = ["2026-12-01T10:30", "T11:30"];
        let viewing = json!({ "kind": "viewing", "ref": "AH-1042", "times": times });
        assert_eq!(refused(&viewing), [("times", Code::InvalidTime)], "an hour without a day");
    }

    #[test]
    fn a_size_out_of_range_is_refused_with_the_limits() {
        let request = json!({ "kind": "valuation", "name": "Ann", "email": "ann@x.example", "locale": "es",
                              "address": "Calle Real 1, Nerja", "propertyKind": "villa",
                              "builtArea": 6, "privacyAccepted": true });
        let request: EnquiryRequest = serde_json::from_value(request).expect("a request");
        let refusals = check(&request, None, Utc::now()).expect_err("6 m² are too few");
        assert_eq!(refusals[0].detail, "Escriba de 10 a 100.000 m².");
    }

    /// The forms of the pages are tested with the same file (`frontend/app/lib/enquiry/check.test.ts`).
    #[test]
    fn the_limits_of_each_rule_are_those_of_the_forms() {
        let file = include_str!("../../border-cases.json");
        let file: Value = serde_json::from_str(file).expect("the file is read");
        let cases = file["cases"].as_array().expect("cases");
        for case in cases {
            let kind = case["kind"].as_str().expect("a kind");
            let mut request = file["forms"][kind].clone();
            request["kind"] = kind.into();
            request["privacyAccepted"] = true.into();
            for (field, value) in case["change"].as_object().expect("fields") {
                request[field] = written(value);
            }
            let request: EnquiryRequest = serde_json::from_value(request).expect("a request");
            let now = "2026-11-23T12:00:00Z".parse().expect("a time");
            let refused: Vec<Value> = check(&request, Some(&office_hours()), now)
                .err()
                .unwrap_or_default()
                .into_iter()
                .map(|refusal| json!([refusal.field, refusal.code]))
                .collect();
            assert_eq!(json!(refused), case["refused"], "{case}");
        }
    }

    /// Expands a pair of a character and a count to a text.
    fn written(value: &Value) -> Value {
        match (value[0].as_str(), value[1].as_u64()) {
            (Some(letter), Some(times)) => {
                letter.repeat(times.try_into().expect("a number")).into()
            }
            _ => value.clone(),
        }
    }

    #[test]
    fn duplicate_times_are_removed() {
        let times = ["2026-12-08T10:30", "2026-12-01T11:00", "2026-12-08T10:30"];
        let viewing = json!({ "kind": "viewing", "ref": "AH-1042", "times": times });
        let kept = checked(&viewing).expect("an enquiry").times;
        let kept: Vec<String> = kept.iter().map(ToString::to_string).collect();
        assert_eq!(kept, ["2026-12-08 10:30:00", "2026-12-01 11:00:00"]);
    }

    #[test]
    fn numbers_are_stored_in_international_format() {
        let dialled = |phone: &str| {
            checked(&json!({ "phone": phone })).expect("a number").phone.expect("a number")
        };
        assert_eq!(dialled("600 12 34 56"), "+34600123456");
        assert_eq!(dialled("+44 20 7946 0958"), "+442079460958");
        assert_eq!(dialled("0034 952 53 00 00"), "+34952530000");
        assert_eq!(dialled("+44 20 7946 0958 ext. 123"), "+442079460958 ext. 123");
        assert_eq!(dialled("952 53 00 00 x12"), "+34952530000 ext. 12");
    }

    #[test]
    fn different_mailboxes_never_normalize_to_one_address() {
        let spanish = email_address(" Ann@ESPA\u{d1}A.es ");
        assert_eq!(spanish.as_deref(), Some("Ann@xn--espaa-rta.es"));
        // Letters that some lower-casing functions map to `k` and `i`.
        assert_eq!(email_address("\u{212a}im@x.example"), None);
        let turkish = email_address("ann@gma\u{130}l.example");
        assert_ne!(turkish.as_deref(), Some("ann@gmail.example"));
    }

    #[test]
    fn a_name_is_one_line_and_a_message_keeps_its_lines() {
        let enquiry = checked(&json!({
            "name": "Ann\r\nBcc: all@x.example", "message": "One\r\n\u{0}two\u{7} and three",
        }))
        .expect("an enquiry");
        assert_eq!(enquiry.name, "Ann Bcc: all@x.example");
        assert_eq!(enquiry.message.as_deref(), Some("One\ntwo and three"));
    }

    #[test]
    fn an_enquiry_that_a_program_may_have_sent_is_suspect() {
        let suspect = |fields: &Value| checked(fields).expect("an enquiry").suspect;
        assert_eq!(suspect(&json!({ "website": "http://x.example" })), Some("trap"));
        assert_eq!(suspect(&json!({ "startedAt": "2026-11-23T11:59:59Z" })), Some("haste"));
        assert_eq!(suspect(&json!({ "startedAt": "2026-11-23T11:58:00Z" })), None);
        assert_eq!(suspect(&json!({ "openedFor": 2 })), Some("haste"));
        assert_eq!(suspect(&json!({ "openedFor": 3 })), None);
        let fast_clock = json!({ "openedFor": 47, "startedAt": "2026-11-23T11:59:59Z" });
        assert_eq!(suspect(&fast_clock), None);
        assert_eq!(suspect(&json!({})), None);
    }
}
