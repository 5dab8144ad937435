import { OperatorError } from "@beatmarket/foundation/errors.ts";
import Type, { type Static } from "typebox";
import Value from "typebox/value";
import { type Clause, clauses } from "../../beats/licensing/clauses.ts";
import { type LicenseType, licenseTypes } from "../../beats/licensing/licenses.ts";
import { findLimitProblem, highestLimit, limitsOf, type TypeBounds } from "../../beats/licensing/limits.ts";
import { builtInPhrases } from "./built-in.ts";
import type { TermsLimits } from "./limits.ts";

const closed = { additionalProperties: false };
const limit = Type.Union([Type.Integer({ minimum: 0, maximum: highestLimit }), Type.Null()]);
const clause = Type.Union([limit, Type.Object({ standard: limit, lowest: limit, highest: limit }, closed)]);
const phrase = Type.Object(
  {
    none: Type.Optional(Type.String()),
    one: Type.Optional(Type.String()),
    limited: Type.String(),
    unlimited: Type.String(),
  },
  closed,
);
const ofEach = <Schema extends typeof clause | typeof phrase>(schema: Schema) =>
  Type.Object(Object.fromEntries(clauses.map((name) => [name, schema])) as Record<Clause, Schema>, closed);

const LimitsFile = Type.Object(
  {
    basic: ofEach(clause),
    premium: ofEach(clause),
    unlimited: ofEach(clause),
    exclusive: ofEach(clause),
    phrases: Type.Optional(ofEach(phrase)),
  },
  closed,
);

/**
 * Reads `limits.json` (docs/licenses.md, Limits of your own). Throws an OperatorError that names the mistake, also if a
 * higher license allows less than a lower one.
 */
export function readLimits(file: string, text: string): Record<LicenseType, TermsLimits> {
  const json = parsed(file, text);
  if (!Value.Check(LimitsFile, json)) {
    const [first] = Value.Errors(LimitsFile, json);
    throw new OperatorError(
      `${file} is wrong at ${first?.instancePath || "/"}: ${first?.message ?? "not as described"}. Each license takes ${clauses.join(", ")}: a number, null for any number, or {"standard", "lowest", "highest"}.`,
    );
  }
  const phrases = json.phrases ?? builtInPhrases;
  const of = (type: LicenseType): TermsLimits => ({ bounds: boundsIn(json[type]), phrases });
  const limits = { basic: of("basic"), premium: of("premium"), unlimited: of("unlimited"), exclusive: of("exclusive") };
  for (const type of licenseTypes)
    for (const name of clauses) {
      const { standard } = limits[type].bounds[name];
      if (limitsOf(limits[type].bounds)[name] !== standard)
        throw new OperatorError(
          `${file}: the standard of ${type}.${name} is not between its lowest and highest number.`,
        );
    }
  const { basic, premium, unlimited, exclusive } = limits;
  const bounds = {
    basic: basic.bounds,
    premium: premium.bounds,
    unlimited: unlimited.bounds,
    exclusive: exclusive.bounds,
  };
  const problem = findLimitProblem(bounds, { unsold_licenses: [], license_limits: {} });
  if (problem !== undefined) throw new OperatorError(`${file}: ${problem.type} ${problem.problem}.`);
  return limits;
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new OperatorError(`${file} is not valid JSON: ${(error as Error).message}.`);
  }
}

const boundsIn = (bounds: Static<typeof LimitsFile>[LicenseType]): TypeBounds =>
  Object.fromEntries(
    clauses.map((name) => {
      const value = bounds[name];
      return [
        name,
        typeof value === "object" && value !== null ? value : { standard: value, lowest: value, highest: value },
      ];
    }),
  ) as unknown as TypeBounds;
