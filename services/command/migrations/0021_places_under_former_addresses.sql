-- Under which addresses each place was known, by its item's key: a saved search names one by the address that it had
-- then. An address is of the place that had it last.
create table visitor.place_name (
    slug text primary key,
    key text not null
);
create index place_name_key on visitor.place_name (key);
-- Those of before, as far as homes are there. Of the others the next message tells.
insert into visitor.place_name (slug, key)
    select distinct on (slug) slug, key
    from (select snapshot #>> '{location,slug}' as slug, snapshot #>> '{location,key}' as key
          from visitor.home_state where is_listed) as home
    where slug is not null and key is not null
    order by slug, key;
