import type { Call } from "../../../../../contract/snippets/call.ts";
import { send } from "../../../api/client.ts";
import { requestOf } from "./explorer-call.ts";

/** A response of the API to a call from the explorer. */
export interface ApiResponse {
  status: number;
  durationMs: number;
  requestId: string | null;
  headers: [name: string, value: string][];
  /** The body as received. */
  text: string;
  /** The parsed body; undefined if it is not JSON. */
  json: unknown;
}

/**
 * Sends a call with one of the account's keys. The session cookie authenticates it and X-Explorer-Key has the key's id,
 * so the page never contains a key. Throws an ApiError if there is no response.
 */
export async function sendCall(call: Call, keyId: number): Promise<ApiResponse> {
  const { method, url, headers, body } = requestOf(call);
  const startMs = performance.now();
  const response = await send(url, {
    method,
    headers: { ...headers, "x-explorer-key": String(keyId) },
    ...(body !== undefined && { body }),
    cache: "no-store",
  });
  const text = await response.text();
  return {
    status: response.status,
    durationMs: performance.now() - startMs,
    requestId: response.headers.get("x-request-id"),
    headers: [...response.headers],
    text,
    json: parseJson(text),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
