import { pick, seededRandom } from "@beatmarket/foundation/seeded-random.ts";
import { isRightToLeft, setTitle, shorten, xmlText } from "./cover-text.ts";

/** The data from which a cover is drawn. */
export interface CoverBeat {
  id: number;
  title: string;
  producerName: string;
  genreName: string;
}

const size = 640;
const margin = 48;
const fonts = "'Helvetica Neue', Helvetica, Arial, 'Noto Sans', 'Liberation Sans', sans-serif";

/**
 * Draws a cover as an SVG image of 640 by 640 pixels, with genre, title and producer over a drawing. Genre and producer
 * determine the hues, and the beat's id determines the rest of the drawing, so that a beat always looks the same. The
 * image contains no script and loads nothing.
 */
export function drawCover(beat: CoverBeat, { hasText = true } = {}): string {
  const random = seededRandom(beat.id);
  const colours = coloursOf(beat.genreName, beat.producerName, random);
  const drawing = pick(random, [rings, bars, hills, discs, rays, tiles])(random, colours);
  const title = setTitle(beat.title, size - 2 * margin);
  const rightToLeft = isRightToLeft(beat.title);
  const x = rightToLeft ? size - margin : margin;
  const direction = rightToLeft ? ' direction="rtl"' : "";
  const producerTop = size - margin;
  const lineHeight = Math.round(title.fontSize * 1.12);
  const firstLine = producerTop - 44 - (title.lines.length - 1) * lineHeight;
  const name = xmlText(`${beat.title} – ${beat.producerName}`);
  const spans = title.lines.map(
    (line, n) => `<tspan x="${x}" y="${firstLine + n * lineHeight}">${xmlText(line)}</tspan>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size}" height="${size}" role="img" aria-label="${name}">
<defs>
<linearGradient id="ground" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${colours.ground}"/><stop offset="1" stop-color="${colours.deep}"/></linearGradient>
<linearGradient id="shade" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${colours.deep}" stop-opacity="0"/><stop offset="0.5" stop-color="${colours.deep}" stop-opacity="0.72"/><stop offset="1" stop-color="${colours.deep}" stop-opacity="0.96"/></linearGradient>
<linearGradient id="brim" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${colours.deep}" stop-opacity="0.7"/><stop offset="1" stop-color="${colours.deep}" stop-opacity="0"/></linearGradient>
</defs>
<rect width="${size}" height="${size}" fill="url(#ground)"/>
${drawing}
<rect y="${size * 0.4}" width="${size}" height="${size * 0.6}" fill="url(#shade)"/>
<rect width="${size}" height="130" fill="url(#brim)"/>
${
  hasText
    ? `<g font-family="${fonts}" fill="#fff">
<text x="${margin}" y="${margin + 18}" font-size="20" font-weight="600" letter-spacing="3" fill-opacity="0.92">${xmlText(shorten(beat.genreName.toUpperCase(), 19))}</text>
<text font-size="${title.fontSize}" font-weight="700"${direction}>${spans.join("")}</text>
<text x="${x}" y="${producerTop}" font-size="26" fill-opacity="0.85"${direction}>${xmlText(shorten(beat.producerName, (size - 2 * margin) / 26))}</text>
</g>`
    : ""
}
</svg>
`;
}

interface Colours {
  ground: string;
  deep: string;
  bright: string;
  accent: string;
}

/** Derives the hue of the background from the genre, and the distance of the second hue from the producer. */
function coloursOf(genreName: string, producerName: string, random: () => number): Colours {
  const hue = hueOf(genreName);
  const second = hue + pick(seededRandom(numberOf(producerName)), [-60, -38, 34, 60, 150, 190]);
  return {
    ground: colour(hue, 0.58, 0.29 + 0.06 * random()),
    deep: colour(hue + 16, 0.6, 0.085),
    bright: colour(second, 0.76, 0.62),
    accent: colour(second + 30, 0.9, 0.72),
  };
}

/** Derives a hue from 100 to 400 degrees. This range excludes dark yellows, which look like mud. */
const hueOf = (name: string): number => 100 + (numberOf(name) % 3_000) / 10;

const numberOf = (name: string): number =>
  [...name.toLowerCase()].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003, 7);

/** Converts hue in degrees, and saturation and lightness from 0 to 1, into #rrggbb, which every renderer supports. */
function colour(hue: number, saturation: number, lightness: number): string {
  const amount = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): string => {
    const turn = (((offset + hue / 30) % 12) + 12) % 12;
    const value = lightness - amount * Math.max(-1, Math.min(turn - 3, 9 - turn, 1));
    return Math.round(255 * value)
      .toString(16)
      .padStart(2, "0");
  };
  return `#${channel(0)}${channel(8)}${channel(4)}`;
}

type Drawing = (random: () => number, colours: Colours) => string;

/** The grooves of a record that reaches beyond the edge. */
const rings: Drawing = (random, { bright, accent }) => {
  const x = randomBetween(random, 0.55, 0.95) * size;
  const y = randomBetween(random, 0.1, 0.35) * size;
  const gap = randomBetween(random, 15, 24);
  const lit = Math.floor(randomBetween(random, 3, 9));
  const lines = Array.from({ length: 22 }, (_, n) => {
    const isLit = n === lit;
    return `<circle cx="${rounded(x)}" cy="${rounded(y)}" r="${rounded(34 + n * gap)}" stroke="${isLit ? accent : bright}" stroke-width="${isLit ? 7 : rounded(1 + 3 * random())}" stroke-opacity="${isLit ? 1 : rounded(0.75 - n * 0.026)}"/>`;
  });
  return `<g fill="none">${lines.join("")}</g><circle cx="${rounded(x)}" cy="${rounded(y)}" r="14" fill="${accent}"/>`;
};

/** A level meter. */
const bars: Drawing = (random, { bright, accent }) => {
  const count = pick(random, [13, 17, 21]);
  const width = (size - 2 * margin) / count;
  const shift = random() * 6;
  const columns = Array.from({ length: count }, (_, n) => {
    const swell = 0.55 + 0.3 * Math.sin(shift + (n / count) * 7) + 0.15 * Math.sin(shift * 3 + n * 1.7);
    const height = 60 + 330 * swell * randomBetween(random, 0.55, 1);
    return `<rect x="${rounded(margin + n * width + width * 0.17)}" y="${rounded(430 - height)}" width="${rounded(width * 0.66)}" height="${rounded(height + 70)}" rx="${rounded(width * 0.33)}" fill="${random() < 0.16 ? accent : bright}" fill-opacity="${rounded(randomBetween(random, 0.6, 0.95))}"/>`;
  });
  return `<g>${columns.join("")}</g>`;
};

/** Waves, one behind the other, under a low sun. */
const hills: Drawing = (random, { bright, accent, deep }) => {
  const sun = {
    x: randomBetween(random, 150, 490),
    y: randomBetween(random, 150, 230),
    r: randomBetween(random, 70, 120),
  };
  const waves = Array.from({ length: 9 }, (_, n) => {
    const base = 190 + n * 42;
    const height = randomBetween(random, 14, 46);
    const shift = random() * 9;
    const pace = randomBetween(random, 0.8, 1.7);
    const points = Array.from({ length: 33 }, (_, step) => {
      const x = step * 20;
      const y = base - height * Math.sin(shift + (x / 130) * pace) - height * 0.5 * Math.sin(shift * 2 + x / 61);
      return `${x} ${rounded(y)}`;
    });
    return `<path d="M${points.join("L")}L640 640L0 640Z" fill="${n % 2 === 0 ? bright : deep}" fill-opacity="${rounded(0.16 + n * 0.02)}" stroke="${bright}" stroke-width="2.5" stroke-opacity="0.85"/>`;
  });
  return `<circle cx="${rounded(sun.x)}" cy="${rounded(sun.y)}" r="${rounded(sun.r)}" fill="${accent}"/>${waves.join("")}`;
};

/** Overlapping discs, halved. */
const discs: Drawing = (random, { bright, accent }) => {
  const shapes = Array.from({ length: 7 }, (_, n) => {
    const r = randomBetween(random, 50, 175);
    const x = randomBetween(random, 60, 580);
    const y = randomBetween(random, 70, 400);
    const turn = Math.floor(random() * 8) * 45;
    return `<g transform="translate(${rounded(x)} ${rounded(y)}) rotate(${turn})"><circle r="${rounded(r)}" fill="${n % 3 === 0 ? accent : bright}" fill-opacity="${rounded(randomBetween(random, 0.18, 0.4))}"/><path d="M${rounded(-r)} 0A${rounded(r)} ${rounded(r)} 0 0 1 ${rounded(r)} 0Z" fill="${n % 2 === 0 ? bright : accent}" fill-opacity="${rounded(randomBetween(random, 0.55, 0.9))}"/></g>`;
  });
  return shapes.join("");
};

/** Beams that reach from one point to beyond the edge. */
const rays: Drawing = (random, { bright, accent }) => {
  const x = randomBetween(random, 120, 520);
  const y = randomBetween(random, 120, 240);
  const count = pick(random, [14, 18, 24]);
  const turn = random() * 360;
  const beams = Array.from({ length: count }, (_, n) => {
    const half = (180 / count) * randomBetween(random, 0.3, 0.62);
    const points = [-half, half].map((side) => {
      const angle = ((turn + (n * 360) / count + side) * Math.PI) / 180;
      return `${rounded(x + 900 * Math.cos(angle))} ${rounded(y + 900 * Math.sin(angle))}`;
    });
    return `<path d="M${rounded(x)} ${rounded(y)}L${points.join("L")}Z" fill="${random() < 0.2 ? accent : bright}" fill-opacity="${rounded(randomBetween(random, 0.2, 0.6))}"/>`;
  });
  const r = randomBetween(random, 46, 84);
  return `${beams.join("")}<circle cx="${rounded(x)}" cy="${rounded(y)}" r="${rounded(r)}" fill="${accent}"/>`;
};

/** A floor of quarter circles and squares. */
const tiles: Drawing = (random, { bright, accent, deep }) => {
  const side = pick(random, [80, 107, 128]);
  const across = Math.ceil(size / side);
  const shapes = Array.from({ length: across * Math.ceil(440 / side) }, (_, n) => {
    const x = (n % across) * side;
    const y = Math.floor(n / across) * side;
    const fill = pick(random, [bright, bright, accent, deep]);
    const turn = Math.floor(random() * 4) * 90;
    const shape = random() < 0.75 ? `M0 0H${side}A${side} ${side} 0 0 1 0 ${side}Z` : `M0 0H${side}V${side}H0Z`;
    return `<g transform="translate(${rounded(x + side / 2)} ${rounded(y + side / 2)}) rotate(${turn}) translate(${-side / 2} ${-side / 2})"><path d="${shape}" fill="${fill}" fill-opacity="${rounded(randomBetween(random, 0.35, 0.85))}"/></g>`;
  });
  return shapes.join("");
};

const randomBetween = (random: () => number, low: number, high: number): number => low + random() * (high - low);

const rounded = (value: number): string => String(Math.round(value * 100) / 100);
