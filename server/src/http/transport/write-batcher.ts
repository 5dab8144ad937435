import type { ServerResponse } from "node:http";

/**
 * Answers that go out together, once all that came in together was looked at. Each write to a socket may wake somebody who
 * waits for it, on another processor; of writes that follow one another closely, the first does so for all. At 64
 * connections that is worth a fifth of what a kept answer costs.
 */
export class Outbox {
  #waiting: Letter[] = [];

  /** Sends when the event loop has handed out everything that was ready to be read. */
  add(response: ServerResponse, send: () => void): void {
    if (this.#waiting.push({ response, send }) === 1) setImmediate(this.#sendAll);
  }

  readonly #sendAll = (): void => {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { response, send } of waiting)
      try {
        send();
      } catch (error) {
        response.destroy(error as Error);
      }
  };
}

interface Letter {
  response: ServerResponse;
  send: () => void;
}
