-- What can't be recorded: set aside alone, with why. The rest goes on, and what is on the site stays
-- as it last was. It is read again when something tells of it, and at `aggregate.recheck_at`.
create table ledger.parked (
    collection text not null,
    key text not null,
    -- A list of fields, each with what it holds and the rule that it breaks, in words for an editor.
    violations jsonb not null,
    first_at timestamptz not null default now(),
    last_at timestamptz not null default now(),
    -- How often it was read like this.
    tries integer not null default 1,
    primary key (collection, key)
);

-- A hint that can't be resolved is tried again ever later, and holds up none that came after it.
alter table ledger.inbox
    add column attempts integer not null default 0,
    add column due_at timestamptz not null default now(),
    -- Why it could not be resolved, the last time.
    add column failure text;
drop index ledger.inbox_unresolved;
create index inbox_unresolved on ledger.inbox (due_at) where resolved_at is null;
