-- A mailbox that does not take a mail, at once or later, is another matter than a mail that was not sent.
alter table visitor.job
    drop constraint job_state_check,
    add constraint job_state_check check (state in ('due', 'done', 'failed', 'refused', 'bounced'));
