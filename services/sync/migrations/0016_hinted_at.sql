-- When a version's hint was received: the latest of the item between the version before and this one. A day and a
-- thousand hints are searched, and what reading the activity log found out counts as no hint. Operators and editors
-- are both told by this.
create function ledger.hinted_at(
    of_collection text, of_key text, of_version bigint, captured timestamptz
) returns timestamptz language sql stable as $$
    select max(i.received_at)
    from (
        select * from ledger.inbox
        where received_at <= captured
          and received_at > greatest(
              captured - interval '1 day',
              (select captured_at from ledger.entry
               where collection = of_collection and key = of_key and version = of_version - 1))
        order by received_at desc limit 1000
    ) as i
    where i.collection = of_collection and of_key = any (i.keys) and i.event <> 'activity'
$$;
