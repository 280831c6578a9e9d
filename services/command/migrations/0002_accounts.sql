-- Accounts: who signs in, from where, and which homes they keep.

create table visitor.account (
    id uuid primary key,
    -- As its owner wrote it; proved by a mail to it.
    email text not null,
    name text,
    locale text not null check (locale in ('en', 'es')),
    created_at timestamptz not null default now()
);
create unique index account_email on visitor.account (lower(email));

-- Somebody asks to be signed in, and is mailed a link and a code.
create table visitor.sign_in (
    id uuid primary key,
    -- Hash of what the browser that asked was given: it alone is signed in by it.
    browser bytea not null,
    email text not null,
    name text,
    locale text not null check (locale in ('en', 'es')),
    -- Where to go on: a path of the site.
    next text,
    marketing_consent boolean not null default false,
    -- Hashes of what was mailed; more than one where a mail had to be sent twice.
    links bytea[] not null default '{}',
    codes bytea[] not null default '{}',
    -- Codes that were wrong.
    tries integer not null default 0,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    used_at timestamptz
);
create index sign_in_browser on visitor.sign_in (browser);
create index sign_in_email on visitor.sign_in (lower(email), created_at);
create index sign_in_links on visitor.sign_in using gin (links);
create index sign_in_expired on visitor.sign_in (expires_at);

create table visitor.session (
    id uuid primary key,
    -- Hash of what its cookie holds.
    token bytea not null unique,
    account uuid not null references visitor.account on delete cascade,
    -- What the browser calls itself.
    user_agent text,
    created_at timestamptz not null default now(),
    seen_at timestamptz not null default now(),
    expires_at timestamptz not null
);
create index session_account on visitor.session (account);
create index session_expired on visitor.session (expires_at);

-- Browsers that an account was signed in with: nobody else's asking for mails holds up theirs.
create table visitor.device (
    token bytea primary key,
    account uuid not null references visitor.account on delete cascade,
    created_at timestamptz not null default now()
);
create index device_account on visitor.device (account);

-- What a visitor made of a home.
create table visitor.home (
    account uuid not null references visitor.account on delete cascade,
    reference text not null,
    is_favourite boolean not null default false,
    note text,
    is_hidden boolean not null default false,
    is_compared boolean not null default false,
    seen_at timestamptz,
    changed_at timestamptz not null default now(),
    primary key (account, reference)
);

alter table visitor.consent
    alter column enquiry drop not null,
    add column account uuid references visitor.account on delete cascade,
    add column withdrawn_at timestamptz,
    add check (num_nonnulls(enquiry, account) = 1);
create index consent_account on visitor.consent (account);

-- A job is about an enquiry or about a sign-in.
alter table visitor.job
    alter column enquiry drop not null,
    add column sign_in uuid references visitor.sign_in on delete cascade,
    add check (num_nonnulls(enquiry, sign_in) = 1),
    add unique (sign_in, kind),
    drop constraint job_kind_check,
    add constraint job_kind_check
        check (kind in ('office_mail', 'visitor_mail', 'content_item', 'sign_in_mail'));
