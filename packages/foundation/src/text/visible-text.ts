/**
 * A letter, digit, sign or spacing mark. Excludes spaces, control and format characters, nonspacing marks, unassigned
 * code points, and fillers (invisible characters in the category of letters).
 */
const visible = /[[\p{L}\p{N}\p{P}\p{S}\p{Mc}]--[\u115f\u1160\u3164\uffa0\u2800]]/v;

/** Whether a text has a visible character. */
export const isVisible = (text: string): boolean => visible.test(text);

/**
 * Embeddings, overrides and isolates (UAX 9, 2.1 to 2.5). They reorder the following characters, even beyond the end of
 * the text. Excludes direction marks, which reorder nothing and which Arabic and Hebrew texts need.
 */
const bidiControl = /[\u202a-\u202e\u2066-\u2069]/;
const bidiControls = /[\u202a-\u202e\u2066-\u2069]+/g;

export const hasBidiControl = (text: string): boolean => bidiControl.test(text);

export const withoutBidiControls = (text: string): string => text.replace(bidiControls, "");
