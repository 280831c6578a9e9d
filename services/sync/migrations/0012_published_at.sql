-- When the stream first took a version; none of those that it took before this was kept.
alter table ledger.entry add column published_at timestamptz;
