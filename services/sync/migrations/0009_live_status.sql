-- Of what editors are still to be told whether it is on the site: something was recorded, refused or
-- parked of it since they were told last. See `live_status`.
create table ledger.untold (
    collection text not null,
    key text not null,
    noted_at timestamptz not null default clock_timestamp(),
    -- The version that was recorded; none where the news is another.
    version bigint,
    -- Until when somebody is at it.
    claimed_until timestamptz,
    primary key (collection, key)
);
create index untold_newest on ledger.untold (noted_at desc);

create function ledger.note_untold() returns trigger language plpgsql as $$
declare
    about record := case when tg_op = 'DELETE' then old else new end;
begin
    insert into ledger.untold (collection, key, version)
    values (about.collection, about.key,
            case when tg_table_name = 'entry' then (to_jsonb(about) ->> 'version')::bigint end)
    on conflict (collection, key) do update
        set noted_at = excluded.noted_at, version = excluded.version, claimed_until = null;
    return null;
end
$$;

create trigger entry_untold after insert or update of refused on ledger.entry
    for each row execute function ledger.note_untold();
create trigger parked_untold after insert or delete on ledger.parked
    for each row execute function ledger.note_untold();
create trigger parked_otherwise_untold after update on ledger.parked
    for each row when (old.violations is distinct from new.violations)
    execute function ledger.note_untold();

insert into ledger.untold (collection, key)
select collection, key from ledger.aggregate where hash is not null
union
select collection, key from ledger.parked;
