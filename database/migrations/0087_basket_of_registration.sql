-- The basket of the browser that asked for an account, as its cookie has it. The link may be opened on another device, whose
-- browser does not have the basket.
alter table portal_mail_links add column basket text check (basket is null or purpose = 'register');
