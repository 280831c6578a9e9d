-- Who may use the console, who is signed in to it, and what each of them did.

create table operator.account (
    id uuid primary key,
    -- As it is typed at the sign-in, and as a trusted proxy names it; letters of either size are one.
    name text not null,
    -- An argon2id hash.
    password text not null,
    -- What the codes of the operator's device are made from. Codes have to be made of it here too, so it
    -- can't be kept as a hash.
    totp_secret bytea not null,
    -- The last half minute of which a code was taken: none is taken twice.
    totp_step bigint not null default 0,
    -- Whether they may act, and not only look.
    may_act boolean not null default false,
    disabled boolean not null default false,
    created_at timestamptz not null default now(),
    -- When their password and their secret were last set.
    changed_at timestamptz not null default now()
);
create unique index account_name on operator.account (lower(name));

create table operator.session (
    id uuid primary key,
    -- Hash of what its cookie holds.
    token bytea not null unique,
    account uuid not null references operator.account on delete cascade,
    created_at timestamptz not null default now(),
    seen_at timestamptz not null default now(),
    expires_at timestamptz not null
);
create index session_account on operator.session (account);
create index session_expired on operator.session (expires_at);

-- What was done: a line before it is done, and one after. Names and not keys, since a line outlives the
-- account that it is about.
create table operator.audit (
    id bigint generated always as identity primary key,
    at timestamptz not null default now(),
    operator text not null,
    -- Of whom the line is told: `sync/reconcile`, `sign-in`.
    action text not null,
    -- What it was done to: what was asked for, as JSON, or a name.
    target text not null,
    -- `begun`, and then what became of it: `done`, or the status and why.
    outcome text not null,
    -- From where, as far as that is known.
    address text,
    -- The line that says that it was begun. Not held to it by a key: that takes the right to change it.
    begun bigint
);

-- Lines are added and nothing else, whoever asks.
create function operator.refuse() returns trigger language plpgsql as $$
begin
    raise exception 'the audit trail is only added to';
end
$$;
create trigger only_added_to before update or delete or truncate on operator.audit
    for each statement execute function operator.refuse();
do $$
begin
    execute format('revoke update, delete, truncate on operator.audit from %I', current_user);
end
$$;
