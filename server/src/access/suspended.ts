import { ApiError } from "@beatmarket/foundation/errors.ts";

/**
 * 403 for a suspended account: the key or password is right, and what is asked for is not permitted (docs/api/authentication.md,
 * Suspended accounts). `reason` is the operator's sentence.
 */
export const accountSuspended = (reason: string): ApiError =>
  new ApiError(
    403,
    "forbidden",
    "Account suspended",
    `This account is suspended: ${reason} To appeal, reply to the mail that said so.`,
    { refusedBy: "account:suspended" },
  );
