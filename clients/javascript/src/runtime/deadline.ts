/**
 * Ends an attempt when its time has passed or the call is aborted. Creates an AbortSignal only for a transport that takes
 * one: a controller and its listeners cost a quarter of the time that the client adds to a request.
 */
export class Deadline {
  /** Aborts the whole call. */
  readonly signal: AbortSignal | undefined;
  /** Called when the time has passed: the transport ends the request, or the reading of its response. */
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

  /** Restarts the time, to wait for the response or its next bytes. */
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

  /** The signal for a transport that takes one. */
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
