-- The language of mails, a tag of BCP 47: of an account, of a buyer's browser, and of a mail whose reader may have no account. Null is English.
alter table users add column language text check (language ~ '^[a-z]{2,3}$');
alter table checkouts add column language text check (language ~ '^[a-z]{2,3}$');
alter table outgoing_mails add column language text check (language ~ '^[a-z]{2,3}$');
