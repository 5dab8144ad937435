import type { DrillEvent } from "./events.ts";
import { type Delivery, deliver, isSuccess, type Response, type Target } from "./wire.ts";

/** Signs a delivery at a time. The body is an event as JSON. Returns the headers. */
export type Sign = (body: string, secret: string, time: Date) => Promise<Record<string, string>>;

export interface SessionOptions {
  id: string;
  target: Target;
  secret: string;
  sign: Sign;
}

/** The observations of a check. */
export interface Observations {
  /** Sentences about wrong responses. */
  problems: string[];
  /** Invalid events that got 2xx. A problem unless the receiver reports that it did not handle the event. */
  accepted: { id: string; problem: string }[];
  /** The number of times that events must have been handled. Judged only with the read-back. */
  expected: { id: string; least: number; most: number; problem: string }[];
}

type SendOptions = Partial<Pick<Delivery, "spreadMs" | "cut">> & {
  at?: Date;
  body?: string;
  /** Changes the headers after signing. */
  forge?: (headers: Record<string, string>) => Record<string, string>;
};

/** The deliveries of a check, and the observations about them. */
export class Session {
  readonly observations: Observations = { problems: [], accepted: [], expected: [] };
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

  async send(event: DrillEvent, { at = new Date(), body, forge = (same) => same, ...how }: SendOptions = {}) {
    const { id, target, secret, sign } = this.#options;
    const text = body ?? JSON.stringify(event);
    const signed = forge(await sign(text, secret, at));
    this.#headers.set(event.id, signed);
    const headers = { ...signed, "beat-drill": id };
    return deliver(target, { headers, body: text, ...how });
  }

  /** Records a problem unless the response is 2xx. Returns whether it is 2xx. */
  mustAccept(response: Response, description: string): boolean {
    if (isSuccess(response)) return true;
    this.observations.problems.push(`${description}: ${response.words} instead of 2xx`);
    return false;
  }

  /** Records an invalid request as accepted if it got 2xx, and as a problem if it got 5xx or no response. */
  mustRefuse(event: DrillEvent, response: Response, description: string): void {
    const { accepted, problems } = this.observations;
    if (isSuccess(response))
      accepted.push({ id: event.id, problem: `${description}: ${response.words} instead of 4xx` });
    else if (response.status === null || response.status >= 500)
      problems.push(`${description}: ${response.words} instead of 4xx`);
  }

  /** Expects that the receiver has handled the event. Judged only with the read-back. */
  handled(event: DrillEvent, description: string, { once = false } = {}): void {
    const { expected } = this.observations;
    expected.push({ id: event.id, least: 1, most: Number.POSITIVE_INFINITY, problem: `${description}: not handled` });
    if (once) expected.push({ id: event.id, least: 0, most: 1, problem: `${description}: handled twice` });
  }

  /** Expects that the receiver has not handled the event. Judged only with the read-back. */
  notHandled(event: DrillEvent, description: string): void {
    this.observations.expected.push({ id: event.id, least: 0, most: 0, problem: `${description}: handled` });
  }
}
