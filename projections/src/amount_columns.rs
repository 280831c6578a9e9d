//! Marks columns of amounts in the tables of editors' texts, so that they are aligned by their last digits
//! and easy to compare.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::html::pattern;

/// Returns `table` with CSS classes on the cells of amount columns and on the row of totals.
pub fn mark(table: &str) -> String {
    // With cells that span columns or rows, or with nested tables, a cell's column is unknown.
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

/// Returns, for each column, how many more of its cells are amounts than are not.
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

/// Returns whether a row is a row of totals by its first cell: the word is the same in both languages.
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
    fn amount_columns_and_their_totals_are_marked() {
        assert_eq!(
            mark(
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
    fn other_tables_are_unchanged() {
        for table in [
            "<table><tbody><tr><td>Total</td><td>Yes</td></tr><tr><td>A</td><td>€1</td></tr>",
            "<table><tbody><tr><td colspan=\"2\">€1</td></tr><tr><td>€1</td><td>A</td></tr>",
            "<table><tbody><tr><td><table><tr><td>€1</td></tr></table></td><td>€1</td></tr>",
            "<table><tbody><tr><td>€7,260 (€6,000 net)</td></tr>",
        ] {
            assert_eq!(mark(table), table);
        }
    }
}
