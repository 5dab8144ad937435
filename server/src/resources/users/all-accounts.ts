import { notFound } from "@beatmarket/foundation/errors.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { type Standing, suspensionOf } from "./standing.ts";

// The accounts, with the facts for operators.

export interface ListedAccount extends Standing {
  id: number;
  /** Null for an organisation. */
  email: string | null;
  username: string;
  displayName: string;
  isMarketplace: boolean;
  isProducer: boolean;
  createdAt: Date;
  /** The number of keys that are neither revoked nor expired. */
  activeKeys: number;
  /** The last use of the account's keys, to the minute. Null if no key was used. */
  lastUsedAt: Date | null;
}

export const accountKinds = ["suspended", "operators", "organisations"] as const;
export type AccountKind = (typeof accountKinds)[number];

interface AccountRow extends Omit<ListedAccount, "suspension"> {
  suspended_at: Date | null;
  suspension_reason: string | null;
}

/**
 * Returns accounts with ids below `beforeId`, newest first. `search` is an id, the start of an address or a name, a
 * username, the last four characters of a key, or a key's SHA-256 in hexadecimal.
 */
export async function searchAccounts(
  db: Queryable,
  {
    search,
    kind,
    beforeId,
    limit,
    now,
  }: {
    search?: string | undefined;
    kind?: AccountKind | undefined;
    beforeId?: number | undefined;
    limit: number;
    now: Date;
  },
): Promise<ListedAccount[]> {
  const conditions = [sql`true`];
  if (search !== undefined) conditions.push(searchCondition(search.trim()));
  if (kind === "suspended") conditions.push(sql`account.suspended_at is not null`);
  if (kind === "operators") conditions.push(sql`account.operator`);
  if (kind === "organisations") conditions.push(sql`account.organisation`);
  if (beforeId !== undefined) conditions.push(sql`account.id < ${beforeId}`);
  return selectAccounts(db, sql.join(conditions, sql` and `), limit, now);
}

/** Returns an account. Throws notFound for an unknown user, and for an imported producer, who has no account. */
export async function findListedAccount(db: Queryable, id: number, now: Date): Promise<ListedAccount> {
  const [account] = await selectAccounts(db, sql`account.id = ${id}`, 1, now);
  if (account === undefined) throw notFound(`There is no account ${id}.`);
  return account;
}

async function selectAccounts(
  db: Queryable,
  condition: RawBuilder<unknown>,
  limit: number,
  now: Date,
): Promise<ListedAccount[]> {
  const { rows } = await sql<AccountRow>`
    select account.id, account.email, account.username, account.display_name as "displayName",
           account.operator as "isOperator", account.marketplace as "isMarketplace", account.is_producer as "isProducer",
           account.suspended_at, account.suspension_reason, account.created_at as "createdAt",
           keys.active as "activeKeys", keys.last_used_at as "lastUsedAt"
    from users account cross join lateral (
      select count(*) filter (where revoked_at is null and (expires_at is null or expires_at > ${now})) as active,
             max(last_used_at) as last_used_at
      from api_keys where user_id = account.id
    ) keys
    where (account.email is not null or account.organisation) and ${condition}
    order by account.id desc limit ${limit}`.execute(db);
  return rows.map(({ suspended_at, suspension_reason, ...account }) => ({
    ...account,
    suspension: suspensionOf({ suspended_at, suspension_reason }),
  }));
}

function searchCondition(search: string): RawBuilder<unknown> {
  if (/^\d{1,15}$/.test(search)) return sql`account.id = ${Number(search)}::bigint`;
  if (/^[0-9a-f]{64}$/.test(search))
    return sql`account.id in (select user_id from api_keys where sha256 = ${Buffer.from(search, "hex")})`;
  const prefix = `${search.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const keyEnd = /^…?([0-9A-Za-z]{4})$/.exec(search)?.[1];
  return sql`account.id in (
    select id from users where email is not null and email like ${prefix}
    union all select id from users where email is not null and lower(display_name) like ${prefix}
    union all select id from users where organisation and lower(display_name) like ${prefix}
    union all select id from users where username = ${search.toLowerCase()}
    union all select user_id from api_keys where ends_with = ${keyEnd ?? ""})`;
}

/** The names of an account. Both are null for an imported producer, who has no account. */
export interface AccountNames {
  /** The address of a person. */
  email: string | null;
  /** The username of an organisation. */
  organisation: string | null;
}

/** Returns the names of users, by id. */
export async function findAccountNames(db: Queryable, ids: readonly number[]): Promise<Map<number, AccountNames>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("users")
    .select(["id", "email", "username", "organisation"])
    .where("id", "in", [...new Set(ids)])
    .execute();
  return new Map(
    rows.map(({ id, email, username, organisation }) => [id, { email, organisation: organisation ? username : null }]),
  );
}
