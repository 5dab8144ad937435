import type { Listener } from "../connection/listener.ts";

/** The channel that the catalogue's triggers notify (migration 0001). */
const channel = "catalogue";

/** Payload of the triggers' notice when a genre's or a producer's name has changed (migration 0010). */
const namesNotice = "names";

/**
 * A number that changes whenever the catalogue does. Writes of this process increment it at once, writes of others do so
 * through LISTEN. What was read under an earlier number may be stale. While the connection for notices is lost, each
 * read of `current` returns another number, so that nothing is cached.
 */
export class CatalogueVersion {
  #current = 1;
  #names = 1;
  #isFollowed = true;

  get current(): number {
    return this.#isFollowed ? this.#current : ++this.#current;
  }

  /** Changes only when the name of a genre or a producer may have changed, which is rare. */
  get names(): number {
    return this.#isFollowed ? this.#names : ++this.#names;
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

  /** Subscribes to the database's notices until the returned function is called. `onLost` is called when they stop. */
  follow(listener: Listener, onLost: () => void = () => {}): Promise<() => void> {
    return listener.subscribe(channel, {
      onNotice: (notice) => (notice === namesNotice ? this.bumpAll() : this.bump()),
      onListening: () => {
        this.#isFollowed = true;
        this.bumpAll();
      },
      onLost: () => {
        this.#isFollowed = false;
        onLost();
      },
    });
  }
}
