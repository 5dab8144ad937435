const tolerance = 0.04;

/** Whether a tempo counts as right by Accuracy 1 (Gouyon 2006): it is within 4 %. */
export const isTempo = (measured: number | null, tempo: number): boolean =>
  measured !== null && Math.abs(measured / tempo - 1) <= tolerance;

/** Whether a tempo counts as right by Accuracy 2: within 4 % of the tempo, or of its double, triple, half or third. */
export const isOctaveOf = (measured: number | null, tempo: number): boolean =>
  [1, 2, 3, 1 / 2, 1 / 3].some((octave) => isTempo(measured, tempo * octave));

/** Whether a measured key matches the key of a label. If the label has no mode ("C"), only the roots are compared. */
export const isSameKey = (measured: string | null, key: string): boolean =>
  measured !== null && (measured === key || (!key.includes(" ") && measured.split(" ")[0] === key));
