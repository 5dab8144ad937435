import type { Clock } from "../clock.ts";
import { ApiError } from "../errors.ts";
import type { Account } from "../http/admission/account.ts";

const maxAgeSeconds = 900;

/** The challenge of RFC 9470, Step-Up Authentication, by which the web app knows that the user has to authenticate again. */
export const stepUpChallenge = `Session error="insufficient_user_authentication", max_age=${maxAgeSeconds}`;

/** 403 unless the session began in the last 15 minutes. Signing in again, also with one click, begins another. */
export function requireStepUp({ signedInAt }: Account, clock: Clock): void {
  if (clock.nowMs() - signedInAt.getTime() <= maxAgeSeconds * 1000) return;
  throw new ApiError(
    403,
    "forbidden",
    "Sign in again",
    "This needs a sign-in of the last 15 minutes. Sign in again, then repeat it.",
    { headers: { "www-authenticate": stepUpChallenge }, refusedBy: "session:age" },
  );
}
