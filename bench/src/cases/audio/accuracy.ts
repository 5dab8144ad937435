const tolerance = 0.04;

/** Accuracy 1 of the field (Gouyon 2006): within 4 %. */
export const isTempo = (measured: number | null, tempo: number): boolean =>
  measured !== null && Math.abs(measured / tempo - 1) <= tolerance;

/** Accuracy 2: within 4 % of the tempo, or of its double, triple, half or third. */
export const isOctaveOf = (measured: number | null, tempo: number): boolean =>
  [1, 2, 3, 1 / 2, 1 / 3].some((octave) => isTempo(measured, tempo * octave));

/** Keys as the server writes them. A label without a mode ("C") asks for the root alone. */
export const isSameKey = (measured: string | null, key: string): boolean =>
  measured !== null && (measured === key || (!key.includes(" ") && measured.split(" ")[0] === key));
