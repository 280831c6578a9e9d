-- Who signs one browser out from elsewhere means that it is known no more. Which it is, sessions of before
-- don't say.
alter table visitor.session
    -- Hash of the mark that the browser got with it, as in `visitor.device`.
    add column device bytea;
