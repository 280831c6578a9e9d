-- Two parameters of a saved search have other names, and the parameters of an address are sorted by name. While it is
-- being replaced, an older command still stores the former names. The next version needs no trigger any more.
create function visitor.rename_search_parameters() returns trigger language plpgsql as $$
begin
    select string_agg(pair, '&' order by split_part(pair, '=', 1) collate "C", number) into new.address
    from (
        select number, regexp_replace(
            regexp_replace(pair, '^excludedFeatures=', 'withoutFeatures='),
            '^excludedLocation=', 'notLocation=') as pair
        from regexp_split_to_table(new.address, '&') with ordinality as part (pair, number)
    ) as renamed;
    return new;
end
$$;
create trigger rename_search_parameters before insert or update of address on visitor.saved_search
    for each row when (new.address ~ '(^|&)excluded(Features|Location)=')
    execute function visitor.rename_search_parameters();
-- Those of before, by the same trigger. This is no change by their owners.
update visitor.saved_search set address = address where address ~ '(^|&)excluded(Features|Location)=';
