-- Which collections were compared in full since the ledger has its identity: until then nobody knows all
-- that is published, and a stream that is filled from it is not complete. See `relay/outbox.rs`.
create table ledger.compared (
    collection text primary key,
    -- The identity that the ledger had when the comparing began; none before it had one.
    ledger uuid
);

-- A ledger of before this has long been compared.
insert into ledger.compared (collection, ledger)
select collection, latest.ledger
from unnest(array['locations', 'site_settings', 'navigation', 'pages', 'articles', 'docs', 'team',
                  'redirects', 'properties']) as collection,
     (select ledger from ledger.epoch order by epoch desc limit 1) as latest;
