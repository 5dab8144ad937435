/**
 * A letter, digit, sign or spacing mark: no space, control or format character, no lone combining mark, nothing that Unicode
 * does not know yet, and no filler that is a letter by its category only.
 */
const visible = /[[\p{L}\p{N}\p{P}\p{S}\p{Mc}]--[\u115f\u1160\u3164\uffa0\u2800]]/v;

/** Whether anything of a text can be seen. */
export const isVisible = (text: string): boolean => visible.test(text);

/**
 * Embeddings, overrides and isolates (UAX 9, 2.1 to 2.5): they reorder what stands after them, also beyond the text's end.
 * Direction marks, which Arabic and Hebrew texts need, reorder nothing beyond their own place.
 */
const bidiControl = /[\u202a-\u202e\u2066-\u2069]/;
const bidiControls = /[\u202a-\u202e\u2066-\u2069]+/g;

export const hasBidiControl = (text: string): boolean => bidiControl.test(text);

export const withoutBidiControls = (text: string): string => text.replace(bidiControls, "");
