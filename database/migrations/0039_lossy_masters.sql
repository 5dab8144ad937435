-- A recording whose format leaves something out (MP3, Ogg, M4A) brings no WAV. Frozen with the order; earlier orders keep what they
-- promised.
alter table orders add column is_master_lossy boolean not null default false;

-- The MP3 of such a recording has the recording's own bit rate. Earlier orders keep the one of 320 kbit/s and the WAV.
alter table renditions drop constraint renditions_kind_check;
alter table renditions add constraint renditions_kind_check check (kind in ('mp3', 'wav', 'lossy_mp3')) not valid;
alter table renditions validate constraint renditions_kind_check;
