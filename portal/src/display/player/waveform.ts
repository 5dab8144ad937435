/** The peaks of a preview, from 0 to 1; empty where it has none. */
export async function peaksOf(url: string): Promise<number[]> {
  try {
    const response = await fetch(url);
    if (!response.ok) return [];
    const { data } = (await response.json()) as { data: number[] };
    const peaks = Array.from({ length: data.length / 2 }, (_, index) =>
      Math.max(-(data[2 * index] ?? 0), data[2 * index + 1] ?? 0),
    );
    const highest = Math.max(1, ...peaks);
    return peaks.map((peak) => peak / highest);
  } catch {
    return [];
  }
}

const barPx = 3;
const gapPx = 2;

/** Draws peaks as bars; those before `played` (0 to 1) in the accent's colour. A flat line without peaks. */
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
