-- What operators do; see `admin`.
alter table read.checkpoint
    -- Since when an operator has paused following: no message is applied to what is shown. It stands in
    -- the row that whoever applies one locks.
    add column paused_since timestamptz,
    -- The generation that was shown before the live one, kept so that it can be gone back to.
    add column former boolean not null default false;
