-- Whether a webhook told of the item itself since it was read last: whoever saved it is told also where the site
-- shows it as before. See `record` in `ledger/versions.rs`.
alter table ledger.aggregate add column hinted boolean not null default false;

-- Of what was saved before this and is shown as before, nobody was told. What is news already goes first: what was
-- noted last does.
insert into ledger.untold (collection, key, noted_at)
select collection, key, now() - interval '1 day' from ledger.aggregate where hash is not null
on conflict do nothing;
