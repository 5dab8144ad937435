// Drawings of the public pages; words say the same, so that all of them are hidden from screen readers.

/** The mark: the waveform of portal/public/icon.svg. */
export const mark = `<svg width="28" height="28" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#5b3fd6"/><g fill="#fff"><rect x="6" y="13" width="3" height="6" rx="1.5"/><rect x="11" y="9" width="3" height="14" rx="1.5"/><rect x="16" y="6" width="3" height="20" rx="1.5"/><rect x="21" y="11" width="3" height="10" rx="1.5"/></g></svg>`;

export const lens = `<svg width="20" height="20" viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" aria-hidden="true"><circle cx="9" cy="9" r="6"/><path d="m13.6 13.6 4 4"/></svg>`;

const skip = (path: string): string =>
  `<svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true"><path d="${path}"/></svg>`;

export const skipBack = skip(
  "M3 2.5a.7.7 0 0 1 1.4 0v4.7L12.6 2.4a.7.7 0 0 1 1.1.6v10a.7.7 0 0 1-1.1.6L4.4 8.8v4.7a.7.7 0 0 1-1.4 0Z",
);
export const skipForward = skip(
  "M13 2.5a.7.7 0 0 0-1.4 0v4.7L3.4 2.4a.7.7 0 0 0-1.1.6v10a.7.7 0 0 0 1.1.6l8.2-4.8v4.7a.7.7 0 0 0 1.4 0Z",
);

/** The waveform of a bar of music, as bars around a middle line; `count` bars in a box of that many times 10 by 300. */
export function waveform(count: number): string {
  const bars = Array.from({ length: count }, (_, at) => {
    const swell = Math.sin((Math.PI * (at + 0.5)) / count) ** 0.7;
    const beat = 0.34 + 0.66 * Math.abs(Math.sin(at * 0.78)) ** 1.5;
    const ripple = 0.72 + 0.28 * Math.sin(at * 2.3 + 1);
    const half = Math.round(5 + 135 * swell * beat * ripple);
    return `M${at * 10 + 3} ${150 - half}v${2 * half}`;
  });
  // One path, since each element costs time before the first paint. It fades in from its beginning.
  return `<svg class="motif" viewBox="0 0 ${count * 10} 300" preserveAspectRatio="xMaxYMid meet" aria-hidden="true"><linearGradient id="fade" gradientUnits="userSpaceOnUse" x2="${count * 10}"><stop stop-color="currentColor" stop-opacity=".04"/><stop offset="1" stop-color="currentColor"/></linearGradient><path d="${bars.join("")}" fill="none" stroke="url(#fade)" stroke-width="5" stroke-linecap="round"/></svg>`;
}

const silentBars = [4, 8, 5, 14, 7, 20, 11, 16, 6, 12, 24, 9, 15, 7, 18, 10, 6, 13, 5, 9, 4];

/** The state without sound. */
export const silence = `<svg width="126" height="32" aria-hidden="true">${silentBars
  .map((height, at) => `<rect x="${at * 6}" y="${(32 - height) / 2}" width="3" height="${height}" rx="1.5"/>`)
  .join("")}</svg>`;
