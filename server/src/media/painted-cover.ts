import sharp from "sharp";
import { type CoverBeat, drawCover } from "./cover.ts";

/**
 * The drawing as a PNG, for sites that show no SVG. It has no text, since a server may have no fonts. Such sites show
 * the title next to it.
 */
export const paintCover = (beat: CoverBeat): Promise<Buffer> =>
  sharp(Buffer.from(drawCover(beat, { hasText: false })))
    .png({ compressionLevel: 9, palette: true })
    .toBuffer();
