-- The roles of Almijara, one for each service that knows Postgres. Passwords are set apart from this.
-- May be run again at any time. `almijara up` runs this same file.
do $$
declare
    name text;
begin
    foreach name in array array[
        'almijara_sync', 'almijara_projections', 'almijara_query', 'almijara_command',
        'almijara_console'
    ] loop
        if not exists (select from pg_roles where rolname = name) then
            execute format('create role %I login', name);
        end if;
    end loop;
end
$$;
