import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import type { ColumnType, GeneratedAlways, Kysely } from "kysely";

type Time = ColumnType<Date, Date | string, Date | string>;
type TimeOrNull = ColumnType<Date | null, Date | string | null, Date | string | null>;
type WithDefault<T> = ColumnType<T, T | undefined, T>;

/** The tables of this package. A program's migrations create them among its own tables, as testing/schema.sql does. */
export interface WebhookTables {
  /** The outbox: a row for each event, written in the transaction of the change. */
  events: {
    id: string;
    type: string;
    created_at: Time;
    payload: string;
    /** The owners who receive the event, in addition to `EventRules.alsoReceives`; null for everyone. */
    audience: number[] | null;
    request_id: string | null;
    trace_context: string | null;
  };
  webhook_endpoints: {
    id: GeneratedAlways<number>;
    /** The owner. */
    user_id: number;
    url: string;
    event_types: string[] | null;
    description: WithDefault<string>;
    kind: WithDefault<string>;
    listener_seen_at: TimeOrNull;
    secret: string;
    previous_secret: string | null;
    previous_secret_until: TimeOrNull;
    ordered: WithDefault<boolean>;
    state: WithDefault<string>;
    disabled_at: TimeOrNull;
    disabled_reason: string | null;
    failing_since: TimeOrNull;
    consecutive_failures: WithDefault<number>;
    last_error: string | null;
    last_success_at: TimeOrNull;
    concurrency: WithDefault<number>;
    resume_at: TimeOrNull;
    mail_due: string | null;
    failing_mail_at: TimeOrNull;
    created_at: Time;
    last_failure_at: TimeOrNull;
    mail_leased_until: TimeOrNull;
    replayed: WithDefault<number>;
    replay_window_ends_at: TimeOrNull;
    created_by: number | null;
    url_set_by: number | null;
    url_set_at: TimeOrNull;
    access_key_id: string | null;
    secret_access_key: string | null;
    api_version: WithDefault<string>;
  };
  webhook_deliveries: {
    id: GeneratedAlways<number>;
    endpoint_id: number;
    event_id: string;
    state: string;
    attempts: WithDefault<number>;
    next_attempt_at: TimeOrNull;
    lease: string | null;
    leased_until: TimeOrNull;
    ordered: boolean;
    created_at: Time;
    type: WithDefault<string>;
  };
  webhook_attempts: {
    id: GeneratedAlways<number>;
    delivery_id: number;
    attempted_at: Time;
    status: number | null;
    duration_ms: number;
    error: string | null;
    answer: string;
  };
  webhook_receipts: {
    id: GeneratedAlways<number>;
    endpoint_id: number;
    delivery_id: number;
    received_at: Time;
    headers: unknown;
    body: string;
    computed_signature: string;
    secret_end: string;
    verified: boolean;
  };
  /** The owners of endpoints. Only read; nothing is sent to a suspended owner. */
  users: { id: GeneratedAlways<number>; suspended_at: TimeOrNull };
}

export type WebhookEndpointsTable = WebhookTables["webhook_endpoints"];

/** A program's database, typed as the tables of this package. */
export const tablesOf = (db: Queryable): Kysely<WebhookTables> => db;
