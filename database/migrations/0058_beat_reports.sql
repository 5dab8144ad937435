-- Somebody reports a beat, and an operator decides (docs/takedowns.md, Reports).
create table beat_reports (
  id bigint generated always as identity primary key,
  beat_id bigint not null references beats (id) on delete cascade,
  reason text not null check (reason in ('copyright', 'sample', 'impersonation', 'offensive', 'other')),
  -- Null once they are erased.
  details text check (length(details) between 1 and 2000),
  email text,
  state text not null default 'open' check (state in ('open', 'notice_sent', 'countered', 'upheld', 'rejected')),
  created_at timestamptz not null,
  noticed_at timestamptz,
  -- Until then the producer may counter the notice.
  counter_until timestamptz,
  -- Null once it is erased.
  counter text check (length(counter) between 1 and 2000),
  countered_at timestamptz,
  -- A countered report should be decided by then.
  decide_until timestamptz,
  decision text,
  decided_at timestamptz,
  check ((noticed_at is null) = (counter_until is null)),
  check ((countered_at is null) = (decide_until is null)),
  check ((state in ('upheld', 'rejected')) = (decided_at is not null)),
  check ((decided_at is null) = (decision is null)),
  check (state not in ('notice_sent', 'upheld') or noticed_at is not null),
  check (state <> 'countered' or countered_at is not null)
);
create index beat_reports_beat on beat_reports (beat_id, id);
create index beat_reports_undecided on beat_reports (id) where decided_at is null;
create index beat_reports_email on beat_reports (email);
create index beat_reports_decided on beat_reports (decided_at) where decided_at is not null;
