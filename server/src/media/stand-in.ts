import { type CoverBeat, drawCover } from "@beatmarket/audio/cover/drawn-cover.ts";
import { encodeWav } from "@beatmarket/audio/synthesizer/encode-wav.ts";
import { type EncodedBytes, etagOf, Representation } from "@beatmarket/http/negotiation/representation.ts";
import { LRUCache } from "lru-cache";

/** The data of a beat that determines the generated sound. */
export interface StandInBeat {
  id: number;
  tempo: number;
  keyCode: number;
  genreName: string;
}

/** Generates a WAV file for a beat without a preview. */
export interface StandIn {
  /** Calls `admit` before a rendering for this request. If `admit` throws, the request is refused. */
  find(beat: StandInBeat, admit: () => void): EncodedBytes | Promise<EncodedBytes>;
}

const sampleRate = 44_100;
const seconds = 3;
/** The notes of the chime: two notes a fifth apart, which imply no key. */
const notes = [
  { hertz: 440, startSeconds: 0 },
  { hertz: 660, startSeconds: 0.35 },
];
const level = 0.16;

let chime: EncodedBytes | undefined;

/** The same quiet chime for every beat, so that a preview's URL works although the service has no recording. */
export const chimeStandIn: StandIn = {
  find: () => {
    chime ??= renderChime();
    return chime;
  },
};

function renderChime(): EncodedBytes {
  const samples = new Float32Array(seconds * sampleRate);
  for (const { hertz, startSeconds } of notes)
    for (let n = Math.round(startSeconds * sampleRate); n < samples.length; n++) {
      const elapsed = n / sampleRate - startSeconds;
      const attack = Math.min(1, elapsed / 0.01);
      const release = Math.min(1, (samples.length - 1 - n) / (0.2 * sampleRate));
      samples[n] =
        (samples[n] ?? 0) +
        level * attack * release * Math.exp(-elapsed / 0.6) * Math.sin(2 * Math.PI * hertz * elapsed);
    }
  const body = encodeWav(samples, samples, sampleRate);
  return { body, etag: etagOf(body) };
}

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
    // Loads sharp, whose native code takes 20 MB, with the first image.
    const { paintCover } = await import("@beatmarket/audio/cover/painted-cover.ts");
    const painting = await paintCover(beat);
    this.#paintings.set(name, painting);
    return painting;
  }
}

const nameOf = ({ id, title, producerName, genreName }: CoverBeat): string =>
  JSON.stringify([id, title, producerName, genreName]);
