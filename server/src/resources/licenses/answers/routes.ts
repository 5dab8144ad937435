import type { Clock } from "@beatmarket/foundation/clock.ts";
import { ApiError } from "@beatmarket/foundation/errors.ts";
import { clientNetwork } from "@beatmarket/http/admission/client-network.ts";
import { route } from "@beatmarket/http/pipeline/api-route.ts";
import { TokenBuckets } from "@beatmarket/http/rate-limit/token-buckets.ts";
import { type Answer, type AnswerParts, askLicense } from "./ask.ts";
import { LicenseId, LicenseQuestion, LicenseVerdictResponse } from "./schema.ts";

/** A license in the demo catalogue of the contract tests. */
const exampleLicense = "7f0c9a52-6b1d-4f7e-9d54-2c8a1e5b3f60";
const unknownLicense = "00000000-0000-4000-8000-000000000000";

/** The rate of questions without a key, for each client network. */
const anonymousRate = { burst: 120, perSecond: 2 };

/** Questions to a license by its id, with an API key or without (docs/clauses.md). */
export const licenseAnswerRoutes = (parts: AnswerParts) => {
  const limits = new AnonymousQuestions();
  return [
    route({
      operationId: "askLicense",
      client: "licenses.may",
      method: "POST",
      path: "/licenses/:license_id/may",
      tag: "Licenses",
      summary: "Ask whether a license allows a use",
      description:
        "Answers `yes`, `no` or `unknown` by the terms under which the license was sold, with the clause that decides and the purchase that would allow the use. The id of a certificate is enough.",
      permission: null,
      params: LicenseId,
      body: LicenseQuestion,
      response: LicenseVerdictResponse,
      present: {
        reference: (answer: Answer) => ({ verdict: answerFields(answer) }),
        console: (answer: Answer) => ({ data: answerFields(answer) }),
      },
      changesContent: () => false,
      examples: {
        success: { parameters: { license_id: exampleLicense }, body: { use: "streams", quantity: 250_000 } },
        invalid: { parameters: { license_id: exampleLicense }, body: { use: "streams", quantity: 0 } },
        missing: { parameters: { license_id: unknownLicense }, body: { use: "streams" } },
      },
      handle: ({ clock, context, params, body }) => {
        if (context.caller === null) limits.take(clock, context.clientAddress);
        const { caller } = context;
        const askingAccountId = caller?.permissions.has("orders:read") ? caller.userId : null;
        return askLicense(clock, parts, { licenseId: params.license_id, body, askingAccountId });
      },
    }),
  ];
};

/** Limits questions without a key, by client network. Keys have the limits of their plans. */
class AnonymousQuestions {
  #buckets: TokenBuckets | null = null;

  /** Counts a question. Throws 429 above the limit. */
  take(clock: Clock, address: string): void {
    this.#buckets ??= new TokenBuckets(clock, anonymousRate);
    if (this.#buckets.take(clientNetwork(address))) return;
    throw new ApiError(
      429,
      "rate_limit_exceeded",
      "Too many questions",
      `At most ${anonymousRate.perSecond} questions a second are answered without an API key. Wait some seconds, or send a key: its plan has a limit of its own.`,
      { headers: { "retry-after": "5" }, refusedBy: "limit:questions" },
    );
  }
}

const answerFields = ({ licenseId, status, replacedBy, question, verdict, used, remedy }: Answer) => ({
  license_id: licenseId,
  status,
  replaced_by: replacedBy,
  ...question,
  allowed: verdict.allowed,
  because: verdict.clause && {
    clause: verdict.clause.name,
    text: verdict.clause.text,
    limit: verdict.limit,
    used,
  },
  remedy: remedy && {
    upgrade: remedy.isRenewal ? null : remedy.type,
    renew: remedy.isRenewal ? remedy.type : null,
    price: remedy.price,
    currency: remedy.currency,
    valid_until: remedy.validUntil,
  },
});
