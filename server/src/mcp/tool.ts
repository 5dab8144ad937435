import type { InnerRequest } from "@beatmarket/http/pipeline/inner-request.ts";
import type { TObject } from "typebox";
import type { Caller } from "../access/caller.ts";

/** The response of the API to a request of a tool. */
export interface ApiReply {
  status: number;
  /** Of a success, its `data`. */
  data: Record<string, unknown>;
  /** A refusal as a sentence; null for a success. */
  refusal: string | null;
}

/** What a tool works with: the caller of the message, and the API as that caller sees it. */
export interface Desk {
  caller: Caller;
  nowMs: number;
  request(request: InnerRequest): Promise<ApiReply>;
  /** What the person answered to the confirmation of this purchase; "unasked" before. */
  confirmation(quoteId: string): "accepted" | "declined" | "unasked";
  /** Whether the client can ask the person in the middle of a call: not in revisions before 2026-07-28. */
  canAsk: boolean;
}

/** A question for the person, before the tool does what it was called for. */
export class Confirmation {
  readonly quoteId: string;
  readonly question: string;

  constructor(quoteId: string, question: string) {
    this.quoteId = quoteId;
    this.question = question;
  }
}

/** A refusal that the agent reads, as a sentence that says what to do. */
export class Refusal extends Error {}

export interface Tool {
  name: string;
  description: string;
  input: TObject;
  /** It changes nothing. */
  isReadOnly: boolean;
  call(input: Record<string, unknown>, desk: Desk): Promise<object | Confirmation>;
}

/** The data of a reply. Throws the refusal. */
export function dataOf({ data, refusal }: ApiReply): Record<string, unknown> {
  if (refusal !== null) throw new Refusal(refusal);
  return data;
}
