/** Why a call did not succeed, and what to do about it: sentences for its owner. */
export interface Refusal {
  reason: string;
  advice: string;
}

interface RefusedCall {
  status: number;
  /** As the log has it: "limit:minute", "permission:orders:write", "parameter:genre". */
  refusedBy: string | null;
}

const limits: Record<string, string> = {
  minute:
    "Spread calls more evenly, or wait as long as Retry-After says before the next one. Each key has windows of its own.",
  hour: "Ask less often: keep answers and send their ETag in If-None-Match, fetch longer pages with limit, and let webhooks tell you of changes instead of polling.",
  day: "Ask less often: keep answers, fetch longer pages with limit, and let webhooks tell you of changes instead of polling. If that is not enough, this key needs a larger plan.",
};

const byStatus: Record<number, Refusal> = {
  401: {
    reason: "The API key was not accepted.",
    advice:
      "Check that it is sent whole, as Authorization: Bearer <API_KEY>, and that it is neither revoked nor expired.",
  },
  404: {
    reason: "What the path names does not exist, or is not this account's to see.",
    advice:
      "Check the path and the id in it. A beat that is no longer on sale, and somebody else's order, answer this too.",
  },
  405: {
    reason: "The path exists, but not with this method.",
    advice: "The Allow header of the answer, and the reference, name the methods it has.",
  },
  406: {
    reason: "The Accept header excluded every form the API answers in.",
    advice: "Leave Accept out, or include application/json.",
  },
  409: {
    reason: "The request contradicts the present state of what it is about.",
    advice: "The details say what is in the way. Nothing was changed by this call.",
  },
  413: { reason: "The body was too large.", advice: "A body may have at most 100 kB." },
  415: {
    reason: "The body was not declared as JSON.",
    advice: "Send it as JSON, with Content-Type: application/json.",
  },
  503: {
    reason: "The service was overloaded, or its database out of reach.",
    advice:
      "It was not your request. Repeat it after as many seconds as Retry-After says, with the same Idempotency-Key where it has one.",
  },
};

/** Null for a call that succeeded. */
export function refusalOf({ status, refusedBy }: RefusedCall): Refusal | null {
  if (status < 400) return null;
  const [kind = "", name = ""] = partsOf(refusedBy ?? "");
  if (refusedBy === "limit:bad-keys")
    return {
      reason: "Too many calls with invalid keys came from this address.",
      advice: "Whatever makes them has an old or mistyped key. Calls with good keys from there are not affected.",
    };
  if (kind === "key" && name !== "")
    return {
      reason: name === "revoked" ? "The key was revoked." : "The key has expired.",
      advice: "Something still uses it. Find it by its address and user agent, and give it a key that works.",
    };
  if (kind === "limit")
    return {
      reason: `The ${name} window of the key's rate limit was full.`,
      advice: limits[name] ?? "Wait as long as Retry-After says.",
    };
  if (kind === "permission")
    return {
      reason: `The key lacks the permission ${name}.`,
      advice: `Use a key that has ${name}, or create one: a key's permissions are chosen when it is made.`,
    };
  if (kind === "parameter")
    return {
      reason: `The parameter or field “${name}” was refused.`,
      advice: "The details say what it may be. The reference of the operation lists all it takes.",
    };
  return (
    byStatus[status] ??
    (status >= 500
      ? {
          reason: "Something went wrong on our side.",
          advice: "It was not your request. Try again, and quote the request id if it stays like this.",
        }
      : { reason: "The request was not valid.", advice: "The details say what was wrong with it." })
  );
}

/** "permission:orders:write" is a permission of the name orders:write. */
function partsOf(refusedBy: string): string[] {
  const colon = refusedBy.indexOf(":");
  return colon < 0 ? [refusedBy] : [refusedBy.slice(0, colon), refusedBy.slice(colon + 1)];
}
