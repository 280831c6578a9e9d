-- Whoever hears of a search without an account and asks for it once more is asked by mail whether they want to
-- hear of it so often. Until they say so it goes on as it was: anybody can type an address.
alter table visitor.saved_search
    add column wanted_frequency text check (wanted_frequency in ('at_once', 'daily', 'weekly')),
    -- How often each mail that asked so asked to write, by the hash in `confirmations`, in hex: it agrees to that.
    add column wanted jsonb not null default '{}';

-- What waits to be told of a home is left out while its search does not find it: nothing more is kept of what it
-- was before, and a price that was mistyped and mended has to leave no trace.
alter table visitor.alert add column is_lost boolean not null default false;
create index alert_reference on visitor.alert (reference);

-- None where the home is gone and another one has its key, as after a restore of the content service.
alter table visitor.home_state alter column key drop not null;
