-- Whoever has a home among their favourites is looked for with each change of it.
create index home_favourite on visitor.home (reference) where is_favourite;
