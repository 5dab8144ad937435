-- What holders report as used of their licenses (docs/clauses.md, Usage).

create table license_usage (
  license_id uuid not null references licenses (id),
  use text not null check (use in ('streams', 'copies', 'videos')),
  -- A month: 2027-01.
  period text not null,
  source text not null,
  quantity bigint not null check (quantity >= 0),
  reported_at timestamptz not null,
  primary key (license_id, use, period, source)
);

-- Parts of a limit that the usage has reached, each noted once.
create table license_usage_levels (
  license_id uuid not null references licenses (id),
  use text not null,
  -- Of the limit.
  percent smallint not null,
  reached_at timestamptz not null,
  -- False after the reports were corrected to less.
  stands boolean not null,
  primary key (license_id, use, percent)
);
