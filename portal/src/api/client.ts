import createClient from "openapi-fetch";
import { fetchWatched } from "./connection.ts";
import { t } from "./locale.ts";
import { addModeHeader } from "./mode.ts";
import type { paths } from "./paths.ts";
import { fetchWithStepUp } from "./step-up.ts";

/** Client of the portal's own API, typed from contract/portal-openapi.json. Wrap each call in `unwrap`. */
export const api = createClient<paths>({
  baseUrl: "/portal/api",
  credentials: "same-origin",
  fetch: fetchWithStepUp,
});

/** A failed call: an error response or no response. `message` and `details` are texts for people. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** Advice for the user. */
  readonly details: string;
  /** The request id in the server's log; null without a response. */
  readonly requestId: string | null;
  /** Whether the password was right, but the authenticator's code is missing or wrong. */
  readonly wantsCode: boolean;

  constructor(status: number, message: string, details: string, requestId: string | null, wantsCode = false) {
    super(message);
    this.status = status;
    this.details = details;
    this.requestId = requestId;
    this.wantsCode = wantsCode;
  }
}

/** Sends a request that `api` does not describe. Throws an ApiError with status 0 if no response comes. */
export async function send(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetchWatched(addModeHeader(new Request(url, { credentials: "same-origin", ...init })));
  } catch {
    throw noResponse();
  }
}

export const noResponse = (): ApiError => new ApiError(0, t("error.noResponse"), t("error.connectionWasLost"), null);

interface Result<Data> {
  data?: Data;
  error?: unknown;
  response: Response;
}

/** Returns the data of a 2xx response. Throws an ApiError for any other status and for a network failure. */
export async function unwrap<Data>(call: Promise<Result<Data>>): Promise<Data> {
  let result: Result<Data>;
  try {
    result = await call;
  } catch {
    throw noResponse();
  }
  const { data, error, response } = result;
  if (response.ok) return data as Data;
  const { message, details } = errorOf(error) ?? {
    message: t("error.unexpectedResponse", { status: response.status }),
    details: t("error.responseNotFromApi"),
  };
  const wantsCode = response.headers.get("www-authenticate")?.includes('acr_values="otp"') === true;
  throw new ApiError(response.status, message, details, response.headers.get("x-request-id"), wantsCode);
}

/** Reads an error body (docs/api/errors.md, Error body); null for anything else. */
function errorOf(body: unknown): { message: string; details: string } | null {
  const error = (body as { error?: { message?: unknown; details?: unknown } } | undefined)?.error;
  return typeof error?.message === "string" && typeof error.details === "string"
    ? { message: error.message, details: error.details }
    : null;
}
