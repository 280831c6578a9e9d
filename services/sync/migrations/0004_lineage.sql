-- What the stream is filled from, and how each lead of a relay ended: by this a ledger or a stream
-- that was restored from an older copy is found out. See `relay/lineage.rs`.

drop table ledger.epoch;
create table ledger.epoch (
    -- One lead of a relay.
    epoch integer primary key,
    -- The ledger's identity: made with it, and again when it is found to be older than its stream.
    ledger uuid not null,
    -- The epoch in which the stream was made that this one wrote to.
    born integer not null,
    -- The last message of it that is known here, as a sequence of that stream; 0 before the first.
    last bigint not null default 0,
    began_at timestamptz not null default now()
);

-- What waits for the stream: of each aggregate its newest entry and no earlier one.
create table ledger.outbox (
    collection text not null,
    key text not null,
    entry bigint not null references ledger.entry,
    -- Put here to fill a new stream, behind whatever is published meanwhile.
    refill boolean not null default false,
    primary key (collection, key)
);
create index outbox_fresh on ledger.outbox (entry) where not refill;
create index outbox_refill on ledger.outbox (entry) where refill;

-- An entry's sequence is where it was published last; the outbox says what is still to be.
drop index ledger.entry_unpublished;
create index entry_refused on ledger.entry (id) where refused is not null;
