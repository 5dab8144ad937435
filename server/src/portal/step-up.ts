import { hasSecondFactor } from "@beatmarket/authentication/authenticator-rows.ts";
import type { Clock } from "@beatmarket/foundation/clock.ts";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import type { Account } from "../access/account.ts";
import type { Queryable } from "../database/connect.ts";

const maxAgeSeconds = 900;

/** The challenge of RFC 9470, Step-Up Authentication. On this challenge, the web app asks the user to sign in again. */
export const stepUpChallenge = `Session error="insufficient_user_authentication", max_age=${maxAgeSeconds}`;

/**
 * Throws 403 unless the session began in the last 15 minutes. Every sign-in begins a new session.
 */
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

/**
 * Like `requireStepUp`, for requests that move money: the sign-in must have included a second factor. If the account
 * has none, the 403 says how to add it, since signing in again would not help.
 */
export async function requireSecondFactor(db: Queryable, account: Account, clock: Clock): Promise<void> {
  if (!(await hasSecondFactor(db, account.id)))
    throw new ApiError(
      403,
      "forbidden",
      "Second factor needed",
      "This moves money, so it needs a second factor, and your account has none. Add an authenticator app or a passkey under Account, Security; then sign in with it and repeat this.",
      { refusedBy: "session:second-factor" },
    );
  requireStepUp(account, clock);
  if (account.hasSecondFactor) return;
  throw new ApiError(
    403,
    "forbidden",
    "Sign in again",
    "This moves money, so it needs a sign-in of the last 15 minutes with the code of your authenticator or with a passkey. Sign in so, then repeat it.",
    { headers: { "www-authenticate": stepUpChallenge }, refusedBy: "session:second-factor" },
  );
}
