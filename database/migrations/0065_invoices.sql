-- Taxes that prices include, by the country of the buyer. No rows: invoices have no tax.
create table tax_rates (
  -- ISO 3166-1 alpha-2.
  country text not null check (country ~ '^[A-Z]{2}$'),
  -- As invoices name it, such as VAT.
  name text not null check (length(name) between 1 and 40),
  basis_points integer not null check (basis_points between 1 and 10000),
  -- Days in UTC, the last one included; null: until further notice.
  valid_from date not null,
  valid_to date check (valid_to >= valid_from),
  primary key (country, valid_from)
);

-- How a buyer wants to be named on invoices.
create table billing_details (
  user_id bigint primary key references users (id),
  name text not null check (length(name) between 1 and 100),
  -- One to three lines.
  address text[] not null check (cardinality(address) <= 3),
  country text check (country ~ '^[A-Z]{2}$'),
  vat_id text check (length(vat_id) between 2 and 20),
  updated_at timestamptz not null
);

-- The same of a checkout's buyer, who may have no account: null unless given.
alter table checkouts add column billing jsonb;

-- The number that was used last, by kind and year. Its row is locked until the sale commits, so numbers have no gaps.
create table invoice_numbers (
  kind text not null check (kind in ('invoice', 'credit_note')),
  year integer not null,
  last integer not null check (last > 0),
  primary key (kind, year)
);

-- Documents about money of orders, as they were issued: an invoice for a sale, a credit note for what is paid back, and an invoice for a
-- refund that the buyer's bank sent back.
create table invoices (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('invoice', 'credit_note')),
  year integer not null,
  number integer not null check (number > 0),
  order_id bigint not null references orders (id),
  -- Taxes included.
  amount_cents bigint not null check (amount_cents > 0),
  tax_cents bigint not null check (tax_cents between 0 and amount_cents),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- The invoice of the sale; null for it.
  corrects_id bigint references invoices (id),
  -- Seller, buyer, line and tax.
  facts jsonb not null,
  issued_at timestamptz not null,
  unique (kind, year, number)
);
create index invoices_order_id on invoices (order_id, id);
create unique index invoices_of_sales on invoices (order_id) where corrects_id is null;

create function refuse_change_of_invoice() returns trigger language plpgsql as $$
begin
  raise exception 'An invoice never changes: a credit note corrects it.';
end $$;
create trigger invoices_unchanged before update or delete on invoices for each row execute function refuse_change_of_invoice();
