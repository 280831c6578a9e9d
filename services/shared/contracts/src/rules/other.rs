//! The rules that do not fit in the table, because they concern parts of a field or several fields; and the
//! reasons why an item as a whole can't be recorded.

use serde_json::Value;

use super::Violation;
use crate::Locale;

/// Declares an enum of messages to editors, each in both languages.
macro_rules! messages {
    ($(#[$doc:meta])* $name:ident, { $($(#[$about:meta])* $variant:ident = $english:literal, $spanish:literal;)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$about])* $variant,)+
        }

        impl $name {
            /// All variants.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the message to editors in the language of `locale`.
            pub const fn words_in(self, locale: Locale) -> &'static str {
                match (self, locale) {
                    $((Self::$variant, Locale::En) => $english,
                      (Self::$variant, Locale::Es) => $spanish,)+
                }
            }
        }
    };
}

messages!(
    /// A rule that does not fit in the table; its words follow the name of the field.
    OtherRule, {
        /// It is a text.
        Text = "must be a text", "debe ser un texto";
        /// It is not empty.
        Filled = "can't be empty", "no puede estar vacío";
        /// It is of a closed set.
        Word = "must be one of the choices", "debe ser una de las opciones";
        /// It is a whole number.
        Whole = "must be a whole number", "debe ser un número entero";
        /// It is a number.
        Number = "must be a number", "debe ser un número";
        /// It is yes or no.
        Flag = "must be yes or no", "debe ser sí o no";
        /// It is a date, with its time or without.
        Date = "must be a date", "debe ser una fecha";
        /// It is a list of texts.
        Texts = "must be a list of texts", "debe ser una lista de textos";
        /// No text in it contains U+0000, which Postgres can't store.
        NoNul = "must not hold the character U+0000", "no puede contener el carácter U+0000";
        /// It is a valid part of a URL path.
        Address = "must be able to stand in an address", "debe poder figurar en una dirección web";
        /// A text that is required in at least one language, because there would be nothing to show.
        InALanguage =
            "must have a text in one language at least",
            "debe tener un texto al menos en un idioma";
        /// It is a file.
        File = "must be a file of the library", "debe ser un archivo de la biblioteca";
        /// The place of a home is published.
        PublishedPlace =
            "must be a published place that has a name and a slug",
            "debe ser una zona publicada que tenga nombre y dirección web";
        /// No place is part of itself.
        PlaceNotInItself =
            "must be a place that does not itself lie in this one",
            "debe ser una zona que no esté, a su vez, dentro de esta";
        /// No place is nested more deeply than is supported.
        PlaceDepth =
            "must be a place that lies in at most 3 others",
            "debe ser una zona que esté dentro de otras 3 como máximo";
        /// No menu entry is its own descendant.
        EntryNotInItself =
            "must be an entry that does not itself stand under this one",
            "debe ser una entrada que no esté, a su vez, dentro de esta";
        /// The parent of a menu entry is one below which its menu shows entries.
        EntryOfTheMenu =
            "must be a published entry of the same menu, as must those above it, at most 2",
            "debe ser una entrada publicada del mismo menú, igual que las que tenga por encima, 2 como máximo";
        /// An article is not published before its day.
        FutureDay =
            "must not be a day to come: the article is shown from that day on",
            "no puede ser un día futuro: el artículo se muestra a partir de ese día";
        /// The area of a room.
        RoomArea =
            "must be a number above 0 and up to 10000, or empty",
            "debe ser un número mayor que 0 y de 10000 como máximo, o quedar vacío";
        /// A video or a tour that pages can show.
        Embed =
            "must be the address of a service whose videos or tours can be shown",
            "debe ser la dirección de un servicio cuyos vídeos o visitas virtuales se puedan mostrar";
        /// The time when the office opens or closes.
        TimeOfDay =
            "must be a time of the day such as 09:30",
            "debe ser una hora del día, como 09:30";
        /// The office closes after it opens.
        AfterOpening =
            "must be later than the time of opening",
            "debe ser posterior a la hora de apertura";
        /// Months as numbers.
        Months =
            "must be a list of numbers from 1 to 12",
            "debe ser una lista de números del 1 al 12";
        /// Weekdays as numbers.
        Weekdays =
            "must be a list of numbers from 1 to 7",
            "debe ser una lista de números del 1 al 7";
        /// A redirect has a target.
        Destination =
            "must say where it went, unless the code is 410",
            "debe decir adónde lleva, salvo que el código sea 410";
        /// Each path has at most one redirect, regardless of spelling variants.
        UniqueAddress =
            "must be an address that no other redirect leads from, however it is spelt",
            "debe ser una dirección de la que no parta ninguna otra redirección, se escriba como se escriba";
    }
);

messages!(
    /// The reason why an item as a whole can't be recorded or published.
    ItemFault, {
        /// The content service can't return it.
        Unreadable =
            "the content service can't give it",
            "el gestor de contenidos no puede entregarlo";
        /// The ledger refuses it.
        Unstorable = "the ledger can't store it", "el libro de versiones no puede guardarlo";
        /// The log refuses it.
        Unpublishable = "the log can't take it", "el registro no puede admitirlo";
    }
);

impl OtherRule {
    /// Returns the violation of this rule by `field` with `value`.
    pub fn broken(self, field: &str, value: &Value) -> Violation {
        Violation::new(field, value, self.words_in(Locale::En))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_have_words_in_both_languages() {
        for rule in OtherRule::ALL {
            let broken = rule.broken("rooms.kind", &Value::Null);
            assert_eq!(broken.rule_in(Locale::En), rule.words_in(Locale::En));
            assert_eq!(broken.rule_in(Locale::Es), rule.words_in(Locale::Es));
            assert_ne!(broken.rule_in(Locale::Es), broken.rule);
        }
    }

    #[test]
    fn the_fault_of_an_item_keeps_its_cause_in_translation() {
        for fault in ItemFault::ALL {
            let broken = Violation::of_the_item(*fault, &"500: out of memory");
            for locale in Locale::ALL {
                let expected = format!("{}: 500: out of memory", fault.words_in(locale));
                assert_eq!(broken.rule_in(locale), expected);
            }
        }
    }
}
