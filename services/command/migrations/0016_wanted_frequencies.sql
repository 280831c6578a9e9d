-- Whoever hears of a search without an account and asks for it once more is asked by mail whether they want to
-- hear of it so often. Until they say so it goes on as it was: anybody can type an address.
alter table visitor.saved_search
    add column wanted_frequency text check (wanted_frequency in ('at_once', 'daily', 'weekly')),
    -- Of `confirmations`, those that were mailed since that was asked: no older one agrees to it.
    add column wanted_confirmations bytea[] not null default '{}';

-- What waits to be told of a home is taken back where a search does not find it any more.
create index alert_reference on visitor.alert (reference);
