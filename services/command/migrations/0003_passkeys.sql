-- Passkeys, and the ceremonies under way in which they are made and used.

create table visitor.passkey (
    id uuid primary key,
    account uuid not null references visitor.account on delete cascade,
    -- What the authenticator calls it: never two alike, whoever has them.
    credential_id bytea not null unique,
    -- The public key and what else is known of it.
    passkey jsonb not null,
    -- What the browser called itself in which it was made.
    user_agent text,
    created_at timestamptz not null default now(),
    used_at timestamptz
);
create index passkey_account on visitor.passkey (account);

create table visitor.ceremony (
    id uuid primary key,
    -- Who makes a passkey; nobody yet where one is used.
    account uuid references visitor.account on delete cascade,
    state jsonb not null,
    expires_at timestamptz not null
);
create index ceremony_expired on visitor.ceremony (expires_at);
