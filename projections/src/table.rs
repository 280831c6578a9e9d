//! The tables of a generation, and the statements that write them.
//!
//! Rows travel as one JSON array a statement, which Postgres itself turns into columns
//! (`jsonb_populate_recordset`): one round trip for any number of rows.

use std::fmt::Write as _;

/// One table of a generation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    /// Its name, and that of its view in `read`.
    pub name: &'static str,
    /// What it has a row for.
    pub per: Per,
    /// Columns beside `key`, `locale`, `version` and `changed_at`, with their types.
    pub columns: &'static [(&'static str, &'static str)],
    /// What is looked up: column lists of indexes.
    pub indexes: &'static [&'static str],
}

/// What a table has a row for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Per {
    /// Each aggregate.
    Aggregate,
    /// Each aggregate in each locale.
    Locale,
    /// Each version of an aggregate; rows stay when it changes or goes.
    Version,
}

impl Table {
    fn key(&self) -> &'static str {
        match self.per {
            Per::Aggregate => "key",
            Per::Locale => "key, locale",
            Per::Version => "key, version",
        }
    }

    /// The columns in order.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        let locale = (self.per == Per::Locale).then_some("locale");
        ["key"]
            .into_iter()
            .chain(locale)
            .chain(["version", "changed_at"])
            .chain(self.columns.iter().map(|(name, _)| *name))
    }

    /// Makes the table in `schema`.
    pub fn create(&self, schema: &str) -> String {
        let mut sql = format!("create table {schema}.{} (key text not null", self.name);
        if self.per == Per::Locale {
            sql.push_str(", locale text not null");
        }
        sql.push_str(", version bigint not null, changed_at timestamptz not null");
        for (name, kind) in self.columns {
            // Writing to a String does not fail.
            let _ok = write!(sql, ", {name} {kind}");
        }
        let _ok = write!(sql, ", primary key ({}));", self.key());
        for index in self.indexes {
            let _ok = write!(sql, "create index on {schema}.{} ({index});", self.name);
        }
        sql
    }

    /// Shows the table of `schema` in `read`.
    pub fn create_view(&self, schema: &str) -> String {
        let columns = self.names().collect::<Vec<_>>().join(", ");
        let name = self.name;
        format!("create view read.{name} as select {columns} from {schema}.{name};")
    }

    /// Writes the rows of the JSON array `$1`.
    pub fn upsert(&self, schema: &str) -> String {
        let name = self.name;
        let columns = self.names().collect::<Vec<_>>().join(", ");
        let updates = self
            .names()
            .filter(|column| !matches!(*column, "key" | "locale"))
            .map(|column| format!("{column} = excluded.{column}"))
            .collect::<Vec<_>>()
            .join(", ");
        let key = self.key();
        format!(
            "insert into {schema}.{name} ({columns}) \
             select {columns} from jsonb_populate_recordset(null::{schema}.{name}, $1) \
             on conflict ({key}) do update set {updates}"
        )
    }

    /// Deletes the rows of the keys `$1`.
    pub fn delete(&self, schema: &str) -> String {
        format!("delete from {schema}.{} where key = any($1)", self.name)
    }
}
