-- What is the same for every generation of read models: where each stands, what could not be
-- applied, and the feed of what changed.

create table read.checkpoint (
    -- The tables of a generation are in a schema of their own, `read_<generation>`.
    generation integer primary key,
    projection text not null default 'read',
    -- The form of the tables: READ_MODEL_VERSION of the build that made them.
    model_version integer not null,
    -- The last position of the log whose effect is in the tables.
    sequence bigint not null default 0,
    epoch bigint not null generated always as (sequence >> 40) stored,
    -- Raised when rows change other than by a new message, so that caches drop all they hold.
    revision bigint not null default 0,
    -- Whether the views in `read` show this generation.
    live boolean not null default false,
    started_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
);

create unique index checkpoint_one_live on read.checkpoint (live) where live;

create table read.dead_letter (
    generation integer not null references read.checkpoint on delete cascade,
    -- One row an aggregate: its latest message that could not be applied.
    subject text not null,
    sequence bigint not null,
    -- None where not even that can be read.
    version bigint,
    body bytea not null,
    traceparent text,
    error text not null,
    tries integer not null,
    at timestamptz not null default now(),
    primary key (generation, subject)
);

create table read.change (
    sequence bigint primary key,
    tags text[] not null,
    traceparent text,
    at timestamptz not null default now()
);
