import { OperatorError } from "@beatmarket/foundation/errors.ts";
import {
  APIConnectionError,
  APIStatusError,
  BeatMarketError,
  type RateLimit,
  UploadRejectedError,
} from "../../javascript/src/errors.ts";
import { isOfCertificate } from "../../javascript/src/retry.ts";

/** A mistake of the user: a sentence with the remedy, exit status 1. */
export class CommandError extends Error {}

/** The error that a failed command prints on standard error: message and remedy, or with --json all fields. */
export interface Failure {
  message: string;
  /** The remedy as a sentence. */
  remedy?: string;
  /** The name of the client's error. */
  name?: string;
  status?: number;
  code?: string | null;
  /** The API's short text. */
  reason?: string;
  details?: string | null;
  request_id?: string | null;
  retry_after?: number | null;
  rate_limit?: RateLimit | null;
  idempotency_key?: string | null;
  cause?: string;
  /** The upload that was rejected. */
  upload?: object;
}

/** The failure of a command for an error. An unknown error includes the stack, which a bug report needs. */
export function failureOf(error: unknown): Failure {
  if (error instanceof APIStatusError) {
    const { name, status, code, reason, details, requestId, retryAfterSeconds, rateLimit, idempotencyKey } = error;
    return {
      message: error.message,
      ...(remedyOf(error) !== "" && { remedy: remedyOf(error) }),
      name,
      status,
      code,
      reason,
      details,
      request_id: requestId,
      retry_after: retryAfterSeconds,
      rate_limit: rateLimit,
      idempotency_key: idempotencyKey,
    };
  }
  if (error instanceof APIConnectionError) {
    const remedy = isOfCertificate(error.cause) ? trust : "Is the server running? --server names another.";
    const { name, idempotencyKey, cause } = error;
    return { message: error.message, remedy, name, idempotency_key: idempotencyKey, cause: String(cause) };
  }
  if (error instanceof UploadRejectedError) return { message: error.message, name: error.name, upload: error.upload };
  if (error instanceof BeatMarketError) return { message: error.message, name: error.name };
  if (error instanceof CommandError || error instanceof OperatorError) return { message: error.message };
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

const trust =
  "--ca names the file of the certificate authority that signed the server's certificate: DATA_DIR/tls/ca.pem of your own server.";

function remedyOf({ status, code, retryAfterSeconds }: APIStatusError): string {
  if (code === null && status !== 429) return "Does --server name the shop itself?";
  if (status === 401) return "Log in with `beatmarket-cli login`, or set BEATMARKET_API_KEY.";
  if (status === 429 && retryAfterSeconds !== null) return `Try again in ${retryAfterSeconds} s.`;
  if (status >= 500) return "Try again later; quote the request id when you report it.";
  return "";
}
