-- What properties were offered at according to the log, for the time that an older copy of the ledger does not know:
-- recorded before the log is filled from the ledger. They continue the ledger's versions up to `until_version`.
create table ledger.recovered_offers (
    key text primary key,
    offers jsonb not null,
    until_version bigint not null
);
