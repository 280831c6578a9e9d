-- Enquiries that are settled, of whoever deletes their account: blocked (LOPDGDD, article 32), so no
-- statement of the program reads them, until no claim can be made. Those that the office still works on
-- stay with it.
create table visitor.blocked_enquiry (
    id uuid primary key,
    -- As it stood, without its pictures.
    enquiry jsonb not null,
    blocked_at timestamptz not null default now()
);
create index blocked_enquiry_old on visitor.blocked_enquiry (blocked_at);

-- Items that the content service is still to delete: ids alone.
create table visitor.item_to_delete (id uuid primary key);

-- Whoever erases need not think of it.
create function visitor.block_enquiries() returns trigger language plpgsql as $$
begin
    insert into visitor.blocked_enquiry (id, enquiry)
        select id, to_jsonb(e) from visitor.enquiry e
        where lower(email) = lower(old.email) and state = 'closed'
        on conflict do nothing;
    insert into visitor.item_to_delete (id)
        select id from visitor.enquiry
        where lower(email) = lower(old.email) and state = 'closed'
        on conflict do nothing;
    delete from visitor.enquiry where lower(email) = lower(old.email) and state = 'closed';
    return old;
end
$$;
create trigger block_enquiries before delete on visitor.account
    for each row execute function visitor.block_enquiries();
