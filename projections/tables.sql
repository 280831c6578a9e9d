-- The tables of a generation of read models, made in a schema of its own (`generation.rs`). Each has
-- its row type in the crate `read-models`. What is shown in a language has a row for each locale.

create table aggregate (
    collection text not null,
    key text not null,
    -- Stays when the aggregate goes, so that nothing late brings it back.
    version bigint not null,
    removed boolean not null,
    tags text[] not null,
    -- The places whose counts of homes it is part of, in one text.
    counted_in text,
    -- The pictures that it shows, each as <file>/<version>.
    pictures text[] collate "C" not null,
    primary key (collection, key)
);
create index on aggregate using gin (pictures);

create table property (
    key text not null,
    locale text not null,
    version bigint not null,
    changed_at timestamptz not null,
    reference text not null,
    language text not null,
    locales text[] not null,
    title text not null,
    summary text not null,
    description text not null,
    location_key text not null,
    location_slug text not null,
    location_name text not null,
    property_type text not null,
    kind text not null,
    status text not null,
    price bigint,
    previous_price bigint,
    bedrooms bigint,
    bathrooms bigint,
    built_area bigint,
    plot_area bigint,
    terrace_area bigint,
    year_built bigint,
    floor text,
    features text[] not null,
    featured boolean not null,
    reduced boolean not null,
    reduced_at timestamptz,
    new_build boolean not null,
    listed_at timestamptz not null,
    updated_at timestamptz not null,
    lat double precision,
    lng double precision,
    energy jsonb,
    annual_costs jsonb not null,
    particulars jsonb not null,
    floor_plan jsonb,
    images jsonb not null,
    primary key (key, locale)
);
create index on property (reference, locale);
create index on property (location_slug, locale);

-- What a property was offered at, from which of its versions on. It is history: rows stay when the
-- property changes or goes, and tell how its price came about, and what stood at an address where
-- nothing stands now.
create table offer (
    key text not null,
    version bigint not null,
    changed_at timestamptz not null,
    reference text not null,
    location_slug text not null,
    property_type text not null,
    price bigint,
    status text not null,
    primary key (key, version)
);
create index on offer (reference);

-- How many homes are for sale in a place is not kept: the search index counts them, so that every
-- page and every list agree.
create table location (
    key text not null,
    locale text not null,
    version bigint not null,
    changed_at timestamptz not null,
    slug text not null,
    -- What it is part of, the nearest first.
    ancestors text[] not null,
    sort bigint,
    language text not null,
    locales text[] not null,
    name text not null,
    intro text not null,
    description text not null,
    lat double precision,
    lng double precision,
    image jsonb,
    primary key (key, locale)
);
create index on location (slug, locale);

create table site_settings (
    key text not null,
    locale text not null,
    version bigint not null,
    changed_at timestamptz not null,
    language text not null,
    settings jsonb not null,
    primary key (key, locale)
);

create table navigation (
    key text not null,
    locale text not null,
    version bigint not null,
    changed_at timestamptz not null,
    language text not null,
    menu text not null,
    parent text,
    sort bigint,
    url text,
    target text,
    icon text,
    badge text,
    disabled boolean not null,
    label text not null,
    description text not null,
    primary key (key, locale)
);

create table page (
    key text not null,
    locale text not null,
    version bigint not null,
    changed_at timestamptz not null,
    slug text not null,
    kind text not null,
    location text,
    language text not null,
    locales text[] not null,
    image jsonb,
    title text not null,
    intro text not null,
    body text not null,
    headings jsonb not null,
    minutes int not null,
    meta_description text not null,
    faq jsonb not null,
    primary key (key, locale)
);
create index on page (slug, locale);
create index on page (location, locale) where location is not null;

create table article (
    key text not null,
    locale text not null,
    version bigint not null,
    changed_at timestamptz not null,
    slug text not null,
    published_at timestamptz,
    language text not null,
    locales text[] not null,
    image jsonb,
    title text not null,
    summary text not null,
    body text not null,
    headings jsonb not null,
    minutes int not null,
    primary key (key, locale)
);
create index on article (slug, locale);
create index on article (locale, published_at);

create table doc (
    key text not null,
    locale text not null,
    version bigint not null,
    changed_at timestamptz not null,
    slug text not null,
    sort bigint,
    language text not null,
    locales text[] not null,
    title text not null,
    summary text not null,
    body text not null,
    headings jsonb not null,
    minutes int not null,
    primary key (key, locale)
);
create index on doc (slug, locale);

create table team_member (
    key text not null,
    locale text not null,
    version bigint not null,
    changed_at timestamptz not null,
    name text not null,
    administration boolean not null,
    sort bigint,
    photo jsonb,
    email text,
    phone text,
    language text not null,
    role text not null,
    bio text not null,
    primary key (key, locale)
);

create table redirect (
    key text not null,
    version bigint not null,
    changed_at timestamptz not null,
    from_path text not null,
    to_path text,
    code integer not null,
    primary key (key)
);
create index on redirect (from_path);
