import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import type { ColumnType, GeneratedAlways, Kysely } from "kysely";

type Time = ColumnType<Date, Date | string, Date | string>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;

/** The tables of this package. A program's migrations create them among its own tables (testing/schema.sql). */
export interface AuthenticationTables {
  portal_attempts: {
    subject: string;
    count: number;
    window_ends_at: Time;
  };
  portal_authenticators: {
    account_id: string;
    secret: string;
    last_step: number;
    created_at: Time;
  };
  /** Only read. */
  portal_passkeys: {
    id: GeneratedAlways<number>;
    account_id: string;
  };
  portal_recovery_codes: {
    account_id: string;
    sha256: Buffer;
  };
  portal_sessions: {
    id: string;
    user_id: string;
    token: string;
    expires_at: Time;
    ip_address: string | null;
    user_agent: string | null;
    created_at: Time;
    updated_at: Time;
    new_device: WithDefault<boolean>;
    acting_as: number | null;
    second_factor: WithDefault<boolean>;
  };
  /** The accounts. Only read. */
  portal_users: {
    id: string;
    user_id: number;
    name: string;
    email: string;
  };
}

/** A program's database, typed with the tables of this package. */
export const tablesOf = (db: Queryable): Kysely<AuthenticationTables> => db;
