-- An enquiry that the office closes while its account is deleted was erased without being blocked:
-- three statements, of which each sees what was done before it began. One sees the same throughout.
create or replace function visitor.block_enquiries() returns trigger language plpgsql as $$
begin
    with gone as (
        delete from visitor.enquiry
        where lower(email) = lower(old.email) and state = 'closed'
        returning *),
    blocked as (
        insert into visitor.blocked_enquiry (id, enquiry)
        select id, to_jsonb(gone) from gone
        on conflict do nothing)
    insert into visitor.item_to_delete (id)
    select id from gone
    on conflict do nothing;
    return old;
end
$$;
