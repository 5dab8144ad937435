import { randomBytes } from "node:crypto";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { sql } from "kysely";
import { skipPending } from "../src/bulk-changes.ts";
import { type Destination, destinationColumns, sealedKey } from "../src/endpoints/destination.ts";
import {
  changeEndpoint,
  currentSecret,
  type Endpoint,
  insertEndpoint,
  previousSecret,
  secretsOf,
} from "../src/endpoints/endpoints.ts";
import type { EventRules } from "../src/event-rules.ts";
import { emitEvents, type NewEvent } from "../src/events/outbox.ts";
import type { SecretBox } from "../src/secret-box.ts";
import { newSecret } from "../src/signature.ts";
import { tablesOf } from "../src/tables.ts";

/** The rules of a program whose events have two versions with different bodies. */
export const rules: EventRules = {
  types: ["beat.created", "beat.updated", "beat.purchased", "user.registered", "user.updated"],
  userAgent: "Test-Webhooks/1.0",
  randomBytes,
  bodyOf: (payload, version) => (version === "2" ? JSON.stringify({ shape: 2, ...JSON.parse(payload) }) : payload),
  headersOf: (version) => ({ "Event-Version": version }),
  alsoReceives: () => sql`false`,
};

/** Does not encrypt, but opens a secret only in the place for which it was sealed. */
export const secrets: SecretBox = {
  seal: async (_, { column, id }, text) => `${column} ${id} ${text}`,
  open(sealed, { column, id }) {
    const place = `${column} ${id} `;
    if (!sealed.startsWith(place)) throw new OperatorError("It was sealed for another place.");
    return sealed.slice(place.length);
  },
};

export async function createOwner(db: Queryable): Promise<number> {
  const { rows } = await sql<{ id: number }>`insert into users default values returning id`.execute(db);
  return rows[0]?.id ?? 0;
}

export async function setSuspendedAt(db: Queryable, ownerId: number, time: Date | null): Promise<void> {
  await tablesOf(db).updateTable("users").set({ suspended_at: time }).where("id", "=", ownerId).execute();
}

export const emit = (db: Queryable, events: readonly NewEvent[]): Promise<void> => emitEvents(db, events, rules);

export interface EndpointRequest extends Destination {
  userId: number;
  version?: string;
}

/** Creates an endpoint for every type of event, with a new secret. */
export async function createEndpoint(
  db: Queryable,
  { userId, version = "1", ...destination }: EndpointRequest,
  { allowPrivate, now }: { allowPrivate: boolean; now: Date },
): Promise<{ endpoint: Endpoint; secret: string }> {
  const secret = newSecret();
  const columns = destinationColumns(destination, { allowPrivate });
  const ordered = destination.isOrdered ?? false;
  const row = { user_id: userId, api_version: version, ...columns, ordered, created_at: now };
  const endpoint = await insertEndpoint(db, row, secret, secrets);
  const { bucketKey } = destination;
  if (bucketKey !== undefined)
    await changeEndpoint(db, endpoint.id, await sealedKey(db, endpoint.id, bucketKey, secrets));
  return { endpoint, secret };
}

/** Creates an inbox with a new secret. */
export const createInbox = (db: Queryable, userId: number, now: Date): Promise<Endpoint> =>
  insertEndpoint(
    db,
    { user_id: userId, api_version: "1", kind: "inbox", url: "", created_at: now },
    newSecret(),
    secrets,
  );

/** Replaces a secret. The previous secret also signs for `overlapMs`. Returns the new secret. */
export async function rotateSecret(db: Queryable, id: number, overlapMs: number, now: Date): Promise<string> {
  const [previous] = await secretsOf(db, id, "operator", { secrets, now });
  const secret = newSecret();
  await changeEndpoint(db, id, {
    secret: await secrets.seal(db, currentSecret(id), secret),
    previous_secret: await secrets.seal(db, previousSecret(id), previous),
    previous_secret_until: new Date(now.getTime() + overlapMs),
  });
  return secret;
}

export async function disableEndpoint(db: Queryable, id: number, now: Date): Promise<void> {
  await changeEndpoint(db, id, { state: "disabled", disabled_at: now, disabled_reason: "Disabled by hand." });
  await skipPending(db, id);
}

export async function enableEndpoint(db: Queryable, id: number): Promise<void> {
  await changeEndpoint(db, id, {
    state: "enabled",
    disabled_at: null,
    disabled_reason: null,
    mail_due: null,
    failing_since: null,
    consecutive_failures: 0,
    concurrency: 2,
    resume_at: null,
  });
}
