import { ApiError } from "@beatmarket/foundation/errors.ts";

/** The 403 for a test key in a service without test mode. */
export const testKeyOnLive = (details: string): ApiError =>
  modeRefusal("test_key_on_live", "Test key on live data", details);

/** The 403 for a live key in a call or at an address that exists only in test mode. */
export const liveKeyOnTest = (details: string): ApiError =>
  modeRefusal("live_key_on_test", "Live key in test mode", details);

/** The 403 for a change of a sandbox whose database has reached its maximum size. */
export const sandboxFull = (details: string): ApiError => modeRefusal("sandbox_full", "Sandbox full", details);

/** The name begins the details, since /v1 gets no further error codes (docs/api/versioning.md). */
const modeRefusal = (name: string, message: string, details: string): ApiError =>
  new ApiError(403, "forbidden", message, `${name}: ${details}`, { refusedBy: `mode:${name}` });

export const noTestMode =
  "This server has no test mode: its operator sets SANDBOX_DATABASE_URL to a PostgreSQL server for the databases of sandboxes. Use a live key, which begins with bm_ but not with bm_test_.";

/** The key in an Authorization header; null for another header. */
export const keyOf = (authorization: string | undefined): string | null =>
  /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? null;

/** Throws 403 in a service that does not manage sandboxes. */
export function requireTestMode(mode: "live" | "test" | "sandbox"): void {
  if (mode === "live")
    throw liveKeyOnTest(
      "Sandboxes belong to the test mode of an account, and the API key is a live one. Switch the portal to Test, make a key there, which begins with bm_test_, and use it.",
    );
  if (mode === "sandbox")
    throw new ApiError(
      403,
      "forbidden",
      "Key of a sandbox",
      "This key belongs to a sandbox. Manage sandboxes with a key of the account's test mode, which the portal makes.",
      { refusedBy: "mode" },
    );
}
