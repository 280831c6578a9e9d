-- What visitors wrote: the one schema that exists nowhere else, and the one that holds personal data.

create table visitor.enquiry (
    id uuid primary key,
    -- What visitors and the office call it.
    reference text not null unique,
    kind text not null check (kind in ('general', 'property', 'viewing', 'callback')),
    locale text not null check (locale in ('en', 'es')),
    name text not null,
    email text,
    -- E.164.
    phone text,
    mobile text,
    message text,
    -- The home that it is about, as it stood.
    home_reference text,
    home_title text,
    home_price bigint,
    home_path text,
    -- Proposed for a viewing, in the agency's own time.
    times timestamp[] not null default '{}',
    -- Why it may be no person's; none where nothing speaks for that. It is kept all the same.
    suspect text,
    state text not null default 'new' check (state in ('new', 'answered', 'closed')),
    received_at timestamptz not null default now(),
    check (coalesce(email, phone, mobile) is not null)
);
create index enquiry_email on visitor.enquiry (lower(email), received_at);

-- Whoever sends the same once more gets the first answer.
create table visitor.idempotency_key (
    key bytea primary key,
    -- Of what was sent with it.
    fingerprint bytea not null,
    -- Kept before its enquiry, so that a twin waits.
    enquiry uuid not null references visitor.enquiry on delete cascade
        deferrable initially deferred,
    expires_at timestamptz not null
);
create index idempotency_key_expired on visitor.idempotency_key (expires_at);

-- What a visitor agreed to, in which words.
create table visitor.consent (
    id bigint generated always as identity primary key,
    enquiry uuid not null references visitor.enquiry on delete cascade,
    purpose text not null check (purpose in ('marketing')),
    text_version text not null,
    locale text not null,
    given_at timestamptz not null default now()
);

-- What is still to be done about an enquiry: each once in effect.
create table visitor.job (
    id uuid primary key,
    enquiry uuid not null references visitor.enquiry on delete cascade,
    kind text not null check (kind in ('office_mail', 'visitor_mail', 'content_item')),
    state text not null default 'due' check (state in ('due', 'done', 'failed')),
    attempts integer not null default 0,
    due_at timestamptz not null default now(),
    -- Until then it is somebody's.
    lease_until timestamptz,
    -- Whoever has a lease that was given again may not say how it ended.
    fence integer not null default 0,
    -- A mail may have arrived though its server said nothing: it is sent once more, once.
    is_uncertain boolean not null default false,
    last_error text,
    done_at timestamptz,
    unique (enquiry, kind)
);
create index job_due on visitor.job (due_at) where state = 'due';

-- What happened, on its way to the stream: ids and kinds, never personal data.
create table visitor.event (
    id uuid primary key,
    kind text not null,
    subject uuid not null,
    traceparent text,
    created_at timestamptz not null default now()
);
create index event_created on visitor.event (created_at);
