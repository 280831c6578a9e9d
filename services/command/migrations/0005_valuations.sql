-- Valuations for sellers, and pictures of what they sell.

alter table visitor.enquiry
    drop constraint enquiry_kind_check,
    add constraint enquiry_kind_check
        check (kind in ('general', 'property', 'viewing', 'callback', 'valuation')),
    -- Of what is to be valued.
    add column address text,
    add column property_kind text,
    -- In square metres.
    add column built_area integer;

create table visitor.picture (
    id uuid primary key,
    -- None until the enquiry is sent that it belongs to.
    enquiry uuid references visitor.enquiry on delete cascade,
    -- Among those of its enquiry, from 1.
    position integer,
    -- Made anew from what was sent: it does not say where, when and by whom it was taken.
    jpeg bytea not null,
    created_at timestamptz not null default now()
);
create index picture_enquiry on visitor.picture (enquiry, position);
