-- The operator's commission on the sales of an account, in basis points; null: the default of the service.
alter table users add column commission_basis_points integer check (commission_basis_points between 0 and 10000);
