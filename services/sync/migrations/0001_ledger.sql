-- The ledger: what was published, and when. The truth of the log; see ARCHITECTURE.md.

-- Hints as they came, committed before the sender is answered.
create table ledger.inbox (
    id bigint generated always as identity primary key,
    received_at timestamptz not null default now(),
    event text not null,
    collection text not null,
    -- Empty: the whole collection.
    keys text[] not null,
    traceparent text,
    -- When every aggregate that the hint is about had been marked dirty.
    resolved_at timestamptz
);
create index inbox_unresolved on ledger.inbox (id) where resolved_at is null;
create index inbox_resolved on ledger.inbox (resolved_at);

-- One row an aggregate that was ever heard of.
create table ledger.aggregate (
    collection text not null,
    key text not null,
    version bigint not null default 0,
    -- Of the published snapshot; none where nothing is published.
    hash bytea,
    -- Raised by every hint; equal to clean_gen when nothing is left to read.
    dirty_gen bigint not null default 0,
    clean_gen bigint not null default 0,
    -- Raised by every claim; a capture whose fence has passed may not write.
    fence bigint not null default 0,
    lease_until timestamptz,
    due_at timestamptz not null default now(),
    -- When the item is to be read once more, since a hint may come before the commit.
    recheck_at timestamptz,
    attempts integer not null default 0,
    traceparent text,
    primary key (collection, key)
);
create index aggregate_dirty on ledger.aggregate (due_at) where dirty_gen > clean_gen;
create index aggregate_recheck on ledger.aggregate (recheck_at) where recheck_at is not null;

-- Every version of every aggregate. A row without a sequence is the outbox.
create table ledger.entry (
    id bigint generated always as identity primary key,
    event_id uuid not null unique,
    collection text not null,
    key text not null,
    version bigint not null,
    schema_version smallint not null,
    captured_at timestamptz not null default clock_timestamp(),
    change jsonb not null,
    traceparent text,
    sequence bigint,
    unique (collection, key, version)
);
create index entry_unpublished on ledger.entry (id) where sequence is null;

-- Which aggregates show which part.
create table ledger.part (
    part_collection text not null,
    part_key text not null,
    collection text not null,
    key text not null,
    primary key (part_collection, part_key, collection, key)
);
create index part_of on ledger.part (collection, key);

-- The stream that the entries' sequences are of.
create table ledger.epoch (
    only_one boolean primary key default true check (only_one),
    epoch integer not null,
    stream_created timestamptz not null,
    highest bigint not null
);

-- How far the content service's activity log was read, by that service's clock.
create table ledger.activity_cursor (
    only_one boolean primary key default true check (only_one),
    read_to timestamptz not null
);
