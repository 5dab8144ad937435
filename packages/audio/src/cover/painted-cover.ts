import sharp from "sharp";
import { type CoverBeat, drawCover } from "./drawn-cover.ts";

/**
 * Paints the drawing of a cover as PNG, for sites that show no SVG. The image has no text, because a server may have no
 * fonts. Such sites show the title next to the image.
 */
export const paintCover = (beat: CoverBeat): Promise<Buffer> =>
  sharp(Buffer.from(drawCover(beat, { hasText: false })))
    .png({ compressionLevel: 9, palette: true })
    .toBuffer();
