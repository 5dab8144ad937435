import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Sign } from "../src/drill/session.ts";

/** The mistakes that can be planted, by the names of the checks that report them. */
export const bugs = [
  "bad signatures",
  "clock skew",
  "double deliveries",
  "wrong order",
  "late refunds",
  "slow connections",
  "cut connections",
] as const;
export type Bug = (typeof bugs)[number];

export const secret = `whsec_${randomBytes(32).toString("base64")}`;
const toleranceSeconds = 300;
/** The receiver with the bug "slow connections" closes a connection whose body takes longer than this. */
export const impatienceMs = 200;

interface Event {
  id: string;
  type: string;
  data: { order_id?: number; purchaser_id?: number };
}

/**
 * Starts a receiver such as a user writes. It has only the planted bugs. `readBack`: whether it reports handled ids.
 */
export async function sampleReceiver({
  planted = [],
  readBack = true,
}: {
  planted?: readonly Bug[];
  readBack?: boolean;
}) {
  const has = (bug: Bug) => planted.includes(bug);
  const handled = new Map<string, string[]>();
  const handledIds = new Set<string>();
  const buyers = new Set<number>();
  const refunded = new Set<number>();

  const note = (request: IncomingMessage, id: string) => {
    const run = String(request.headers["beat-drill"]);
    handled.set(run, [...(handled.get(run) ?? []), id]);
  };
  const handle = (request: IncomingMessage, { id, type, data }: Event): void => {
    if (handledIds.has(id) && !has("double deliveries")) return;
    handledIds.add(id);
    const { order_id: order = 0, purchaser_id: buyer = 0 } = data;
    if (type === "beat.purchased") buyers.add(buyer);
    // With these bugs, a refund without its purchase or a second refund of the same order is ignored.
    const isEarly = type === "order.refunded" && !buyers.has(buyer) && order !== 0;
    const isSecond = type === "order.refunded" && refunded.has(order);
    if (type === "order.refunded") refunded.add(order);
    if ((has("wrong order") && isEarly) || (has("late refunds") && isSecond)) return;
    note(request, id);
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === "GET") {
      const run = new URL(request.url ?? "", "http://localhost").searchParams.get("drill") ?? "";
      response.writeHead(readBack ? 200 : 405).end(JSON.stringify({ handled: handled.get(run) ?? [] }));
      return;
    }
    const timer = has("slow connections") ? setTimeout(() => request.destroy(), impatienceMs) : undefined;
    const id = String(request.headers["webhook-id"]);
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      // With this bug, an incomplete body counts as handled.
      if (has("cut connections")) note(request, id);
      return;
    } finally {
      clearTimeout(timer);
    }
    const body = Buffer.concat(chunks);
    if (!isGenuine(request, body)) return void response.writeHead(401).end();
    handle(request, JSON.parse(body.toString()));
    response.writeHead(204).end();
  };

  const isGenuine = ({ headers }: IncomingMessage, body: Buffer): boolean => {
    const [id, timestamp] = [String(headers["webhook-id"]), String(headers["webhook-timestamp"])];
    const age = Math.abs(Date.now() / 1_000 - Number(timestamp));
    // Each of the two bugs must show if both are planted: then every request is accepted.
    if (!(age <= toleranceSeconds) && !has("clock skew") && !has("bad signatures")) return false;
    if (has("bad signatures"))
      return age <= toleranceSeconds || has("clock skew") || headers["webhook-id"] === undefined;
    const right = Buffer.from(standardSignature(id, timestamp, body.toString(), secret));
    return String(headers["webhook-signature"])
      .split(" ")
      .map((one) => Buffer.from(one))
      .some((one) => one.length === right.length && timingSafeEqual(one, right));
  };

  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const standardSignature = (id: string, timestamp: string, body: string, of: string): string =>
  `v1,${createHmac("sha256", Buffer.from(of.slice(6), "base64"))
    .update(`${id}.${timestamp}.${body}`)
    .digest("base64")}`;

/** Signs as the service does. */
export const sign: Sign = async (body, of, time) => {
  const { id } = JSON.parse(body) as { id: string };
  const timestamp = String(Math.floor(time.getTime() / 1_000));
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": standardSignature(id, timestamp, body, of),
    "X-Webhook-Signature": createHmac("sha256", of).update(body).digest("hex"),
  };
};
