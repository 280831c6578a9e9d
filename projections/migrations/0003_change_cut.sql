-- From where on the feed is whole: what it says after this position is all that changed.
create table read.change_cut (
    only_row boolean primary key default true check (only_row),
    sequence bigint not null
);
-- Of an earlier build's feed nobody knows how far it reaches.
insert into read.change_cut (sequence)
    select coalesce(max(sequence), 0) from read.checkpoint where live;
