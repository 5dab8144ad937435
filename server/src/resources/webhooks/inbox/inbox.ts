import { timingSafeEqual } from "node:crypto";
import { sql } from "kysely";
import type { Logger } from "pino";
import type { Clock } from "../../../clock.ts";
import type { Queryable } from "../../../database/connection/connect.ts";
import { transact } from "../../../database/connection/transaction.ts";
import { conflict, notFound } from "../../../errors.ts";
import type { AuditAuthor } from "../../audit/queries.ts";
import { fixedHeaders, type Outcome } from "../delivery/sender.ts";
import { bodySignature, newSecret, toleranceSeconds } from "../delivery/signature.ts";
import { recordEndpoint } from "../endpoints/audit.ts";
import type { Endpoint, Reader } from "../endpoints/endpoint.ts";
import { type EndpointTerms, insertEndpoint, lockOwner, secretsOf } from "../endpoints/endpoints.ts";
import type { SecretBox } from "../endpoints/secret-box.ts";
import { statusInWords } from "../monitoring/failure-reasons.ts";

/** Of each inbox the newest are kept. */
export const maxReceipts = 100;

const secretEndLength = 4;

/**
 * Makes the account's inbox: an endpoint that receives within this service, so that a newcomer sees verified events
 * without a server of their own. It hears of every type and counts for no limit. 409 when there is one.
 */
export async function createInbox(
  db: Queryable,
  userId: number,
  { secrets, now }: Pick<EndpointTerms, "secrets" | "now">,
  author: AuditAuthor,
): Promise<Endpoint> {
  return transact(db, async (transaction) => {
    await lockOwner(transaction, userId);
    const known = await transaction
      .selectFrom("webhook_endpoints")
      .select("id")
      .where("user_id", "=", userId)
      .where("kind", "=", "inbox")
      .executeTakeFirst();
    if (known !== undefined) throw conflict(`The account has an inbox already: endpoint ${known.id}.`);
    const inbox = await insertEndpoint(transaction, {
      user_id: userId,
      kind: "inbox",
      url: "",
      secret: secrets.seal(newSecret()),
      created_at: now,
    });
    return recordEndpoint(transaction, "created", inbox, author, now);
  });
}

/** A delivery as an inbox got it. */
export interface InboxRequest {
  endpointId: number;
  deliveryId: number;
  body: Buffer;
  headers: Record<string, string>;
}

/**
 * Receives what is sent to inboxes as docs/webhooks.md asks of every receiver: it computes the HMAC of the raw body
 * under its secret, compares it with the header in constant time, looks at the timestamp, keeps what it found, and
 * answers 200 or 401. While a rotated secret still signs, it takes either.
 */
export class Inbox {
  readonly #db: Queryable;
  readonly #clock: Clock;
  readonly #secrets: SecretBox;
  readonly #log: Pick<Logger, "warn">;

  constructor(parts: { db: Queryable; clock: Clock; secrets: SecretBox; log: Pick<Logger, "warn"> }) {
    this.#db = parts.db;
    this.#clock = parts.clock;
    this.#secrets = parts.secrets;
    this.#log = parts.log;
  }

  /** Never throws. */
  async receive(request: InboxRequest): Promise<Outcome> {
    const startedMs = this.#clock.monotonicMs();
    const outcome = (status: number | null, error: string | null, answer: string): Outcome => ({
      status,
      durationMs: this.#clock.monotonicMs() - startedMs,
      error,
      timedOut: false,
      answer,
      retryAfterMs: null,
    });
    try {
      const isVerified = await this.#keep(request);
      return isVerified
        ? outcome(200, null, '{"received":true}')
        : outcome(401, statusInWords(401), '{"received":false,"reason":"The signature does not match."}');
    } catch (error) {
      this.#log.warn({ err: error, endpointId: request.endpointId }, "an inbox could not keep a delivery");
      return outcome(null, "The inbox could not keep the delivery; the service's log says why.", "");
    }
  }

  async #keep({ endpointId, deliveryId, body, headers: signed }: InboxRequest): Promise<boolean> {
    const now = new Date(this.#clock.nowMs());
    const headers: Record<string, string> = { ...fixedHeaders, ...signed };
    const secrets = await secretsOf(this.#db, endpointId, "operator", { secrets: this.#secrets, now });
    const given = headers["X-Webhook-Signature"] ?? "";
    const secret = secrets.find((its) => isSame(bodySignature(body, its ?? ""), given)) ?? secrets[0];
    const computed = bodySignature(body, secret);
    const ageSeconds = now.getTime() / 1000 - Number(headers["webhook-timestamp"]);
    const isVerified = isSame(computed, given) && Math.abs(ageSeconds) <= toleranceSeconds;
    await sql`
      with kept as (
        insert into webhook_receipts (
          endpoint_id, delivery_id, received_at, headers, body, computed_signature, secret_end, verified)
        values (${endpointId}, ${deliveryId}, ${now}, ${JSON.stringify(headers)}::text::jsonb, ${body.toString("utf8")},
          ${computed}, ${secret.slice(-secretEndLength)}, ${isVerified})
      )
      delete from webhook_receipts where endpoint_id = ${endpointId} and id <= (
        select id from webhook_receipts where endpoint_id = ${endpointId}
        order by id desc offset ${maxReceipts - 1} limit 1)`.execute(this.#db);
    return isVerified;
  }
}

const isSame = (computed: string, given: string): boolean =>
  computed.length === given.length && timingSafeEqual(Buffer.from(computed), Buffer.from(given));

/** What an inbox got, in short. */
export interface Receipt {
  id: number;
  deliveryId: number;
  eventId: string;
  type: string;
  receivedAt: Date;
  isVerified: boolean;
}

/** All that an inbox got and what it made of it. */
export interface FullReceipt extends Receipt {
  headers: Record<string, string>;
  body: string;
  /** The HMAC that the inbox computed. */
  computedSignature: string;
  /** The end of the secret that it used, which may be another today. */
  secretEnd: string;
}

const columns = sql`
  receipt.id, receipt.delivery_id as "deliveryId", receipt.headers ->> 'webhook-id' as "eventId",
  receipt.body::jsonb ->> 'type' as type, receipt.received_at as "receivedAt", receipt.verified as "isVerified"`;

/** What an inbox got, newest first. */
export async function listReceipts(db: Queryable, endpointId: number): Promise<Receipt[]> {
  const { rows } = await sql<Receipt>`
    select ${columns} from webhook_receipts receipt where endpoint_id = ${endpointId}
    order by id desc limit ${maxReceipts}`.execute(db);
  return rows;
}

/** 404 where the actor has none, or it was one too many. */
export async function findReceipt(db: Queryable, id: number, actor: Reader): Promise<FullReceipt> {
  const { rows } = await sql<FullReceipt>`
    select ${columns}, receipt.headers, receipt.body, receipt.computed_signature as "computedSignature",
           receipt.secret_end as "secretEnd"
    from webhook_receipts receipt join webhook_endpoints endpoint on endpoint.id = receipt.endpoint_id
    where receipt.id = ${id} ${actor === "operator" ? sql`` : sql`and endpoint.user_id = ${actor.ownerId}`}`.execute(
    db,
  );
  const receipt = rows[0];
  if (receipt === undefined) throw notFound(`There is no receipt ${id}; an inbox keeps the newest ${maxReceipts}.`);
  return receipt;
}
