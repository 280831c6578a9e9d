-- What the stream acknowledged may not be on its disk yet: that something was ended stays here, and is
-- published once more.
alter table visitor.event
    add column published_at timestamptz;
