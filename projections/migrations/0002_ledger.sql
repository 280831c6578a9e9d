-- Whose log the read models were made from: a position says nothing without it. And positions have
-- their epoch above the twenty-second bit now.
alter table read.checkpoint drop column epoch;
alter table read.checkpoint add column ledger uuid;
alter table read.checkpoint
    add column epoch bigint not null generated always as (sequence >> 22) stored;
