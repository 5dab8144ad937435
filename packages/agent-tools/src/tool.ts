import { excerptOf } from "@beatmarket/docs-search/excerpt.ts";
import type { Caller } from "@beatmarket/http/application.ts";
import type { InnerRequest } from "@beatmarket/http/pipeline/inner-request.ts";
import type { TObject } from "typebox";

/** The response of the API to a request of a tool. */
export interface ApiReply {
  status: number;
  /** The `data` of a successful response; empty for a refusal. */
  data: Record<string, unknown>;
  /** The reason of a refusal, as a sentence; null for a successful response. */
  refusal: string | null;
}

/** The means of a tool: the caller of the message, the API with the caller's permissions, and the person's answer. */
export interface Desk {
  caller: Caller;
  nowMs: number;
  request(request: InnerRequest): Promise<ApiReply>;
  /** The person's answer to the question about this subject; "unasked" before the question. */
  confirmation(subject: string): "accepted" | "declined" | "unasked";
  /** Whether the client can ask the person during a call. False in revisions before 2026-07-28. */
  canAsk: boolean;
}

/** A question that the person must answer before the tool acts. */
export class Confirmation {
  /** What the person agrees to. The answer counts only for this subject. */
  readonly subject: string;
  readonly question: string;

  constructor(subject: string, question: string) {
    this.subject = subject;
    this.question = question;
  }
}

/** A refusal for the agent, as a sentence with the remedy. */
export class Refusal extends Error {}

export interface Tool {
  name: string;
  description: string;
  input: TObject;
  /** Whether the tool changes nothing. */
  isReadOnly: boolean;
  call(input: Record<string, unknown>, desk: Desk): Promise<object | Confirmation>;
}

/** The data of a reply. Throws `Refusal` if the API refused the request. */
export function dataOf({ data, refusal }: ApiReply): Record<string, unknown> {
  if (refusal !== null) throw new Refusal(refusal);
  return data;
}

/** The maximum size of an answer. A long answer fills the context of a model. */
const maxAnswerBytes = 2_000;

const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value));

/** An answer with the first items of a list that fit within the limit. `left_out` is the number of omitted items. */
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
