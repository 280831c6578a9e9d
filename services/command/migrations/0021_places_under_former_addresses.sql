-- Under which addresses each place was known, by its item's key: a saved search names one by the address that it had
-- then. An address is of the place that had it last.
create table visitor.place_name (
    slug text primary key,
    key text not null,
    -- Whether the place is called so now.
    is_now boolean not null
);
create index place_name_key on visitor.place_name (key);
-- Those of before, as far as homes are there.
insert into visitor.place_name (slug, key, is_now)
    select distinct on (slug) slug, key, true
    from (select snapshot #>> '{location,slug}' as slug, snapshot #>> '{location,key}' as key
          from visitor.home_state where is_listed) as home
    where slug is not null and key is not null
    order by slug, key;
-- Of the others the log tells, which is read again in silence.
update visitor.alert_checkpoint set sequence = 0;
