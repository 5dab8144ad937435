const places = 1 << 16;

/**
 * Tells what was seen before, roughly the last 65,536 different ones, in 256 kB. It may forget one, and take one in a
 * billion for another.
 */
export class Sightings {
  readonly #marks = new Uint32Array(places);

  /** Whether the key was seen lately; from now on it was. */
  again(key: string): boolean {
    // FNV-1a.
    let mark = 0x811c9dc5;
    for (let at = 0; at < key.length; at++) mark = Math.imul(mark ^ key.charCodeAt(at), 0x01000193);
    mark >>>= 0;
    const place = (mark ^ (mark >>> 16)) & (places - 1);
    const seen = this.#marks[place] === mark;
    this.#marks[place] = mark;
    return seen;
  }
}
