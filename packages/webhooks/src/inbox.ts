import { timingSafeEqual } from "node:crypto";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { notFound } from "@beatmarket/foundation/errors.ts";
import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";
import { sql } from "kysely";
import type { Logger } from "pino";
import { isVisibleTo, type Principal, secretsOf } from "./endpoints/endpoints.ts";
import type { EventRules } from "./event-rules.ts";
import { statusInWords } from "./failure-reasons.ts";
import type { SecretBox } from "./secret-box.ts";
import { fixedHeaders, type Outcome, type WebhookRequest } from "./sender.ts";
import { bodySignature, toleranceSeconds } from "./signature.ts";

/** The number of receipts stored for an inbox. Older receipts are deleted. */
export const maxReceipts = 100;

const secretEndLength = 4;

/** A delivery to an inbox. */
export interface InboxRequest extends Pick<WebhookRequest, "body" | "headers"> {
  endpointId: number;
  deliveryId: number;
}

/**
 * Receives deliveries as docs/webhooks.md recommends to every receiver: checks the HMAC of the raw body in constant
 * time, then the timestamp, and responds 200 or 401. Accepts every secret that still signs, and stores a receipt.
 */
export class Inbox {
  readonly #db: Queryable;
  readonly #clock: Clock;
  readonly #secrets: SecretBox;
  readonly #log: Pick<Logger, "warn">;
  readonly #fixedHeaders: Record<string, string>;

  constructor(parts: {
    db: Queryable;
    clock: Clock;
    secrets: SecretBox;
    log: Pick<Logger, "warn">;
    rules: Pick<EventRules, "userAgent">;
  }) {
    this.#db = parts.db;
    this.#clock = parts.clock;
    this.#secrets = parts.secrets;
    this.#log = parts.log;
    this.#fixedHeaders = fixedHeaders(parts.rules);
  }

  /** Never rejects; every failure is an outcome. */
  async receive(request: InboxRequest): Promise<Outcome> {
    const startedMs = this.#clock.monotonicMs();
    const outcome = (status: number | null, error: string | null, responseBody: string): Outcome => ({
      status,
      durationMs: this.#clock.monotonicMs() - startedMs,
      error,
      timedOut: false,
      responseBody,
      retryAfterMs: null,
    });
    try {
      const isVerified = await this.#verify(request);
      return isVerified
        ? outcome(200, null, '{"received":true}')
        : outcome(401, statusInWords(401), '{"received":false,"reason":"The signature does not match."}');
    } catch (error) {
      this.#log.warn({ err: error, endpointId: request.endpointId }, "an inbox failed to store a delivery");
      return outcome(null, "The inbox could not store the delivery; the service's log says why.", "");
    }
  }

  /** Stores the receipt, and returns whether the signature is valid. */
  async #verify({ endpointId, deliveryId, body, headers: signed }: InboxRequest): Promise<boolean> {
    const now = new Date(this.#clock.nowMs());
    const headers: Record<string, string> = { ...this.#fixedHeaders, ...signed };
    const secrets = await secretsOf(this.#db, endpointId, "operator", { secrets: this.#secrets, now });
    const received = headers["X-Webhook-Signature"] ?? "";
    const secret = secrets.find((candidate) => isSame(bodySignature(body, candidate ?? ""), received)) ?? secrets[0];
    const computed = bodySignature(body, secret);
    const ageSeconds = now.getTime() / 1000 - Number(headers["webhook-timestamp"]);
    const isVerified = isSame(computed, received) && Math.abs(ageSeconds) <= toleranceSeconds;
    await sql`
      with receipt as (
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

const isSame = (computed: string, received: string): boolean =>
  computed.length === received.length && timingSafeEqual(Buffer.from(computed), Buffer.from(received));

/** A delivery that an inbox received. */
export interface Receipt {
  id: number;
  deliveryId: number;
  eventId: string;
  type: string;
  receivedAt: Date;
  isVerified: boolean;
}

/** A receipt with the request and the details of its verification. */
export interface FullReceipt extends Receipt {
  headers: Record<string, string>;
  body: string;
  /** The HMAC that the inbox computed. */
  computedSignature: string;
  /** The end of the secret used for the verification. */
  secretEnd: string;
}

const columns = sql`
  receipt.id, receipt.delivery_id as "deliveryId", receipt.headers ->> 'webhook-id' as "eventId",
  receipt.body::jsonb ->> 'type' as type, receipt.received_at as "receivedAt", receipt.verified as "isVerified"`;

/** The inbox's receipts, newest first. */
export async function listReceipts(db: Queryable, endpointId: number): Promise<Receipt[]> {
  const { rows } = await sql<Receipt>`
    select ${columns} from webhook_receipts receipt where endpoint_id = ${endpointId}
    order by id desc limit ${maxReceipts}`.execute(db);
  return rows;
}

/** Throws 404 if the principal has no such receipt, or if newer receipts replaced it. */
export async function findReceipt(db: Queryable, id: number, principal: Principal): Promise<FullReceipt> {
  const { rows } = await sql<FullReceipt>`
    select ${columns}, receipt.headers, receipt.body, receipt.computed_signature as "computedSignature",
           receipt.secret_end as "secretEnd"
    from webhook_receipts receipt join webhook_endpoints endpoint on endpoint.id = receipt.endpoint_id
    where receipt.id = ${id} and ${isVisibleTo(principal)}`.execute(db);
  const receipt = rows[0];
  if (receipt === undefined) throw notFound(`There is no receipt ${id}; an inbox keeps the newest ${maxReceipts}.`);
  return receipt;
}
