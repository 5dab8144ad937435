import type { Listener } from "../connection/listener.ts";

/** The channel that the catalogue's triggers notify (migration 0001). */
const channel = "catalogue";

/** What the triggers' notice says when a name that beats are shown with has changed (migration 0010). */
const namesNotice = "names";

/**
 * A number that changes whenever the catalogue does. Writes of this process bump it at once, those of others through
 * LISTEN. Whatever was read under an earlier number may be stale. While notices are lost, anything may be: every look
 * finds another number, so nothing is kept.
 */
export class CatalogueVersion {
  #current = 1;
  #names = 1;
  #isFollowed = true;

  get current(): number {
    return this.#isFollowed ? this.#current : ++this.#current;
  }

  /** Changes only when a name may have, of a genre or a producer: far more rarely. */
  get names(): number {
    return this.#isFollowed ? this.#names : ++this.#names;
  }

  /** Whether the writes of others are told of. */
  get isFollowed(): boolean {
    return this.#isFollowed;
  }

  bump(): void {
    this.#current++;
  }

  bumpNames(): void {
    this.#names++;
    this.#current++;
  }

  /** Follows the database's notices until the returned function is called; `onLost` tells when that is interrupted. */
  follow(listener: Listener, onLost: () => void = () => {}): Promise<() => void> {
    return listener.follow(channel, {
      onNotice: (notice) => (notice === namesNotice ? this.bumpNames() : this.bump()),
      onListening: () => {
        this.#isFollowed = true;
        this.bumpNames();
      },
      onLost: () => {
        this.#isFollowed = false;
        onLost();
      },
    });
  }
}
