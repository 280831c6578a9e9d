-- What a property was offered at, beside its snapshot: a publish says what all the earlier versions
-- were offered at, and reading that out of each of their snapshots takes ever longer.
alter table ledger.entry
    add column reference text
        generated always as (change #>> '{snapshot,ref}') stored,
    add column location text
        generated always as (change #>> '{snapshot,location,slug}') stored,
    add column property_type text
        generated always as (change #>> '{snapshot,propertyType}') stored,
    add column price bigint
        generated always as (case when collection = 'properties'
                                  then (change #>> '{snapshot,price}')::bigint end) stored,
    add column status text
        generated always as (change #>> '{snapshot,status}') stored;
