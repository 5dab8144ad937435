const tolerance = 0.04;

/** Accuracy 1 of the field (Gouyon 2006): within 4 %. */
export const isTempo = (found: number | null, tempo: number): boolean =>
  found !== null && Math.abs(found / tempo - 1) <= tolerance;

/** Accuracy 2: within 4 % of the tempo, or of its double, triple, half or third. */
export const isOctaveOf = (found: number | null, tempo: number): boolean =>
  [1, 2, 3, 1 / 2, 1 / 3].some((octave) => isTempo(found, tempo * octave));

/** Keys as the server writes them. A label without a mode ("C") asks for the root alone. */
export const isSameKey = (found: string | null, key: string): boolean =>
  found !== null && (found === key || (!key.includes(" ") && found.split(" ")[0] === key));
