const slots = 1 << 16;

/**
 * The doorkeeper of a cache (as in TinyLFU): remembers roughly the last 65,536 distinct keys in 256 kB. It may forget a
 * key, and takes one in a billion for another.
 */
export class Doorkeeper {
  readonly #hashes = new Uint32Array(slots);

  /** Returns whether the key was seen recently, and marks it as seen. */
  seenBefore(key: string): boolean {
    // FNV-1a.
    let hash = 0x811c9dc5;
    for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
    hash >>>= 0;
    const slot = (hash ^ (hash >>> 16)) & (slots - 1);
    const seen = this.#hashes[slot] === hash;
    this.#hashes[slot] = hash;
    return seen;
  }
}
