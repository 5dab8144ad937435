import type { Clock } from "@beatmarket/foundation/clock.ts";
import { ApiError, conflict } from "@beatmarket/foundation/errors.ts";
import { readText } from "@beatmarket/http/input/read-text.ts";
import { TokenBuckets } from "@beatmarket/http/rate-limit/token-buckets.ts";
import { transact } from "@beatmarket/postgres/connection/transaction.ts";
import { sql } from "kysely";
import type { Queryable } from "../../database/connect.ts";
import { queueMails } from "../mails/outbox.ts";
import { buyerOf, contactOrders, findContactOrder, type Party, producersOf, requireBought } from "./parties.ts";

export interface ContactParts {
  db: Queryable;
  clock: Clock;
  publicUrl: string;
  limits: ContactLimits;
}

export interface Message {
  id: number;
  author: "buyer" | "producer";
  /** Null after the erasure of the author. */
  text: string | null;
  created_at: Date;
}

/** The maximum number of messages about an order. */
const maxMessages = 200;

/** The messages between the buyer and the producer of an order, oldest first. */
export const listMessages = (db: Queryable, orderId: number): Promise<Message[]> =>
  db
    .selectFrom("order_messages")
    .select(["id", "author", "text", "created_at"])
    .where("order_id", "=", orderId)
    .orderBy("id")
    .limit(maxMessages)
    .$narrowType<Pick<Message, "author">>()
    .execute();

/**
 * Stores a message of one party and mails it to the other party, without the e-mail address of either. Throws 400 for
 * an invalid text, 404 for an order of other parties, 409 for an order that is not completed or has `maxMessages`, or
 * if the other party has no mailbox, and 429 for too many messages in an hour.
 */
export async function writeMessage(
  { db, clock, publicUrl, limits }: ContactParts,
  {
    orderId,
    author,
    text: typedText,
    party,
  }: { orderId: number; author: Message["author"]; text: string; party: Party },
): Promise<void> {
  const text = readText(typedText, "text");
  await findContactOrder(db, orderId, party);
  limits.take(orderId, author);
  const now = new Date(clock.nowMs());
  await transact(db, async (transaction) => {
    const order = await contactOrders(transaction)
      .where("orders.id", "=", orderId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    requireBought(order, "you can write to its producer");
    const readers = author === "buyer" ? await producersOf(transaction, order) : await buyerOf(transaction, order);
    if (readers.length === 0)
      throw conflict(
        author === "buyer"
          ? `${order.producer_name} has no mailbox here, so nobody would read it. Ask the operator of this marketplace.`
          : `The buyer of order ${orderId} has no mailbox here any more, so nobody would read it.`,
      );
    if ((await listMessages(transaction, orderId)).length >= maxMessages)
      throw conflict(`Order ${orderId} has ${maxMessages} messages, which is all that it can have.`);
    await transaction
      .insertInto("order_messages")
      .values({ order_id: orderId, author, text, created_at: now })
      .execute();
    const facts = { order: String(orderId), title: order.title, message: text };
    await queueMails(
      transaction,
      readers.map((reader) =>
        author === "buyer"
          ? {
              ...reader,
              template: "message-to-producer",
              facts: { ...facts, link: `${publicUrl}/portal/sales/orders/${orderId}` },
            }
          : {
              ...reader,
              template: "message-to-buyer",
              facts: { ...facts, producer: order.producer_name, link: `${publicUrl}/library`, opens: "library" },
            },
      ),
      now,
    );
  });
}

interface Thread {
  order_id: number;
  title: string;
  messages: number;
  last_at: Date;
  /** Whether the last message is the buyer's. */
  awaits_producer: boolean;
}

/** A producer's sales with messages. The sale with the latest message comes first. */
export async function listThreads(db: Queryable, producerId: number, limit: number): Promise<Thread[]> {
  const { rows } = await sql<Thread>`
    select orders.id as order_id, orders.title, count(*)::int as messages, max(order_messages.created_at) as last_at,
      (array_agg(order_messages.author order by order_messages.id desc))[1] = 'buyer' as awaits_producer
    from orders join order_messages on order_messages.order_id = orders.id
    where orders.producer_id = ${producerId}
    group by orders.id order by max(order_messages.id) desc limit ${limit}`.execute(db);
  return rows;
}

const messagesPerHour = 10;

/** Limits the messages of one party about one order within an hour, since each is mailed to the other party. */
export class ContactLimits {
  readonly #buckets: TokenBuckets;

  constructor(clock: Clock) {
    this.#buckets = new TokenBuckets(clock, { burst: messagesPerHour, perSecond: messagesPerHour / 3_600 });
  }

  /** Counts a message. Throws 429 above the limit. */
  take(orderId: number, author: "buyer" | "producer"): void {
    if (this.#buckets.take(`${orderId} ${author}`)) return;
    throw new ApiError(
      429,
      "rate_limit_exceeded",
      "Too many messages",
      `You can send at most ${messagesPerHour} messages an hour about one order. Wait some minutes, then try again.`,
      { headers: { "retry-after": "360" }, refusedBy: "limit:messages" },
    );
  }
}

const retentionYears = 3;

/** Deletes messages and refund requests after three years. */
export async function deleteOldContacts(db: Queryable, now: Date): Promise<void> {
  const before = new Date(now);
  before.setUTCFullYear(before.getUTCFullYear() - retentionYears);
  await sql`delete from order_messages where created_at < ${before}::timestamptz`.execute(db);
  await sql`delete from refund_requests where created_at < ${before}::timestamptz`.execute(db);
}

/**
 * Erases the texts of a user, as buyer and as producer. Must run before the address is erased. Refund requests keep
 * their reason and state, which explain a payment.
 */
export async function eraseContacts(transaction: Queryable, userId: number): Promise<void> {
  const orderIds = sql`select orders.id from orders where user_id = ${userId}
    union select orders.id from checkouts join orders on orders.checkout_key = checkouts.payment_key
    where checkouts.email = (select email from users where id = ${userId})`;
  await sql`update order_messages set text = null where author = 'buyer' and order_id in (${orderIds})`.execute(
    transaction,
  );
  await sql`update refund_requests set details = null where order_id in (${orderIds})`.execute(transaction);
  await sql`update order_messages set text = null where author = 'producer'
    and order_id in (select id from orders where producer_id = ${userId})`.execute(transaction);
}
