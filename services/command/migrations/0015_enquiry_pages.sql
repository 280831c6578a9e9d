-- An enquiry is kept with the page that it was sent from, and with what its sender was told of their data.

alter table visitor.enquiry
    -- The path of the page; none where the browser did not tell it.
    add column page text,
    -- Of the words about privacy below the form that its sender accepted.
    add column privacy_version text;
