-- What is on the site without a picture that it names, since none can be made of the file.
create table ledger.left_out (
    collection text not null,
    key text not null,
    -- A list of fields, each with its file and what to do, in words for an editor.
    pictures jsonb not null,
    since timestamptz not null default now(),
    primary key (collection, key)
);
