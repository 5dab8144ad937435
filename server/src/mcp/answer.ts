import { excerptOf } from "@beatmarket/docs-search/excerpt.ts";

/** The limit of an answer, since a long answer fills the context of a model. */
const maxAnswerBytes = 2_000;

const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value));

/** An answer with as many items of a list, best first, as fit; `left_out` is the number of the others. */
export function fitted<Item>(name: string, items: readonly Item[], others: object = {}): object {
  for (let count = items.length; count > 0; count--) {
    const leftOut = items.length - count;
    const answer = {
      [name]: items.slice(0, count),
      ...others,
      ...(leftOut > 0 && { left_out: leftOut }),
    };
    if (bytesOf(answer) <= maxAnswerBytes) return answer;
  }
  return { [name]: [], ...others, ...(items.length > 0 && { left_out: items.length }) };
}

/** The beginning of a text, cut between words. */
export const clipped = (text: string, length: number): string => excerptOf(text, [], length);
