import type { FollowedVersion } from "@beatmarket/catalogue-index/catalogue-index.ts";

/** The version of a catalogue whose changes are not announced: each read may return another version. */
export class UnknownVersion implements FollowedVersion {
  readonly isFollowed = false;
  #current = 0;

  get current(): number {
    return ++this.#current;
  }
}
