//! Editors' HTML, with nothing in it that could do anything: cleaned once, where the rows are made.

/// `html` with the elements and attributes that texts are made of, and no others. Links out say
/// nothing of where their visitor came from.
pub fn clean(html: &str) -> String {
    ammonia::clean(html)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_and_scripts_go() {
        let text =
            "<h2>The coast</h2><p>Flat, <em>sunny</em>.</p><table><tr><td>7 %</td></tr></table>";
        for kept in ["<h2>", "<em>sunny</em>", "<td>7 %</td>"] {
            assert!(clean(text).contains(kept), "{kept}");
        }
        let hostile = "<p onclick=\"x()\">a<script>x()</script><img src=x onerror=x()>\
            <a href=\"javascript:x()\">b</a><iframe src=\"//evil\"></iframe>";
        let cleaned = clean(hostile);
        for gone in ["script", "onclick", "onerror", "iframe"] {
            assert!(!cleaned.contains(gone), "{gone}: {cleaned}");
        }
    }

    #[test]
    fn cleaning_twice_changes_nothing() {
        let once = clean("<p>5 < 6 & <a href=\"/docs\">more</a>");
        assert_eq!(clean(&once), once);
    }
}
