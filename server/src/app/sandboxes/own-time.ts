import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { sql } from "kysely";

/**
 * The state of a sandbox, in its own database: the seed, the SECRET_KEY, the time (null: the time of the server), the
 * batch, the number of draws of each kind from the random source, and the recorded mails. The batch has the planned
 * orders that are being placed. It is null without such orders, and empty while a day begins.
 */
const stateTables = `
  create schema if not exists sandbox;
  create table if not exists sandbox.state (
    is_only boolean primary key default true check (is_only),
    seed text not null default '',
    secret text not null default '',
    time timestamptz,
    batch jsonb,
    draws bigint not null default 0,
    kind_draws jsonb not null default '{}'
  );
  insert into sandbox.state default values on conflict do nothing;
  create table if not exists sandbox.mails (
    id bigint generated always as identity primary key,
    recipient text not null, subject text not null, body text not null, sent_at timestamptz not null
  );
  create sequence if not exists sandbox.uuids;
  create or replace function sandbox.now() returns timestamptz language sql stable
    as $$ select coalesce((select time from sandbox.state), pg_catalog.now()) $$;
  create or replace function sandbox.uuid() returns uuid language plpgsql volatile
    as $$ begin return md5((select seed from sandbox.state) || nextval('sandbox.uuids'))::uuid; end $$;`;

/** The database's own functions that a sandbox replaces. */
const replaced = [
  [/(?<![.\w])now\(\)/g, "sandbox.now()"],
  [/(?<![.\w])gen_random_uuid\(\)/g, "sandbox.uuid()"],
] as const;

const ofSandbox = (text: string): string =>
  replaced.reduce((changed, [own, replacement]) => changed.replaceAll(own, replacement), text);

/**
 * Lets a migrated database live in a sandbox's time: its column defaults and functions (those of triggers) take times
 * and UUIDs from the sandbox. Reads their texts from PostgreSQL's system catalogue, so that later migrations are
 * included. Idempotent.
 */
export async function liveInOwnTime(db: Queryable): Promise<void> {
  await sql.raw(stateTables).execute(db);
  const defaults = await sql<{ subject: string; text: string }>`
    select format('alter table %s alter column %I set default ', attrelid::regclass, attname) as subject,
      pg_get_expr(adbin, adrelid) as text
    from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
      join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and attgenerated = ''`.execute(db);
  const functions = await sql<{ subject: string; text: string }>`
    select '' as subject, pg_get_functiondef(pg_proc.oid) as text from pg_proc
    where pronamespace = 'public'::regnamespace and prokind = 'f'
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')`.execute(db);
  for (const { subject, text } of [...defaults.rows, ...functions.rows])
    if (ofSandbox(text) !== text) await sql.raw(subject + ofSandbox(text)).execute(db);
}

/** Adds the columns that the state of a sandbox from an earlier release lacks. Locks nothing if it has them all. */
export const completeState = (db: Queryable): Promise<unknown> =>
  sql`
    do $$ begin
      if (select count(*) from pg_attribute where attrelid = 'sandbox.state'::regclass
          and attname in ('kind_draws', 'batch')) < 2 then
        alter table sandbox.state add column if not exists kind_draws jsonb not null default '{}',
          add column if not exists batch jsonb;
      end if;
    end $$`.execute(db);
