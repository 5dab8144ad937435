import type { CallOptions } from "./call-options.ts";
import { APIConnectionError } from "./errors.ts";
import type { ListEventsQuery, WebhookEvent } from "./generated/models.ts";
import { operations } from "./generated/operations.ts";
import { unexpected } from "./reading.ts";
import { traced } from "./response.ts";
import { pause } from "./retry.ts";
import type { OpenResponse, Sender } from "./sender.ts";

/** The settings of a stream of events. */
export type EventStreamQuery = Pick<ListEventsQuery, "after" | "type">;

/** The service sends a byte at least every 15 seconds; its documentation names 45 seconds as the limit. */
const silenceMs = 45_000;
const usualRetryMs = 3_000;
/** Far above the largest event. */
const mostCharacters = 10_000_000;

/** Iterates over events as they happen. Pass `position` as `after` to continue after the last event. */
export class EventStream implements AsyncIterableIterator<WebhookEvent> {
  /** The position of the last event that was read; null before the first. */
  position: number | null = null;
  readonly #events: AsyncGenerator<WebhookEvent, void, undefined>;

  /** @internal `unlimited` is the number of retries after the first connection. */
  constructor(sender: Sender, query: EventStreamQuery | null | undefined, options: CallOptions, unlimited: number) {
    const connection = new Connection(sender, query, options, unlimited);
    this.#events = this.#read(connection, options.signal);
  }

  next(): Promise<IteratorResult<WebhookEvent, void>> {
    return traced(() => this.#events.next());
  }

  /** Closes the connection. A loop does that at its end. */
  return(): Promise<IteratorResult<WebhookEvent, void>> {
    return this.#events.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async *#read(connection: Connection, signal: AbortSignal | undefined): AsyncGenerator<WebhookEvent, void, undefined> {
    try {
      for (;;) {
        const response = await connection.open();
        try {
          for await (const { id, data } of messagesIn(response, connection)) {
            connection.lastId = id ?? connection.lastId;
            if (data === "") continue;
            const event = eventIn(data, response);
            this.position = connection.lastId === null ? null : Number(connection.lastId);
            yield event;
          }
        } catch (failure) {
          if (!(failure instanceof APIConnectionError)) throw failure;
        }
        await pause(connection.retryMs, signal);
      }
    } finally {
      connection.close();
    }
  }
}

/** Opens the connection of a stream. When it is lost, opens another, which continues after the last event. */
class Connection {
  lastId: string | null = null;
  retryMs = usualRetryMs;
  readonly #sender: Sender;
  readonly #query: EventStreamQuery | null | undefined;
  readonly #options: CallOptions;
  readonly #unlimited: number;
  #isFirst = true;
  #abort = new AbortController();

  constructor(sender: Sender, query: EventStreamQuery | null | undefined, options: CallOptions, unlimited: number) {
    this.#sender = sender;
    this.#query = query;
    this.#options = options;
    this.#unlimited = unlimited;
  }

  close(): void {
    this.#abort.abort();
  }

  /** Connects. The first time it has the retries of any other call, later it retries without limit. */
  async open(): Promise<OpenResponse> {
    this.close();
    const isFirst = this.#isFirst;
    const { signal, timeoutMs = silenceMs } = this.#options;
    const url = this.#sender.url(operations.listEvents.path, this.#query, this.#options);
    const usual = isFirst ? this.#options : { ...this.#options, maxRetries: this.#unlimited };
    const longest = isFirst ? {} : { maxRetryAfterMs: this.#unlimited };
    const attempts = this.#sender.attempts(`GET ${url}`, usual, longest);
    for (;;) {
      this.#abort = new AbortController();
      const both = signal ? AbortSignal.any([signal, this.#abort.signal]) : this.#abort.signal;
      const headers = { accept: "text/event-stream", ...(this.lastId !== null && { "last-event-id": this.lastId }) };
      try {
        const options = { ...this.#options, timeoutMs, signal: both };
        const response = await this.#sender.open(url, headers, options, "listEvents", attempts.number);
        if (!/^text\/event-stream\b/i.test(response.header("content-type") ?? ""))
          throw unexpected(response.info, "The response is not an event stream.");
        this.#isFirst = false;
        return response;
      } catch (failure) {
        this.close();
        await attempts.after(failure);
      }
    }
  }
}

function eventIn(data: string, { info }: OpenResponse): WebhookEvent {
  try {
    return JSON.parse(data);
  } catch {
    throw unexpected(info, "An event of the stream is not JSON.");
  }
}

/** One message of a stream of server-sent events. Without data it is not an event, but its id counts. */
interface Message {
  id: string | undefined;
  data: string;
}

/** Parses a stream, as https://html.spec.whatwg.org/multipage/server-sent-events.html defines it. */
async function* messagesIn(response: OpenResponse, connection: { retryMs: number }): AsyncGenerator<Message> {
  let message: { id?: string; data: string[] } = { data: [] };
  for await (const line of linesOf(response)) {
    if (line === "") {
      yield { id: message.id, data: message.data.join("\n") };
      message = { data: [] };
      continue;
    }
    const [, name = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === "data") message.data.push(value);
    else if (name === "id" && !value.includes("\0")) message.id = value;
    else if (name === "retry" && /^\d{1,9}$/.test(value)) connection.retryMs = Number(value);
  }
}

/** The complete lines of a stream. A line ends with CR, LF or both. */
async function* linesOf(response: OpenResponse): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of response.bytes()) {
    rest += decoder.decode(bytes, { stream: true });
    // A CR at the end may be the first half of CR LF.
    const end = Math.max(rest.lastIndexOf("\n"), rest.lastIndexOf("\r", rest.length - 2)) + 1;
    if (end > 0) {
      yield* rest
        .slice(0, end)
        .split(/\r\n|\r|\n/)
        .slice(0, -1);
      rest = rest.slice(end);
    }
    if (rest.length > mostCharacters)
      throw unexpected(response.info, `An event of the stream has more than ${mostCharacters} characters.`);
  }
}
