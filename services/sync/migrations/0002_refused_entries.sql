-- Why the log will never take an entry: it is set aside, so that the rest goes on.
alter table ledger.entry add column refused text;
