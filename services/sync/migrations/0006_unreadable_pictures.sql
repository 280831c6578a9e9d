-- Why no picture can be made of a file, in words for an editor: what names it is published without
-- it. It is tried again like what failed otherwise, since a newer build may read it.
alter table ledger.placeholder add column unreadable text;
