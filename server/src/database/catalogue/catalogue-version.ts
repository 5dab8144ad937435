import type { Listener } from "@beatmarket/postgres/connection/listener.ts";

/** The channel that the change stream notifies at commit (migration 0024). */
const channel = "catalogue";
/** Payload of the triggers' notice when a genre's or a producer's name has changed (migration 0010). */
const namesNotice = "names";
/** The same when a beat is taken down, or comes back (migration 0057). */
const takedownsNotice = "takedowns";

/** Learns of the positions of changed beats. Null: some may have been missed. */
export type PositionObserver = (position: number | null) => void;

/**
 * A number that changes whenever the catalogue does. Writes of this process increment it at once; writes of others do so
 * through the notices of the change stream. What was read under an earlier number may be stale. While the connection for
 * notices is lost, each read of `current` returns another number, so that nothing is cached.
 */
export class CatalogueVersion {
  #current = 1;
  #names = 1;
  #takedowns = 1;
  #isFollowed = true;
  readonly #observers = new Set<PositionObserver>();

  get current(): number {
    return this.#isFollowed ? this.#current : ++this.#current;
  }

  /** Changes only when the name of a genre or a producer may have changed, which is rare. */
  get names(): number {
    return this.#isFollowed ? this.#names : ++this.#names;
  }

  /** Changes when a beat may have been taken down, or come back. It does not while notices are lost. */
  get takedowns(): number {
    return this.#takedowns;
  }

  /** Whether notices of the writes of others arrive. */
  get isFollowed(): boolean {
    return this.#isFollowed;
  }

  /** After a write that changed no name. */
  bump(): void {
    this.#current++;
  }

  /** After a write that may have changed names as well. */
  bumpAll(): void {
    this.#names++;
    this.#current++;
  }

  /** Calls `observer` for every notice of changed beats, and when some may have been missed. */
  observePositions(observer: PositionObserver): void {
    this.#observers.add(observer);
  }

  /** Subscribes to the database's notices until the returned function is called. `onLost` is called when they stop. */
  follow(listener: Listener, onLost: () => void = () => {}): Promise<() => void> {
    return listener.subscribe(channel, {
      onNotification: (notice) => this.#advance(notice),
      onListening: () => {
        this.#isFollowed = true;
        this.#takedowns++;
        this.bumpAll();
        for (const observe of this.#observers) observe(null);
      },
      onLost: () => {
        this.#isFollowed = false;
        onLost();
      },
    });
  }

  /** A notice is the position of the newest change of a beat, `names`, `takedowns`, or the table of what else changed. */
  #advance(notice: string): void {
    if (notice === namesNotice) this.bumpAll();
    else this.bump();
    if (notice === takedownsNotice) this.#takedowns++;
    const position = Number(notice || Number.NaN);
    if (!Number.isNaN(position)) for (const observe of this.#observers) observe(position);
  }
}
