import type { DrillEvent } from "./events.ts";
import { type Delivery, deliver, isSuccess, type Response, type Target } from "./wire.ts";

/** The headers that sign a delivery of a body, which is an event as JSON, at a time. */
export type Sign = (body: string, secret: string, at: Date) => Promise<Record<string, string>>;

export interface SessionOptions {
  id: string;
  target: Target;
  secret: string;
  sign: Sign;
}

/** What a check saw of the receiver. */
export interface Sighting {
  /** Sentences about answers that are wrong. */
  problems: string[];
  /** What was answered with 2xx and must not have been handled: wrong, unless the receiver shows that it did nothing. */
  accepted: { id: string; problem: string }[];
  /** How often events must have been handled: only a receiver that shows it can be judged by it. */
  expected: { id: string; least: number; most: number; problem: string }[];
}

type Sent = Partial<Pick<Delivery, "spreadMs" | "cut">> & {
  at?: Date;
  body?: string;
  /** Changes the headers after signing. */
  forge?: (headers: Record<string, string>) => Record<string, string>;
};

/** The deliveries of a check, and what it notes about them. */
export class Session {
  readonly sighting: Sighting = { problems: [], accepted: [], expected: [] };
  readonly #options: SessionOptions;
  readonly #headers = new Map<string, Record<string, string>>();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /** Signs a body with another secret than the receiver's. */
  signElsewhere(body: string, secret: string): Promise<Record<string, string>> {
    return this.#options.sign(body, secret, new Date());
  }

  /** The headers of the last delivery of an event. */
  lastHeaders(eventId: string): Record<string, string> {
    return this.#headers.get(eventId) ?? {};
  }

  async send(event: DrillEvent, { at = new Date(), body, forge = (same) => same, ...how }: Sent = {}) {
    const { id, target, secret, sign } = this.#options;
    const text = body ?? JSON.stringify(event);
    const signed = forge(await sign(text, secret, at));
    this.#headers.set(event.id, signed);
    const headers = { ...signed, "beat-drill": id };
    return deliver(target, { headers, body: text, ...how });
  }

  /** Notes a problem unless the response is 2xx. Returns whether it is. */
  mustAccept(response: Response, what: string): boolean {
    if (isSuccess(response)) return true;
    this.sighting.problems.push(`${what}: ${response.words} instead of 2xx`);
    return false;
  }

  /** Notes a problem if a request that is not genuine is accepted, or makes the receiver fail. */
  mustRefuse(event: DrillEvent, response: Response, what: string): void {
    const { accepted, problems } = this.sighting;
    if (isSuccess(response)) accepted.push({ id: event.id, problem: `${what}: ${response.words} instead of 4xx` });
    else if (response.status === null || response.status >= 500)
      problems.push(`${what}: ${response.words} instead of 4xx`);
  }

  /** The receiver must have handled the event, as far as it shows that. */
  handled(event: DrillEvent, what: string, { once = false } = {}): void {
    const { expected } = this.sighting;
    expected.push({ id: event.id, least: 1, most: Number.POSITIVE_INFINITY, problem: `${what}: not handled` });
    if (once) expected.push({ id: event.id, least: 0, most: 1, problem: `${what}: handled twice` });
  }

  notHandled(event: DrillEvent, what: string): void {
    this.sighting.expected.push({ id: event.id, least: 0, most: 0, problem: `${what}: handled` });
  }
}
