/**
 * A visible character: no space, control or format character, and none that is ignored where a font lacks it, such as the
 * Hangul fillers. What Unicode does not know yet is shown as a box.
 */
const visible = /[^\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/v;

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
