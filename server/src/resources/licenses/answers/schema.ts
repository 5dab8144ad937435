import { uuidPattern } from "@beatmarket/foundation/text/uuid.ts";
import type { ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import { clauseNames } from "@beatmarket/license-terms/clauses.ts";
import { allowances, licenseStates } from "@beatmarket/license-terms/judge.ts";
import { licenseTypes } from "@beatmarket/license-terms/license-types.ts";
import { highestLimit } from "@beatmarket/license-terms/limits.ts";
import { territoryPattern, usePattern } from "@beatmarket/license-terms/question.ts";
import Type from "typebox";

const orNull = <Schema extends Type.TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const day = (description: string) => Type.String({ format: "date", maxLength: 10, description });

export const LicenseId = Type.Object({
  license_id: Type.String({
    pattern: uuidPattern,
    description: "Identifier of the license: the UUID in its certificate.",
  }),
});

export const LicenseQuestion = Type.Object(
  {
    use: Type.String({
      pattern: usePattern.source,
      maxLength: 40,
      description:
        "The use, such as `streams` or `content_id`: a word from the list of uses at /portal/docs/clauses#uses.",
    }),
    quantity: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: highestLimit,
        description: "The total number of streams, copies or videos. Default: 1.",
      }),
    ),
    territory: Type.Optional(
      Type.String({
        pattern: territoryPattern.source,
        maxLength: 2,
        description: "The country of the use, by ISO 3166-1, such as `DE`.",
      }),
    ),
    on: Type.Optional(day("The day of the use, in UTC. Default: today.")),
  },
  { $id: "LicenseQuestion" },
);

const Because = Type.Object({
  clause: Type.Enum([...clauseNames], {
    description: "The clause that decides the answer, or the clause that comes nearest.",
  }),
  text: Type.String({ description: "The sentence of the clause, word for word as in the certificate." }),
  limit: orNull(Type.Integer(), "The number in the clause. Null for any number, and for clauses without one."),
  used: orNull(Type.Integer(), "The usage that the holder has reported. Null without a report."),
});

const licenseType = Type.Enum([...licenseTypes]);
const Remedy = Type.Object({
  upgrade: orNull(licenseType, "The higher license to buy. Null if `renew` is the remedy."),
  renew: orNull(licenseType, "The same license, to be bought again. Null if `upgrade` is the remedy."),
  price: Type.Number({
    description: "The price today, before discounts. With the holder's key: the difference of an upgrade.",
  }),
  currency: Type.String(),
  valid_until: orNull(
    day("The last day, in UTC."),
    "The last day of the license if it is bought today. Null if it has no end.",
  ),
});

const LicenseVerdict = Type.Object(
  {
    license_id: Type.String(),
    status: Type.Enum([...licenseStates], { description: "The status of the license today." }),
    replaced_by: orNull(
      Type.String(),
      "The license that replaced this one by an upgrade or a renewal. Send the question for that one. Null if there is none, and until its certificate is issued.",
    ),
    use: Type.String(),
    quantity: Type.Integer(),
    territory: orNull(Type.String(), "The country in the request. Null if the request has none."),
    on: day("The day that the answer is for."),
    allowed: Type.Enum([...allowances], {
      description: "Whether the license allows the use. `unknown`: the terms do not mention this use.",
    }),
    because: orNull(Because, "The reason for the answer. Null only if no clause is about such a use."),
    remedy: orNull(
      Remedy,
      "The purchase that would allow the use. Null unless the answer is no, and if no purchase would.",
    ),
  },
  { $id: "LicenseVerdict", description: "Whether a license allows a use, and why." },
);

export const LicenseVerdictResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ verdict: LicenseVerdict }),
  console: LicenseVerdict,
};
