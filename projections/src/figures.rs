//! Amounts in the tables of editors' texts: one below the other they are compared by their last digits.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::html::pattern;

/// `table`, whose cells in columns of amounts are marked, and the row that adds them up.
pub fn marked(table: &str) -> String {
    // Which column a cell stands in can't be told where another is as wide as two.
    if table.contains("span=\"") || table.contains("</table>") {
        return table.to_owned();
    }
    let columns = balances(table);
    if columns.iter().all(|balance| *balance <= 0) {
        return table.to_owned();
    }
    let mut rows = table.split("<tr");
    let mut marked = rows.next().unwrap_or_default().to_owned();
    for row in rows {
        marked.push_str(if is_total(row) { "<tr class=\"total\"" } else { "<tr" });
        let mut columns = columns.iter();
        marked.push_str(&CELL.replace_all(row, |cell: &Captures<'_>| {
            let (start, rest) = cell[0].split_at("<td".len());
            let is_figure = columns.next().is_some_and(|balance| *balance > 0);
            format!("{start}{}{rest}", if is_figure { " class=\"figure\"" } else { "" })
        }));
    }
    marked
}

/// How many more of each column's cells are amounts than are something else.
fn balances(table: &str) -> Vec<i32> {
    let mut columns = Vec::new();
    for row in table.split("<tr") {
        for (column, cell) in CELL.captures_iter(row).enumerate() {
            if columns.len() == column {
                columns.push(0);
            }
            if &cell[1] == "td" {
                columns[column] += if AMOUNT.is_match(&words(&cell[2])) { 1 } else { -1 };
            }
        }
    }
    columns
}

/// Whether a row's first cell says that it adds up the others: both languages have the same word.
fn is_total(row: &str) -> bool {
    CELL.captures(row).is_some_and(|cell| &cell[1] == "td" && words(&cell[2]).trim() == "Total")
}

fn words(html: &str) -> String {
    TAG.replace_all(html, "").into_owned()
}

static CELL: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?s)<(t[dh])\b[^>]*>(.*?)</t[dh]>"));
static TAG: LazyLock<Regex> = LazyLock::new(|| pattern("<[^>]*>"));
static AMOUNT: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*(?:€[0-9.,]+|[0-9.,]+\s?€)\s*$"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_amounts_are_marked_and_so_is_their_total() {
        assert_eq!(
            marked(
                "<table><thead><tr><th>Bill</th><th>Price</th><th>When</th></tr></thead><tbody>\
                 <tr><td>ITP</td><td>17.500\u{a0}€</td><td>Now</td></tr>\
                 <tr><td>AJD</td><td>None</td><td>€3</td></tr>\
                 <tr><td>Total</td><td><strong>€17,500</strong></td><td>Later</td></tr></tbody>"
            ),
            "<table><thead><tr><th>Bill</th><th class=\"figure\">Price</th><th>When</th></tr></thead>\
             <tbody><tr><td>ITP</td><td class=\"figure\">17.500\u{a0}€</td><td>Now</td></tr>\
             <tr><td>AJD</td><td class=\"figure\">None</td><td>€3</td></tr>\
             <tr class=\"total\"><td>Total</td><td class=\"figure\"><strong>€17,500</strong></td>\
             <td>Later</td></tr></tbody>"
        );
    }

    #[test]
    fn other_tables_stay_as_they_are() {
        for table in [
            "<table><tbody><tr><td>Total</td><td>Yes</td></tr><tr><td>A</td><td>€1</td></tr>",
            "<table><tbody><tr><td colspan=\"2\">€1</td></tr><tr><td>€1</td><td>A</td></tr>",
            "<table><tbody><tr><td><table><tr><td>€1</td></tr></table></td><td>€1</td></tr>",
            "<table><tbody><tr><td>€7,260 (€6,000 net)</td></tr>",
        ] {
            assert_eq!(marked(table), table);
        }
    }
}
