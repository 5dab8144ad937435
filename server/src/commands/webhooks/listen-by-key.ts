import { readFile } from "node:fs/promises";
import { request } from "node:https";
import { json } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { EventType } from "../../resources/webhooks/events/event-types.ts";
import { type Outcome, Sender } from "../../resources/webhooks/sender.ts";
import { newSecret, signatureHeaders } from "../../resources/webhooks/signature.ts";
import { stopSignal } from "../terminal/stop-signal.ts";

export interface RemoteListenOptions {
  server: string;
  apiKey?: string;
  ca?: string;
  forward: string;
  events?: EventType[];
  secret?: string;
}

/** An event with the fields of webhooks. */
interface Event {
  id: string;
  type: string;
}

export interface Forwarded {
  event: Event;
  startedAt: Date;
  outcome: Outcome;
}

const waitSeconds = 30;
const retryMs = 5_000;
const pageSize = 1_000;

/**
 * Forwards the events of a key's account, read from a server's API, until stopped. Each event is sent once; a replay in
 * the portal sends it again to a receiver in development. `onReady` receives the secret that signs.
 */
export async function listenByKey(
  { server, apiKey, ca, forward, events, secret = newSecret() }: RemoteListenOptions,
  {
    onReady,
    onForwarded,
    onTrouble,
  }: {
    onReady(secret: string): void;
    onForwarded(forwarded: Forwarded): void;
    onTrouble(sentence: string): void;
  },
): Promise<void> {
  if (apiKey === undefined)
    throw new OperatorError("--server needs an API key with events:read. Put it into BEATMARKET_API_KEY.");
  const stopping = new AbortController();
  void stopSignal().then(() => stopping.abort());
  const source = await openEvents({ server, apiKey, ca, types: events });
  const sender = new Sender({ allowPrivate: true, clock: systemClock });
  try {
    // Forward only events from now on.
    let after = await source.newest(stopping.signal);
    onReady(secret);
    while (!stopping.signal.aborted) {
      const page = await source.read({ after, wait: waitSeconds }, stopping.signal).catch(async (error) => {
        if (error instanceof OperatorError) throw error;
        if (stopping.signal.aborted) return null;
        onTrouble(`${server} does not answer (${error.code ?? error.message}); trying again.`);
        await delay(retryMs, undefined, { signal: stopping.signal }).catch(() => {});
        return null;
      });
      for (const event of page?.events ?? []) {
        const startedAt = new Date(systemClock.nowMs());
        const body = Buffer.from(JSON.stringify(event));
        const message = { id: event.id, timestampSeconds: Math.floor(startedAt.getTime() / 1_000), body };
        const outcome = await sender.send({ url: forward, body, headers: signatureHeaders(message, [secret]) });
        onForwarded({ event, startedAt, outcome });
        if (stopping.signal.aborted) return;
      }
      after = page?.next ?? after;
    }
  } finally {
    await sender.close();
  }
}

interface Page {
  events: Event[];
  next: number;
}

/** The account's events at a server. */
async function openEvents({
  server,
  apiKey,
  ca,
  types,
}: {
  server: string;
  apiKey: string;
  ca: string | undefined;
  types: EventType[] | undefined;
}) {
  const base = URL.canParse(server) ? new URL(server) : null;
  if (base?.protocol !== "https:")
    throw new OperatorError(`--server is ${server}; it takes the address of a server, such as https://localhost:8443.`);
  const authority =
    ca === undefined
      ? undefined
      : await readFile(ca).catch(({ code }: NodeJS.ErrnoException) => {
          throw new OperatorError(`--ca is ${ca}, which cannot be read (${code}).`);
        });
  const read = async (query: { after?: number; wait?: number }, signal: AbortSignal): Promise<Page> => {
    const url = new URL("/v1/events", base);
    for (const [name, value] of Object.entries({ ...query, limit: pageSize, type: types?.join(",") }))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const { promise, resolve, reject } = Promise.withResolvers<Page>();
    request(
      url,
      { ca: authority, signal, headers: { authorization: `Bearer ${apiKey}`, accept: "application/json" } },
      (response) => {
        json(response).then((body) => {
          const { data, error } = body as { data?: Page; error?: { details: string } };
          if (data !== undefined) resolve(data);
          else if ((response.statusCode ?? 0) >= 500) reject(new Error(`status ${response.statusCode}`));
          else
            reject(
              new OperatorError(`${url.origin} refuses the key's events (${response.statusCode}): ${error?.details}`),
            );
        }, reject);
      },
    )
      .on("error", (error: NodeJS.ErrnoException) => reject(trustError(error, url) ?? error))
      .end();
    return promise;
  };
  const newest = async (signal: AbortSignal): Promise<number> => {
    let page = await read({}, signal);
    while (page.events.length === pageSize) page = await read({ after: page.next }, signal);
    return page.next;
  };
  return { read, newest };
}

const trustError = ({ code }: NodeJS.ErrnoException, { origin }: URL): OperatorError | undefined =>
  code !== undefined && /CERT|SIGNATURE|ISSUER/.test(code)
    ? new OperatorError(
        `The certificate of ${origin} is not trusted (${code}). Name its CA's file with --ca: DATA_DIR/tls/ca.pem of a server of your own.`,
      )
    : undefined;
