-- When a mail was first given to the mail server: it is given up three days later, however long it waited before. Null for a
-- mail that an earlier release has tried, whose days count from its creation.
alter table outgoing_mails add column first_attempt_at timestamptz;
