-- What operators see and do; see `admin`.

-- Steps that an operator paused. Whoever takes up work looks here, so that it holds for every process
-- and for the next start too.
create table ledger.pause (
    step text primary key check (step in ('capture', 'relay')),
    since timestamptz not null default now()
);

-- The trace of the reading that a parked item was found wrong in.
alter table ledger.parked add column traceparent text;

-- When the site was seen to show a version, and where.
create table ledger.live (
    entry bigint primary key references ledger.entry on delete cascade,
    since timestamptz,
    -- From when a webhook told of it until then; none where that was not measured.
    milliseconds bigint,
    addresses text[] not null
);

-- By this the hint is found that a version came by.
create index inbox_received on ledger.inbox (received_at);
