-- What terms allow, clause by clause, as data. Null of versions that earlier releases recorded and that no one sells under now.
alter table license_terms add column clauses jsonb;
