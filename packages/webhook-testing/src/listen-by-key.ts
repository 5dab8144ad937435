import { readFile } from "node:fs/promises";
import { request } from "node:https";
import { json } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "@beatmarket/foundation/clock.ts";
import { OperatorError } from "@beatmarket/foundation/errors.ts";

export interface RemoteListenOptions {
  server: string;
  apiKey: string;
  /** A PEM file. */
  ca?: string | undefined;
  /** Event types. Absent: all types. */
  events?: readonly string[] | undefined;
  /** Ends the listening. */
  signal: AbortSignal;
  /** Signs and posts an event to the receiver. Never rejects. */
  deliver(body: Buffer, eventId: string, time: Date): Promise<Outcome>;
}

/** The outcome of one delivery. */
export interface Outcome {
  /** Null without a response. */
  status: number | null;
  durationMs: number;
  /** A sentence; null after a 2xx response. */
  error: string | null;
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
 * Reads the events of a key's account from a server's API, and forwards them until `signal` is aborted. Sends each
 * event once; a replay in the portal sends an event again.
 */
export async function listenByKey(
  { server, apiKey, ca, events, signal, deliver }: RemoteListenOptions,
  {
    onReady,
    onForwarded,
    onTrouble,
  }: {
    onReady(): void;
    onForwarded(forwarded: Forwarded): void;
    onTrouble(sentence: string): void;
  },
): Promise<void> {
  const source = await openEvents({ server, apiKey, ca, types: events });
  // Skips all earlier events.
  let after = await source.newest(signal);
  onReady();
  while (!signal.aborted) {
    const page = await source.read({ after, wait: waitSeconds }, signal).catch(async (error) => {
      if (error instanceof OperatorError) throw error;
      if (signal.aborted) return null;
      onTrouble(`${server} does not answer (${error.code ?? error.message}); trying again.`);
      await delay(retryMs, undefined, { signal }).catch(() => {});
      return null;
    });
    for (const event of page?.events ?? []) {
      const startedAt = new Date(systemClock.nowMs());
      const outcome = await deliver(Buffer.from(JSON.stringify(event)), event.id, startedAt);
      onForwarded({ event, startedAt, outcome });
      if (signal.aborted) return;
    }
    after = page?.next ?? after;
  }
}

interface Page {
  events: Event[];
  next: number;
}

/** Opens the events of an account at a server. */
async function openEvents({
  server,
  apiKey,
  ca,
  types,
}: {
  server: string;
  apiKey: string;
  ca: string | undefined;
  types: readonly string[] | undefined;
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
        `The certificate of ${origin} is not trusted (${code}). Name the file of its certificate authority with --ca: DATA_DIR/tls/ca.pem of your own server.`,
      )
    : undefined;
