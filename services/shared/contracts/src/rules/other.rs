//! The rules that the table has no room for: of what stands inside a field, or takes several of them; and
//! why an item can't be recorded at all.

use serde_json::Value;

use super::Violation;
use crate::Locale;

/// Declares a closed set of what editors are told, each in both languages.
macro_rules! told {
    ($(#[$doc:meta])* $name:ident, { $($(#[$about:meta])* $variant:ident = $english:literal, $spanish:literal;)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$about])* $variant,)+
        }

        impl $name {
            /// Every one.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// What editors are told, in the words of `locale`.
            pub const fn words_in(self, locale: Locale) -> &'static str {
                match (self, locale) {
                    $((Self::$variant, Locale::En) => $english,
                      (Self::$variant, Locale::Es) => $spanish,)+
                }
            }
        }
    };
}

told!(
    /// A rule that the table has no room for; its words follow the name of the field.
    OtherRule, {
        /// It is a text.
        Text = "must be a text", "debe ser un texto";
        /// There is something.
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
        /// No text in it holds what Postgres can't store.
        NoNul = "must not hold the character U+0000", "no puede contener el carácter U+0000";
        /// It can stand in an address.
        Address = "must be able to stand in an address", "debe poder figurar en una dirección web";
        /// The text without which there is nothing to show.
        InALanguage =
            "must have a text in one language at least",
            "debe tener un texto al menos en un idioma";
        /// It is a file.
        File = "must be a file of the library", "debe ser un archivo de la biblioteca";
        /// A home's place is one that the public may know of.
        PublishedPlace =
            "must be a published place that has a name and a slug",
            "debe ser una zona publicada que tenga nombre y dirección web";
        /// No place lies in itself.
        PlaceElsewhere =
            "must be a place that does not itself lie in this one",
            "debe ser una zona que no esté, a su vez, dentro de esta";
        /// No place lies deeper than is read.
        PlaceNearTheTop =
            "must be a place that lies in at most 3 others",
            "debe ser una zona que esté dentro de otras 3 como máximo";
        /// No entry of a menu stands under itself.
        EntryElsewhere =
            "must be an entry that does not itself stand under this one",
            "debe ser una entrada que no esté, a su vez, dentro de esta";
        /// No entry of a menu stands where no menu shows it.
        EntryOfTheMenu =
            "must be a published entry of the same menu, as must those above it, at most 2",
            "debe ser una entrada publicada del mismo menú, igual que las que tenga por encima, 2 como máximo";
        /// An article waits for its day.
        DayToCome =
            "must not be a day to come: the article is shown from that day on",
            "no puede ser un día futuro: el artículo se muestra a partir de ese día";
        /// How large a room is.
        RoomArea =
            "must be a number above 0 and up to 10000, or empty",
            "debe ser un número mayor que 0 y de 10000 como máximo, o quedar vacío";
        /// A video or a tour that pages can show.
        Embed =
            "must be the address of a service whose videos or tours can be shown",
            "debe ser la dirección de un servicio cuyos vídeos o visitas virtuales se puedan mostrar";
        /// When the office opens, or closes.
        TimeOfDay =
            "must be a time of the day such as 09:30",
            "debe ser una hora del día, como 09:30";
        /// The office closes after it opens.
        AfterOpening =
            "must be later than the time of opening",
            "debe ser posterior a la hora de apertura";
        /// Months by their numbers.
        Months =
            "must be a list of numbers from 1 to 12",
            "debe ser una lista de números del 1 al 12";
        /// Weekdays by theirs.
        Weekdays =
            "must be a list of numbers from 1 to 7",
            "debe ser una lista de números del 1 al 7";
        /// A redirect leads somewhere.
        Destination =
            "must say where it went, unless the code is 410",
            "debe decir adónde lleva, salvo que el código sea 410";
        /// One redirect leads from each address, however that is spelt.
        AddressOfItsOwn =
            "must be an address that no other redirect leads from, however it is spelt",
            "debe ser una dirección de la que no parta ninguna otra redirección, se escriba como se escriba";
    }
);

told!(
    /// Why an item can't be recorded, or published, as a whole.
    ItemFault, {
        /// It can't be read.
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
    /// That `field`, which holds `value`, breaks it.
    pub fn broken(self, field: &str, value: &Value) -> Violation {
        Violation::new(field, value, self.words_in(Locale::En))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_told_in_both_languages() {
        for rule in OtherRule::ALL {
            let broken = rule.broken("rooms.kind", &Value::Null);
            assert_eq!(broken.rule_in(Locale::En), rule.words_in(Locale::En));
            assert_eq!(broken.rule_in(Locale::Es), rule.words_in(Locale::Es));
            assert_ne!(broken.rule_in(Locale::Es), broken.rule);
        }
    }

    #[test]
    fn what_is_told_of_the_item_keeps_its_cause() {
        for fault in ItemFault::ALL {
            let broken = Violation::of_the_item(*fault, &"500: out of memory");
            for locale in Locale::ALL {
                let expected = format!("{}: 500: out of memory", fault.words_in(locale));
                assert_eq!(broken.rule_in(locale), expected);
            }
        }
    }
}
