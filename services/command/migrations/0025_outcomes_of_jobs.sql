-- What became of a job that is given up, and of a mail that came back; none of all others. `last_error` is for people.
alter table visitor.job
    add column outcome text check (outcome in ('failed', 'refused', 'uncertain', 'bounced')),
    -- The code (RFC 3463) with which the mail server or a delivery report says why, such as 5.1.1.
    add column smtp_status text;
-- While it is being replaced, an older command still stores the text alone. The next version needs no trigger any more.
create function visitor.read_job_error() returns trigger language plpgsql as $$
begin
    new.outcome := case when starts_with(new.last_error, 'it may have arrived') then 'uncertain'
                        when starts_with(new.last_error, 'it came back') then 'bounced'
                        else new.state end;
    new.smtp_status := substring(new.last_error from '[0-9]\.[0-9]+\.[0-9]+$');
    return new;
end
$$;
create trigger read_job_error before update of last_error on visitor.job
    for each row when (new.state in ('failed', 'refused', 'bounced')
                       and new.outcome is not distinct from old.outcome)
    execute function visitor.read_job_error();
-- Those of before, by the same trigger.
update visitor.job set last_error = last_error where state in ('failed', 'refused', 'bounced');
