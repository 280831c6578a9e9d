-- Passwords, of those who want one beside mails and passkeys.

-- As argon2id gives it, with its salt and cost.
alter table visitor.account add column password text;
