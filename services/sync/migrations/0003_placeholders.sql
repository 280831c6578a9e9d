-- Of each picture the few bytes that a page shows until it is there; see `placeholders.rs`.
create table ledger.placeholder (
    file uuid not null,
    version text not null,
    -- None as long as it has not been made.
    webp bytea,
    attempts integer not null default 0,
    -- When it is to be tried, or tried again.
    due_at timestamptz not null default now(),
    primary key (file, version)
);
create index placeholder_unmade on ledger.placeholder (due_at) where webp is null;
