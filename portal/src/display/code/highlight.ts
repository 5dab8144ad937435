import { loadChunk } from "../../api/load-chunk.ts";
import type { CodeLanguage, Token } from "./token.ts";

/** The tokens of a text by line. Loads highlighter and grammar when they are first needed. */
export async function highlight(text: string, language: CodeLanguage): Promise<Token[][]> {
  const { tokensOf } = await loadChunk(() => import("./highlighter.ts"));
  return tokensOf(text, language);
}
