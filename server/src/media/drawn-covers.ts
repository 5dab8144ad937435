import { Representation } from "@beatmarket/http/negotiation/representation.ts";
import { LRUCache } from "lru-cache";
import { type CoverBeat, drawCover } from "./cover.ts";
import { paintCover } from "./painted-cover.ts";

/** About 6 kB each with the compressed forms, at most 10 kB. */
const maxDrawings = 500;

/** About 20 kB each. */
const maxPaintings = 200;

/** Covers of beats without their own, drawn once while they are asked for. */
export class DrawnCovers {
  readonly #drawings = new LRUCache<string, Representation>({ max: maxDrawings });
  readonly #paintings = new LRUCache<string, Buffer>({ max: maxPaintings });

  /** The drawing as SVG, with its compressed forms. */
  svg(beat: CoverBeat): Representation {
    const name = nameOf(beat);
    const known = this.#drawings.get(name);
    if (known !== undefined) return known;
    const drawing = new Representation(drawCover(beat), "image/svg+xml; charset=utf-8");
    drawing.detach();
    this.#drawings.set(name, drawing);
    return drawing;
  }

  /** The same as PNG. `admit` is called before one is painted, and may throw. */
  async png(beat: CoverBeat, admit: () => void): Promise<Buffer> {
    const name = nameOf(beat);
    const known = this.#paintings.get(name);
    if (known !== undefined) return known;
    admit();
    const painting = await paintCover(beat);
    this.#paintings.set(name, painting);
    return painting;
  }
}

const nameOf = ({ id, title, producerName, genreName }: CoverBeat): string =>
  JSON.stringify([id, title, producerName, genreName]);
