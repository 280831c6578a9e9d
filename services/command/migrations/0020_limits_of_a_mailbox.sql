-- Whether a mail was to be sent for it: only those are counted. Of before, and of an older command, all are.
-- Before the indexes, which would lock the table more weakly first: whoever has read of it and goes on to write
-- would wait for this, and this for them.
alter table visitor.sign_in add column is_mailed boolean not null default true;

-- What goes to a mailbox is counted by the mailbox, however its address is spelled: what stands behind a plus
-- leads to the same one, and so do capitals and, at Gmail, dots.
create function visitor.mailbox(address text) returns text
    language sql immutable strict parallel safe
    as $$ select regexp_replace(regexp_replace(lower(address), '\+[^@]*@', '@'),
                                '\.(?=[^@]*@g(oogle)?mail\.com$)', '', 'g') $$;
create index sign_in_mailbox on visitor.sign_in (visitor.mailbox(email), created_at);
create index enquiry_mailbox on visitor.enquiry (visitor.mailbox(email), received_at);
create index subscriber_mailbox on visitor.subscriber (visitor.mailbox(email));

-- The network address that asked for it, of a mail that asks about a search: each network has mails of its own.
-- None of before, and of an older command. Last: whoever writes to the tables above comes to the jobs last, too.
alter table visitor.job add column asked_from text;
