/** A waveform in version 2 of BBC audiowaveform's format: for each pixel, each channel's minimum and maximum. */
export interface WaveformData {
  channels: number;
  data: readonly number[];
}

/** The peaks of a waveform; empty if they cannot be read. */
export async function loadPeaks(
  url: string,
  send: (url: string) => Promise<Response> = (url) => fetch(url),
): Promise<number[]> {
  try {
    const response = await send(url);
    return response.ok ? peaksOf((await response.json()) as WaveformData) : [];
  } catch {
    return [];
  }
}

/** The largest amplitude of each pixel over all channels, as a share (0 to 1) of the loudest. */
export function peaksOf({ channels, data }: WaveformData): number[] {
  const width = 2 * channels;
  const peaks = Array.from({ length: Math.floor(data.length / width) }, (_, pixel) =>
    Math.max(...data.slice(pixel * width, (pixel + 1) * width).map(Math.abs)),
  );
  const loudest = peaks.reduce((highest, peak) => Math.max(highest, peak), 1);
  return peaks.map((peak) => peak / loudest);
}

const barPx = 3;
const gapPx = 2;

/**
 * Draws peaks as bars. Bars before the share `played` (0 to 1) have the accent colour. Without peaks draws a flat line.
 */
export function drawWaveform(canvas: HTMLCanvasElement, peaks: readonly number[], played: number): void {
  const { clientWidth: width, clientHeight: height } = canvas;
  const scale = devicePixelRatio;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const context = canvas.getContext("2d");
  if (context === null) return;
  const style = getComputedStyle(canvas);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  const bars = Math.max(1, Math.floor((width + gapPx) / (barPx + gapPx)));
  const isRtl = style.direction === "rtl";
  for (let bar = 0; bar < bars; bar++) {
    const from = Math.floor((bar / bars) * peaks.length);
    const to = Math.max(from + 1, Math.floor(((bar + 1) / bars) * peaks.length));
    const peak = Math.max(0.04, ...peaks.slice(from, to));
    context.fillStyle = bar / bars < played ? style.color : style.outlineColor;
    const x = bar * (barPx + gapPx);
    context.beginPath();
    context.roundRect(isRtl ? width - x - barPx : x, (height * (1 - peak)) / 2, barPx, height * peak, barPx / 2);
    context.fill();
  }
}
