-- Prices that were asked before the ledger knew of a property: recorded once by an operator, and never
-- changed, since visitors were told of them.
create table ledger.earlier_price (
    reference text not null,
    offered_on date not null,
    price bigint not null check (price between 1 and 1000000000),
    recorded_at timestamptz not null default now(),
    primary key (reference, offered_on)
);
