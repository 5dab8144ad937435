import type { Encoding } from "../mapping.ts";

/** Two bytes of hiragana or katakana in Shift-JIS, as a file that is read as UTF-8 shows them. */
const shiftJisKana = /\udc82[\udc9f-\udcf1]|\udc83([\udc80-\udc96@-~])/g;

/** Why a row with bytes that its encoding does not have is rejected, and what to do. */
export function wronglyEncoded(
  values: readonly string[],
  encoding: Encoding = "utf-8",
): { problem: string; reason: string } {
  if (encoding !== "utf-8")
    return {
      problem: `row: not ${encoding}`,
      reason: `the row has bytes that ${encoding} does not have; import the file with --encoding and the encoding that it was saved in`,
    };
  const kana = values.join("").match(shiftJisKana)?.length ?? 0;
  const remedy =
    kana > 1
      ? "it looks like Shift-JIS: if it is, import the file with --encoding shift_jis"
      : "import the file with --encoding and the encoding that it was saved in, such as windows-1252 (western Europe), windows-1251 (Cyrillic), shift_jis (Japan) or gb18030 (China)";
  return { problem: "row: not UTF-8", reason: `the row is not valid UTF-8; ${remedy}` };
}
