-- How often the homes of each place are looked for: what completes visitors' typing goes by it. Numbers of
-- places and days, and nothing of anybody.
create table visitor.place_search (
    place text not null,
    day date not null,
    searches bigint not null check (searches >= 0),
    primary key (place, day)
);
