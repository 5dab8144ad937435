-- UK is in use for GB, the code of ISO 3166-1, which invoices and rates have from now on. Rates of GB, if there are some, apply.
update billing_details set country = 'GB' where country = 'UK';
update tax_rates set country = 'GB'
  where country = 'UK' and not exists (select from tax_rates as other where other.country = 'GB');
