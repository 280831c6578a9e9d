-- Proof of what somebody agreed to, after the account or the enquiry that it was given with is erased:
-- blocked (LOPDGDD, article 32), so no statement of the program reads it, until no claim can be made.
create table visitor.blocked_consent (
    -- An address, or a number where there was none.
    given_by text not null,
    purpose text not null,
    text_version text not null,
    locale text not null,
    given_at timestamptz not null,
    withdrawn_at timestamptz,
    blocked_at timestamptz not null default now()
);
create index blocked_consent_old on visitor.blocked_consent (blocked_at);

-- Whoever erases need not think of it.
create function visitor.block_consents() returns trigger language plpgsql as $$
begin
    if tg_table_name = 'account' then
        insert into visitor.blocked_consent
            (given_by, purpose, text_version, locale, given_at, withdrawn_at)
        select old.email, purpose, text_version, locale, given_at, withdrawn_at
        from visitor.consent where account = old.id;
    else
        insert into visitor.blocked_consent
            (given_by, purpose, text_version, locale, given_at, withdrawn_at)
        select coalesce(old.email, old.phone, old.mobile),
            purpose, text_version, locale, given_at, withdrawn_at
        from visitor.consent where enquiry = old.id;
    end if;
    return old;
end
$$;
create trigger block_consents before delete on visitor.account
    for each row execute function visitor.block_consents();
create trigger block_consents before delete on visitor.enquiry
    for each row execute function visitor.block_consents();
