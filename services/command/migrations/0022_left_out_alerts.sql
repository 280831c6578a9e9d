-- Whether the mail that an alert was last in went out, or was not needed, without it: its home was off the site at that
-- moment, or lost to its search. It is told when the search finds the home again. Of before, and of an older command,
-- none is known.
alter table visitor.alert add column is_left_out boolean not null default false;
