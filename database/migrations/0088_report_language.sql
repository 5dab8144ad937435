-- The language of the page on which a beat was reported, for the mails to its reporter, who may have no account.
alter table beat_reports add column language text check (language ~ '^[a-z]{2,3}$');
