import type { FollowedVersion } from "@beatmarket/catalogue-index/catalogue-index.ts";

/** A catalogue whose changes are not announced, so that each look may find another. */
export class UnknownVersion implements FollowedVersion {
  readonly isFollowed = false;
  #current = 0;

  get current(): number {
    return ++this.#current;
  }
}
