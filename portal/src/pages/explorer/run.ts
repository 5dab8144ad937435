import type { Call } from "../../../../contract/snippets/call.ts";
import { requestOf } from "./explorer-call.ts";

/** An answer of the API to a call from the explorer. */
export interface Run {
  method: string;
  url: string;
  status: number;
  durationMs: number;
  requestId: string | null;
  headers: [name: string, value: string][];
  /** As it came. */
  text: string;
  /** Undefined where it is no JSON. */
  json: unknown;
}

/**
 * Makes a call with one of the person's keys. The session stands for the key (X-Explorer-Key names it), so that no key is
 * ever in this page. Throws when no answer comes.
 */
export async function run(call: Call, keyId: number): Promise<Run> {
  const { method, url, headers, body } = requestOf(call);
  const began = performance.now();
  const answer = await fetch(url, {
    method,
    headers: { ...headers, "x-explorer-key": String(keyId) },
    ...(body !== undefined && { body }),
    credentials: "same-origin",
    cache: "no-store",
  });
  const text = await answer.text();
  return {
    method,
    url,
    status: answer.status,
    durationMs: performance.now() - began,
    requestId: answer.headers.get("x-request-id"),
    headers: [...answer.headers],
    text,
    json: parsed(text),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
