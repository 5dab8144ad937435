/**
 * The end of an attempt: its time has passed, or the call was aborted. Not an AbortSignal, unless the transport takes one:
 * a controller and its listeners cost a quarter of what the client adds to a request.
 */
export class Deadline {
  /** Aborts the whole call. */
  readonly signal: AbortSignal | undefined;
  /** How the transport ends the request, or the reading of its response, when the time has passed. */
  stop: (reason: unknown) => void = () => {};
  readonly #timeoutMs: number;
  #hasPassed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(timeoutMs: number, signal: AbortSignal | null | undefined) {
    this.#timeoutMs = timeoutMs;
    this.signal = signal ?? undefined;
  }

  get hasPassed(): boolean {
    return this.#hasPassed;
  }

  /** Begins to wait for the response or its next bytes, with all of the time. */
  start(): void {
    this.#timer = setTimeout(() => this.#pass(), this.#timeoutMs);
  }

  pause(): void {
    clearTimeout(this.#timer);
  }

  /** Throws the reason if the end has come already. */
  throwIfOver(): void {
    this.signal?.throwIfAborted();
    if (this.#hasPassed) throw timePassed();
  }

  /** For a transport that takes a signal. */
  toSignal(): AbortSignal {
    const controller = new AbortController();
    this.stop = (reason) => controller.abort(reason);
    return this.signal === undefined ? controller.signal : AbortSignal.any([this.signal, controller.signal]);
  }

  #pass(): void {
    this.#hasPassed = true;
    this.stop(timePassed());
  }
}

const timePassed = (): DOMException => new DOMException("The time of the attempt has passed.", "TimeoutError");
