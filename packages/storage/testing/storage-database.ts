import type { TestDatabase } from "@beatmarket/postgres/testing/driver.ts";
import { emptyDatabaseUrl, openTestDatabase } from "@beatmarket/postgres/testing/test-database.ts";
import type { StorageTables } from "../src/tables.ts";

/** The tables of this package, and `documents`: like a program's own tables, it refers to objects. */
const schema = `
  create table storage_identity (
    only_row boolean primary key default true check (only_row),
    id uuid not null,
    place text not null,
    is_written boolean not null default false
  );
  create table stored_objects (
    sha256 text primary key check (sha256 ~ '^[0-9a-f]{64}$'),
    bytes bigint not null check (bytes >= 0),
    state text not null default 'storing' check (state in ('storing', 'stored')),
    touched_at timestamptz not null,
    crc32 bigint
  );
  create table object_deletions (sha256 text primary key, leased_until timestamptz not null);
  create table documents (id bigserial primary key, sha256 text not null references stored_objects)`;

/** Creates a database for the test file, with these tables. */
export async function storageDatabase(): Promise<TestDatabase<StorageTables & { documents: { sha256: string } }>> {
  const database = openTestDatabase(await emptyDatabaseUrl());
  await database.driver.unsafe(schema);
  return database;
}
