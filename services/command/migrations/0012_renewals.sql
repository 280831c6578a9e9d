-- Searches without an account end where nobody answers whether they are wanted still.

alter table visitor.saved_search add column renewal_asked_at timestamptz;
alter table visitor.job
    drop constraint job_kind_check,
    add constraint job_kind_check check (kind in (
        'office_mail', 'visitor_mail', 'content_item', 'sign_in_mail', 'confirm_mail',
        'alert_mail', 'renewal_mail'));
