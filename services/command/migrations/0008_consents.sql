-- What is agreed to can be proved: its words, its page, and the addresses that asked and that confirmed.

-- Where whoever asked to be signed in, or to hear of homes, did so.
alter table visitor.sign_in add column page text, add column asked_from text;
alter table visitor.saved_search add column page text, add column asked_from text;

alter table visitor.consent
    add column saved_search uuid references visitor.saved_search on delete cascade,
    -- SHA-256 of the words in the language in which they were read.
    add column words_hash bytea,
    -- The path of the page that they stood on.
    add column page text,
    -- An address of the network.
    add column asked_from text,
    -- When that was, where a later press confirmed it; and from where that came.
    add column asked_at timestamptz,
    add column confirmed_from text,
    drop constraint consent_purpose_check,
    add constraint consent_purpose_check check (purpose in ('marketing', 'alerts')),
    drop constraint consent_check,
    add constraint consent_given_with check (num_nonnulls(enquiry, account, saved_search) = 1);
create index consent_enquiry on visitor.consent (enquiry);
create index consent_saved_search on visitor.consent (saved_search);

alter table visitor.blocked_consent
    add column words_hash bytea,
    add column page text,
    add column asked_from text,
    add column asked_at timestamptz,
    add column confirmed_from text;

create or replace function visitor.block_consents() returns trigger language plpgsql as $$
declare
    who text;
begin
    if tg_table_name = 'account' then
        who := old.email;
    elsif tg_table_name = 'enquiry' then
        who := coalesce(old.email, old.phone, old.mobile);
    else
        select coalesce(a.email, p.email) into who
        from visitor.subscriber p left join visitor.account a on a.id = p.account
        where p.id = old.subscriber;
    end if;
    with blocked as (
        delete from visitor.consent c
        where case tg_table_name
                when 'enquiry' then c.enquiry = old.id
                when 'saved_search' then c.saved_search = old.id
                -- Its searches go with it, when nobody knows any more whose they were.
                else c.account = old.id or c.saved_search in (
                    select s.id from visitor.saved_search s
                    join visitor.subscriber p on p.id = s.subscriber where p.account = old.id)
              end
        returning c.*)
    insert into visitor.blocked_consent
        (given_by, purpose, text_version, locale, given_at, withdrawn_at, words_hash, page,
         asked_from, asked_at, confirmed_from)
    select who, purpose, text_version, locale, given_at,
        -- Whoever ends the search ends what it was agreed for.
        case when tg_table_name = 'enquiry' then withdrawn_at else coalesce(withdrawn_at, now()) end,
        words_hash, page, asked_from, asked_at, confirmed_from
    from blocked;
    return old;
end
$$;
create trigger block_consents before delete on visitor.saved_search
    for each row execute function visitor.block_consents();
