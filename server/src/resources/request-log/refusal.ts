import type { CallShape } from "@beatmarket/request-log/entry.ts";

/** Sentences for the owner of the key: the reason why a call failed, and the remedy. */
export interface Refusal {
  reason: string;
  advice: string;
}

const limits: Record<string, string> = {
  minute:
    "Spread calls more evenly, or wait for the time in Retry-After before the next one. Each key has its own windows.",
  hour: "Send fewer requests: cache responses and send their ETag in If-None-Match, fetch longer pages with limit, and use webhooks instead of polling.",
  day: "Send fewer requests: cache responses, fetch longer pages with limit, and use webhooks instead of polling. If that is not enough, this key needs a larger plan.",
};

const byStatus: Record<number, Refusal> = {
  401: {
    reason: "The API key was not accepted.",
    advice:
      "Check that it is sent in full, as Authorization: Bearer <API_KEY>, and that it is neither revoked nor expired.",
  },
  404: {
    reason: "The resource does not exist, or this account may not see it.",
    advice: "Check the path and the id in it. Another account's order gives 404 too.",
  },
  405: {
    reason: "The path exists, but not with this method.",
    advice: "The Allow header of the response, and the reference, list its methods.",
  },
  406: {
    reason: "The Accept header excludes every form of the API's responses.",
    advice: "Leave Accept out, or include application/json.",
  },
  409: {
    reason: "The request conflicts with the present state of the resource.",
    advice: "The details name the conflict. Nothing was changed by this call.",
  },
  413: {
    reason: "The body was too large.",
    advice: "The details name the limit. A JSON body may have at most 100 kB.",
  },
  415: {
    reason: "The operation does not take the Content-Type, charset or Content-Encoding of the body.",
    advice: "The details say how to send it. Most operations take application/json in UTF-8.",
  },
  503: {
    reason: "The service was overloaded, or its database was unreachable.",
    advice:
      "Your request is not the cause. Retry it after the seconds in Retry-After, with the same Idempotency-Key if it had one.",
  },
};

/** Returns null for a successful call. */
export function refusalOf({ status, refusedBy }: Pick<CallShape, "status" | "refusedBy">): Refusal | null {
  if (status < 400) return null;
  // Splits at the first colon: the permission in "permission:orders:write" is orders:write.
  const [, kind = "", name = ""] = /^([^:]*):?(.*)$/s.exec(refusedBy ?? "") ?? [];
  if (refusedBy === "limit:bad-keys")
    return {
      reason: "Too many calls with invalid keys came from this address.",
      advice: "The client there uses an old or mistyped key. Calls with valid keys from the address are not affected.",
    };
  if (kind === "key" && name !== "")
    return {
      reason: name === "revoked" ? "The key was revoked." : "The key has expired.",
      advice: "A client still uses the key. Find the client by its address and user agent, and give it a valid key.",
    };
  if (refusedBy === "account:suspended")
    return {
      reason: "The account is suspended.",
      advice:
        "The details name the reason. Reply to the mail about the suspension. No key of the account works until the suspension ends.",
    };
  if (refusedBy === "address")
    return {
      reason: "The key may not be used from this address.",
      advice: "Call from an address that the key allows, or change its addresses under API keys.",
    };
  if (refusedBy === "mode:sandbox_full")
    return {
      reason: "The sandbox has reached the maximum size.",
      advice: "Delete the sandbox, and create another one. Until then its data can still be read.",
    };
  if (kind === "mode")
    return {
      reason: "The key belongs to another mode: live mode, test mode or a sandbox.",
      advice: "Use a key of the mode that the details name. Keys of test mode and of sandboxes begin with bm_test_.",
    };
  if (refusedBy === "spending-cap")
    return {
      reason: "The key's spending cap was reached.",
      advice: "Nothing was charged. Raise the cap under API keys, or wait until earlier orders are older than 30 days.",
    };
  if (refusedBy === "limit:export")
    return {
      reason: "The key had taken an export within the hour.",
      advice:
        "Keep the export, and continue with GET /changes from its X-Change-Position. A broken download is resumed with Range, which does not count.",
    };
  if (refusedBy === "limit:downloads")
    return {
      reason: "The key had too many downloads running.",
      advice: "Let one end before the next begins. One connection is enough for an export.",
    };
  if (refusedBy === "limit:order-files")
    return {
      reason: "Too many downloads of order files were running from this network.",
      advice: "Let one end before the next begins. Downloads resume.",
    };
  if (refusedBy === "limit:streams")
    return {
      reason: "The account had too many event streams open.",
      advice: "Close a stream before you open another one. One stream can carry all event types.",
    };
  if (kind === "limit")
    return {
      reason: `The ${name} window of the key's rate limit was full.`,
      advice: limits[name] ?? "Wait for the time in Retry-After.",
    };
  if (kind === "permission")
    return {
      reason: `The key lacks the permission ${name}.`,
      advice: `Use a key that has ${name}, or create one: a key's permissions are set when it is created.`,
    };
  if (kind === "parameter")
    return {
      // Analytics groups the refusals of all parameters, so there is no name.
      reason: name === "" ? "A parameter or field was refused." : `The parameter or field “${name}” was refused.`,
      advice: "The details say what is allowed. The operation's reference lists all parameters.",
    };
  return (
    byStatus[status] ??
    (status >= 500
      ? {
          reason: "Something went wrong on our side.",
          advice: "Your request is not the cause. Try again, and quote the request id if it keeps failing.",
        }
      : { reason: "The request was not valid.", advice: "The details say what was wrong with it." })
  );
}
