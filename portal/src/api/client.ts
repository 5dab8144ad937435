import createClient from "openapi-fetch";
import type { paths } from "./paths.ts";

/** Calls of the portal's own routes, typed from contract/portal-openapi.json. Wrap each in `answered`. */
export const api = createClient<paths>({ baseUrl: "/portal/api", credentials: "same-origin" });

/** A refusal or failure, in words fit to be shown. */
export class Problem extends Error {
  override readonly name = "Problem";
  /** 0 when no answer came. */
  readonly status: number;
  /** What to do about it. */
  readonly details: string;
  /** Finds the call in the server's log; null when no answer came. */
  readonly requestId: string | null;

  constructor(status: number, message: string, details: string, requestId: string | null) {
    super(message);
    this.status = status;
    this.details = details;
    this.requestId = requestId;
  }
}

interface Result<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** The data of an answer; throws a Problem for everything else. */
export async function answered<Data>(call: Promise<Result<Data>>): Promise<Data> {
  let result: Result<Data>;
  try {
    result = await call;
  } catch {
    throw new Problem(0, "No answer", "The server cannot be reached. Check that it runs, then try again.", null);
  }
  const { data, error, response } = result;
  if (response.ok) return data as Data;
  const { message, details } = errorOf(error) ?? {
    message: `Unexpected answer ${response.status}`,
    details: "The server gave an answer that is none of its own. Try again in a moment.",
  };
  throw new Problem(response.status, message, details, response.headers.get("x-request-id"));
}

/** The error of a body in the form of the API's contract, section 7. */
function errorOf(body: unknown): { message: string; details: string } | null {
  const error = (body as { error?: { message?: unknown; details?: unknown } } | undefined)?.error;
  return typeof error?.message === "string" && typeof error.details === "string"
    ? { message: error.message, details: error.details }
    : null;
}
