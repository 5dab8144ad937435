import type { SizeFigures } from "./measure-size.ts";

interface Series {
  name: string;
  color: string;
  figureOf(figures: SizeFigures): number;
}

interface Panel {
  title: string;
  series: Series[];
}

const [blue, orange, green] = ["#2563eb", "#c2410c", "#15803d"];
const panels: Panel[] = [
  {
    title: "Requests a second, 64 at once",
    series: [
      { name: "a beat by id", color: blue, figureOf: ({ byIdRate }) => byIdRate },
      { name: "filters", color: orange, figureOf: ({ filterRate }) => filterRate },
      { name: "search", color: green, figureOf: ({ searchRate }) => searchRate },
    ],
  },
  {
    title: "Memory of the server, MB",
    series: [{ name: "peak", color: blue, figureOf: ({ peakMegabytes }) => peakMegabytes }],
  },
  {
    title: "Start, seconds",
    series: [
      { name: "with a snapshot", color: blue, figureOf: ({ startSeconds }) => startSeconds },
      { name: "without", color: orange, figureOf: ({ firstStartSeconds }) => firstStartSeconds },
    ],
  },
  {
    title: "Import, rows a second",
    series: [{ name: "import", color: blue, figureOf: ({ importRate }) => importRate }],
  },
];

const width = 360;
const height = 240;
const plot = { left: 56, top: 40, right: 344, bottom: 176 };
/** The approximate width of a letter of the legend. */
const letterWidth = 6;
/** A legend's dot and the space after its name. */
const legendGap = 28;

/**
 * An SVG of four panels. Both axes are logarithmic: a figure that grows as a power of the number of beats is a straight
 * line.
 */
export function growthPicture(figures: readonly SizeFigures[]): string {
  const panelSvgs = panels.map(
    (panel, n) =>
      `<g transform="translate(${(n % 2) * width} ${Math.floor(n / 2) * height})">${panelOf(panel, figures)}</g>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${2 * width} ${2 * height}" role="img" aria-label="Rate, memory, start and import by the number of beats" font-family="system-ui, sans-serif" font-size="11">
<rect width="100%" height="100%" fill="#ffffff"/>
${panelSvgs.join("\n")}
</svg>
`;
}

function panelOf({ title, series }: Panel, figures: readonly SizeFigures[]): string {
  const values = figures.flatMap((size) => series.map(({ figureOf }) => figureOf(size)));
  const x = scale(
    figures.map(({ beats }) => beats),
    plot.left,
    plot.right,
  );
  const y = scale(
    [10 ** Math.floor(Math.log10(Math.min(...values))), 10 ** Math.ceil(Math.log10(Math.max(...values)))],
    plot.bottom,
    plot.top,
  );
  const sizes = figures.map(
    ({ beats }) =>
      `<text x="${x(beats)}" y="${plot.bottom + 16}" text-anchor="middle" fill="#52525b">${short(beats)}</text>`,
  );
  const grid = decades(values).map(
    (value) =>
      `<path d="M${plot.left} ${y(value)}H${plot.right}" stroke="#e4e4e7"/><text x="${plot.left - 6}" y="${y(value) + 4}" text-anchor="end" fill="#52525b">${short(value)}</text>`,
  );
  const lines = series.map(({ name, color, figureOf }, n) => {
    const points = figures.map((size) => [x(size.beats), y(figureOf(size))] as const);
    const dots = points.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3" fill="${color}"/>`);
    const before = series.slice(0, n).map((item) => item.name.length * letterWidth + legendGap);
    const legendX = before.reduce((sum, each) => sum + each, plot.left);
    return `<polyline points="${points.map((point) => point.join(",")).join(" ")}" fill="none" stroke="${color}" stroke-width="2"/>${dots.join("")}<circle cx="${legendX}" cy="208" r="4" fill="${color}"/><text x="${legendX + 8}" y="212" fill="#18181b">${name}</text>`;
  });
  return `<text x="${plot.left}" y="24" font-size="13" font-weight="600" fill="#18181b">${title}</text>${grid.join("")}${sizes.join("")}${lines.join("")}`;
}

/** Maps values to places on a logarithmic axis. */
function scale(values: readonly number[], from: number, to: number): (value: number) => number {
  const [low, high] = [Math.log(Math.min(...values)), Math.log(Math.max(...values))];
  const span = high - low || 1;
  return (value) => Math.round((from + ((Math.log(value) - low) / span) * (to - from)) * 10) / 10;
}

/** The powers of ten around the values. */
function decades(values: readonly number[]): number[] {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.ceil(Math.log10(Math.max(...values)));
  return Array.from({ length: last - first + 1 }, (_, n) => 10 ** (first + n));
}

function short(value: number): string {
  if (value >= 1_000_000) return `${value / 1_000_000}M`;
  if (value >= 1_000) return `${value / 1_000}k`;
  return String(Number(value.toPrecision(2)));
}
