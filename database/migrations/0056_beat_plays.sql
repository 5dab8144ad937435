-- The plays of a beat by the day (UTC), for its producer.
create table beat_plays (
  beat_id bigint not null references beats (id) on delete cascade,
  day date not null,
  plays integer not null check (plays > 0),
  primary key (day, beat_id)
);
create index beat_plays_beat on beat_plays (beat_id, day);
