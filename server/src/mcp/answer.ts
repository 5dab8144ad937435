import { excerptOf } from "@beatmarket/docs-search/excerpt.ts";

/** People complain of servers that fill the context of a model. */
const maxAnswerBytes = 2_000;

const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value));

/** An answer with as many items of a list, best first, as fit; `left_out` says how many do not. */
export function fitted<Item>(name: string, items: readonly Item[], others: object = {}): object {
  for (let shown = items.length; shown > 0; shown--) {
    const leftOut = items.length - shown;
    const answer = {
      [name]: items.slice(0, shown),
      ...others,
      ...(leftOut > 0 && { left_out: leftOut }),
    };
    if (bytesOf(answer) <= maxAnswerBytes) return answer;
  }
  return { [name]: [], ...others, ...(items.length > 0 && { left_out: items.length }) };
}

/** The beginning of a text, cut between words. */
export const clipped = (text: string, length: number): string => excerptOf(text, [], length);
