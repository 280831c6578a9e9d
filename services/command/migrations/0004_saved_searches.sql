-- Saved searches, and what their owners are told of homes.

-- Who is told: an account, or an address that asked without one.
create table visitor.subscriber (
    id uuid primary key,
    account uuid unique references visitor.account on delete cascade,
    email text,
    locale text not null check (locale in ('en', 'es')),
    -- What the links in its mails end with, the first in new ones; more where an account took over
    -- what its address had asked for. Whoever has one may change and end these mails, and nothing
    -- else, so they stand as they are.
    tokens text[] not null,
    created_at timestamptz not null default now(),
    check (num_nonnulls(account, email) = 1)
);
create unique index subscriber_email on visitor.subscriber (lower(email));
create index subscriber_tokens on visitor.subscriber using gin (tokens);

create table visitor.saved_search (
    id uuid primary key,
    subscriber uuid not null references visitor.subscriber on delete cascade,
    -- The query part of its address; none for the favourites of its account.
    address text,
    -- What its owner calls it.
    name text not null,
    -- The language of its words.
    locale text not null check (locale in ('en', 'es')),
    frequency text not null check (frequency in ('at_once', 'daily', 'weekly', 'never')),
    created_at timestamptz not null default now(),
    changed_at timestamptz not null default now(),
    -- None until whoever reads the mailbox has agreed: anybody can type an address.
    confirmed_at timestamptz,
    -- Hashes of what was mailed to ask for that.
    confirmations bytea[] not null default '{}',
    unique nulls not distinct (subscriber, address)
);
create index saved_search_changed on visitor.saved_search (changed_at);
create index saved_search_confirmations on visitor.saved_search using gin (confirmations);

-- Each home as it stood when it was last told of: what happens next is the difference to it.
create table visitor.home_state (
    reference text primary key,
    -- Of the item that it is now.
    key text not null,
    snapshot jsonb not null,
    is_listed boolean not null,
    -- One more with each difference.
    number bigint not null default 1
);
create index home_state_key on visitor.home_state (key);

-- How far the log has been read for this.
create table visitor.alert_checkpoint (
    is_only boolean primary key default true check (is_only),
    sequence bigint not null,
    ledger uuid,
    -- Whether every home is known: until then none is news.
    is_filled boolean not null default false
);

-- One mail, while alerts are put into it and after.
create table visitor.alert_mail (
    id uuid primary key,
    subscriber uuid not null references visitor.subscriber on delete cascade,
    frequency text not null check (frequency in ('at_once', 'daily', 'weekly')),
    created_at timestamptz not null default now()
);
create index alert_mail_subscriber on visitor.alert_mail (subscriber, frequency);

-- That something happened to a home which somebody waits for: each told once.
create table visitor.alert (
    id bigint generated always as identity primary key,
    saved_search uuid not null references visitor.saved_search on delete cascade,
    mail uuid not null references visitor.alert_mail on delete cascade,
    reference text not null,
    happened text not null
        check (happened in ('new', 'reduced', 'raised', 'back', 'status', 'withdrawn')),
    -- Of the state in which it did.
    state_number bigint not null,
    -- In euros.
    price_before bigint,
    created_at timestamptz not null default now(),
    unique (saved_search, reference, happened, state_number)
);
create index alert_mail_of on visitor.alert (mail);

-- A job may be about either of them too.
alter table visitor.job
    add column saved_search uuid references visitor.saved_search on delete cascade,
    add column alert_mail uuid unique references visitor.alert_mail on delete cascade,
    drop constraint job_check,
    add constraint job_subject check (num_nonnulls(enquiry, sign_in, saved_search, alert_mail) = 1),
    drop constraint job_kind_check,
    add constraint job_kind_check check (kind in (
        'office_mail', 'visitor_mail', 'content_item', 'sign_in_mail', 'confirm_mail',
        'alert_mail'));
create index job_saved_search on visitor.job (saved_search);
