//! Formats a time for use in a sentence.

use chrono::{DateTime, Datelike, Timelike, Utc};
use chrono_tz::Europe::Madrid;
use contracts::Locale;

/// Formats `time` in the agency's local time: `29 November at 14:05` or `29 de noviembre a las 14:05`.
pub fn moment(time: DateTime<Utc>, locale: Locale) -> String {
    let here = time.with_timezone(&Madrid);
    match locale {
        Locale::En => here.format("%-d %B at %H:%M").to_string(),
        Locale::Es => {
            let article = if here.hour() == 1 { "la" } else { "las" };
            let (day, month) = (here.day(), spanish_month(here.month()));
            format!("{day} de {month} a {article} {}", here.format("%H:%M"))
        }
    }
}

const fn spanish_month(month: u32) -> &'static str {
    match month {
        1 => "enero",
        2 => "febrero",
        3 => "marzo",
        4 => "abril",
        5 => "mayo",
        6 => "junio",
        7 => "julio",
        8 => "agosto",
        9 => "septiembre",
        10 => "octubre",
        11 => "noviembre",
        _ => "diciembre",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_formatted_in_the_agencys_local_time() {
        for (time, en, es) in [
            ("2026-11-29T13:05:00Z", "29 November at 14:05", "29 de noviembre a las 14:05"),
            ("2026-06-30T23:09:00Z", "1 July at 01:09", "1 de julio a la 01:09"),
            ("2026-12-31T23:00:00Z", "1 January at 00:00", "1 de enero a las 00:00"),
        ] {
            let time = time.parse().expect("a time");
            assert_eq!([moment(time, Locale::En), moment(time, Locale::Es)], [en, es]);
        }
    }
}
