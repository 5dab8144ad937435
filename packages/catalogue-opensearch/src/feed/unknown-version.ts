import type { FollowedVersion } from "@beatmarket/catalogue-index/catalogue-index.ts";

/**
 * The version of a catalogue whose changes are not announced. Each read returns a new version, so that nothing is
 * skipped.
 */
export class UnknownVersion implements FollowedVersion {
  readonly isFollowed = false;
  #current = 0;

  get current(): number {
    return ++this.#current;
  }
}
