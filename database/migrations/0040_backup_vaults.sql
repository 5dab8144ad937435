-- The vaults that this database was backed up to, by their places: an empty place of a known vault is one whose disk is not
-- mounted, or whose bucket was replaced, and no new vault is begun in it.
create table backup_vaults (
  place text primary key,
  id uuid not null,
  claimed_at timestamptz not null default now()
);
