/** A title that is broken into lines of one font size. */
export interface TitleBlock {
  lines: string[];
  fontSize: number;
}

const sizes = [84, 72, 60, 50, 42, 36];
const mostLines = 4;

/**
 * Breaks a title into at most four lines of this width (three in the two largest sizes), in the largest possible size.
 * A title that is too long ends in "…".
 */
export function setTitle(title: string, width: number): TitleBlock {
  const pieces = breakable(title);
  for (const fontSize of sizes) {
    const lines = fill(pieces, width / fontSize);
    const maxLines = fontSize > 60 ? mostLines - 1 : mostLines;
    if (lines !== null && lines.length <= maxLines) return { lines, fontSize };
  }
  const fontSize = sizes.at(-1) ?? 36;
  const ems = width / fontSize;
  const narrow = pieces.flatMap((piece) => (emsOf(piece.trimEnd()) > ems ? graphemesOf(piece) : [piece]));
  const lines = fill(narrow, ems) ?? [];
  if (lines.length <= mostLines) return { lines, fontSize };
  const firstLines = lines.slice(0, mostLines);
  return { lines: [...firstLines.slice(0, -1), shorten(`${firstLines.at(-1)}…`, ems)], fontSize };
}

/** Cuts a text to a width in ems. A cut text ends in "…". */
export function shorten(text: string, ems: number): string {
  if (emsOf(text) <= ems) return text;
  const graphemes = graphemesOf(text.replace(/…$/, ""));
  while (graphemes.length > 0 && emsOf(graphemes.join("")) + 0.9 > ems) graphemes.pop();
  return `${graphemes.join("").trimEnd()}…`;
}

/** Whether a text runs from right to left. The first letter decides. */
export function isRightToLeft(text: string): boolean {
  const first = /\p{L}/u.exec(text)?.[0] ?? "";
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(first);
}

/**
 * Escapes a text for XML. Replaces characters that XML forbids (controls, lone surrogates) and characters that change
 * the direction of the following text.
 */
export function xmlText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]+/gu, " ")
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const words = new Intl.Segmenter("en", { granularity: "word" });
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

const graphemesOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment);

// Splits a text where a line may break: after spaces, and between words in scripts without spaces.
function breakable(text: string): string[] {
  const pieces: string[] = [];
  for (const { segment } of words.segment(text.trim())) {
    const last = pieces.at(-1);
    const mayBreak = last === undefined || /\s$/.test(last) || (isUnspaced(last) && isUnspaced(segment));
    if (mayBreak && segment.trim() !== "") pieces.push(segment);
    else pieces.push(`${pieces.pop() ?? ""}${segment}`);
  }
  return pieces;
}

const isUnspaced = (text: string): boolean =>
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u.test(
    text,
  );

// Fills lines with pieces. Null if a single piece is wider than a line.
function fill(pieces: string[], ems: number): string[] | null {
  const lines: string[] = [];
  let line = "";
  for (const piece of pieces) {
    if (emsOf(piece.trimEnd()) > ems) return null;
    if (emsOf((line + piece).trimEnd()) > ems) {
      lines.push(line.trimEnd());
      line = piece.trimStart();
    } else line += piece;
  }
  return [...lines, line.trimEnd()].filter((each) => each !== "");
}

// An upper estimate of the width of a text in DejaVu Sans Bold, in ems. This font is wide, so the text also fits in the
// unknown font of the viewer.
function emsOf(text: string): number {
  let ems = 0;
  for (const character of graphemesOf(text)) {
    if (
      /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}ー\uFF00-\uFF60]/u.test(
        character,
      )
    )
      ems += 1.02;
    else if (/^[\s.,:;'’|iljIJí]/u.test(character)) ems += 0.38;
    else if (/^[tfr()[\]!-]/u.test(character)) ems += 0.5;
    else if (/^[mwMW@%—]/u.test(character)) ems += 1.1;
    else if (/^[\p{Lu}&]/u.test(character)) ems += 0.86;
    else ems += 0.72;
  }
  return ems;
}
