/** A color as its red, green and blue, from 0 to 255. */
type Rgb = readonly [number, number, number];

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];
/** How much white is in the lighter shades, 0 to 5. Shade 3 is for text on a dark page. */
const lighter = [0.92, 0.84, 0.7, 0.5, 0.34, 0.17];
/** How much black is in the darker ones, 7 to 9. */
const darker = [0.1, 0.2, 0.32];
/** WCAG 2.2, 1.4.3. */
const leastContrast = 4.5;

const read = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;

const hexOf = (color: Rgb): string =>
  `#${color.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

const mixed = (color: Rgb, other: Rgb, share: number): Rgb =>
  color.map((part, at) => part + ((other[at] ?? 0) - part) * share) as unknown as Rgb;

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colors, from 1 to 21 (WCAG 2.2). */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(read(one)), luminance(read(other))].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/**
 * Ten shades of a color, as the theme of the portal has them. Shade 6 carries white text and is text on white, so a light color
 * is made darker until it has the contrast for that.
 */
export function shadesOf(hex: string): string[] {
  let base = read(hex);
  while (contrast(hexOf(base), "#ffffff") < leastContrast) base = mixed(base, black, 0.04);
  return [
    ...lighter.map((share) => hexOf(mixed(base, white, share))),
    hexOf(base),
    ...darker.map((share) => hexOf(mixed(base, black, share))),
  ];
}
