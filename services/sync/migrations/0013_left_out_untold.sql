-- Editors are told too when an item is shown without a picture that it names, and when it has it again.
create or replace function ledger.note_untold() returns trigger language plpgsql as $$
declare
    about record := case when tg_op = 'DELETE' then old else new end;
begin
    insert into ledger.untold (collection, key, version)
    values (about.collection, about.key,
            case when tg_table_name = 'entry' then (to_jsonb(about) ->> 'version')::bigint end)
    on conflict (collection, key) do update set
        noted_at = excluded.noted_at,
        -- What is left out of a version is noted after it, and takes nothing back of it.
        version = case tg_table_name when 'left_out' then untold.version else excluded.version end,
        claimed_until = null;
    return null;
end
$$;

create trigger left_out_untold after insert or delete on ledger.left_out
    for each row execute function ledger.note_untold();
create trigger left_out_otherwise_untold after update on ledger.left_out
    for each row when (old.pictures is distinct from new.pictures)
    execute function ledger.note_untold();

insert into ledger.untold (collection, key)
select collection, key from ledger.left_out
on conflict do nothing;
