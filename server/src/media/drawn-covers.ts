import { type CoverBeat, drawCover } from "@beatmarket/audio/cover/drawn-cover.ts";
import { paintCover } from "@beatmarket/audio/cover/painted-cover.ts";
import { Representation } from "@beatmarket/http/negotiation/representation.ts";
import { LRUCache } from "lru-cache";

/** The maximum number of cached SVG drawings. A drawing has about 6 kB, at most 10 kB, with the compressed forms. */
const maxDrawings = 500;

/** The maximum number of cached PNG images. An image has about 20 kB. */
const maxPaintings = 200;

/** A cache of drawn covers, for beats without an uploaded cover. */
export class DrawnCovers {
  readonly #drawings = new LRUCache<string, Representation>({ max: maxDrawings });
  readonly #paintings = new LRUCache<string, Buffer>({ max: maxPaintings });

  /** The drawing as SVG, with its compressed forms. */
  svg(beat: CoverBeat): Representation {
    const name = nameOf(beat);
    const cached = this.#drawings.get(name);
    if (cached !== undefined) return cached;
    const drawing = new Representation(drawCover(beat), "image/svg+xml; charset=utf-8");
    drawing.detach();
    this.#drawings.set(name, drawing);
    return drawing;
  }

  /** The drawing as PNG. Calls `admit` before it paints an image that is not cached; `admit` may throw. */
  async png(beat: CoverBeat, admit: () => void): Promise<Buffer> {
    const name = nameOf(beat);
    const cached = this.#paintings.get(name);
    if (cached !== undefined) return cached;
    admit();
    const painting = await paintCover(beat);
    this.#paintings.set(name, painting);
    return painting;
  }
}

const nameOf = ({ id, title, producerName, genreName }: CoverBeat): string =>
  JSON.stringify([id, title, producerName, genreName]);
