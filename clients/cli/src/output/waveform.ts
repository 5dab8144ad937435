/** A waveform in the format of audiowaveform: a minimum and a maximum for each point. */
export interface Waveform {
  data: readonly number[];
}

const blocks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/** A line of at most `width` blocks. Each block is as high as the loudest of its points. */
export function waveformText({ data }: Waveform, width: number): string {
  const points = Array.from({ length: Math.floor(data.length / 2) }, (_, at) =>
    Math.max(Math.abs(data[2 * at] ?? 0), Math.abs(data[2 * at + 1] ?? 0)),
  );
  const columns = Math.min(width, points.length);
  const peaks = Array.from({ length: columns }, (_, column) => {
    const [from, to] = [column, column + 1].map((edge) => Math.floor((edge * points.length) / columns));
    return points.slice(from, to).reduce((highest, peak) => Math.max(highest, peak), 0);
  });
  const loudest = peaks.reduce((highest, peak) => Math.max(highest, peak), 1);
  return peaks
    .map((peak) => blocks[Math.min(blocks.length - 1, Math.floor((peak / loudest) * blocks.length))])
    .join("");
}

export const isWaveform = (value: unknown): value is Waveform =>
  Array.isArray((value as Partial<Waveform> | null)?.data) &&
  (value as Waveform).data.every((level) => typeof level === "number");
