import { ApiError } from "../../errors.ts";

/** The two wire forms of every answer: the documented reference form and the console's (contract 4.1). */
export type Form = "reference" | "console";

export const contentTypes: Record<Form, string> = {
  reference: "application/json; charset=utf-8",
  console: "application/vnd.beatmarket.console+json; charset=utf-8",
};

const consoleType = "application/vnd.beatmarket.console+json";
const maxRemembered = 500;
const remembered = new Map<string, Form | null>();

/**
 * Which form an Accept header asks for (DESIGN section 2, "choosing the form"): the console form only when its media
 * type is named with the highest q; any JSON type, a wildcard or no header is the reference form; 406 only when all
 * JSON is excluded. Of two that are named with the same q, the first counts.
 */
export function chooseForm(accept: string | undefined): Form {
  const form = formOf(accept);
  if (form === null)
    throw new ApiError(
      406,
      "invalid_request",
      "Not acceptable",
      `The Accept header excludes JSON. Send Accept: application/json, or ${consoleType} for the console form.`,
    );
  return form;
}

/** The same; null where it would be 406. */
export function formOf(accept: string | undefined): Form | null {
  if (accept === undefined || accept === "" || accept === "application/json" || accept === "*/*") return "reference";
  let form = remembered.get(accept);
  if (form === undefined) {
    form = negotiate(accept);
    if (remembered.size < maxRemembered && accept.length < 200) remembered.set(accept, form);
  }
  return form;
}

function negotiate(accept: string): Form | null {
  // Per media type the most specific range decides, as RFC 9110 12.5.1 has it.
  let console: number | undefined;
  let reference: number | undefined;
  let referenceRank = -1;
  let firstNamed: Form | null = null;
  for (const range of accept.split(",")) {
    const [rawType = "", ...parameters] = range.split(";");
    const type = rawType.trim().toLowerCase();
    const qText = parameters.map((parameter) => parameter.trim().toLowerCase()).find((text) => text.startsWith("q="));
    const q = qText === undefined ? 1 : Number(qText.slice(2));
    if (!(q >= 0 && q <= 1)) continue;
    if (type === consoleType) {
      console = Math.max(console ?? 0, q);
      firstNamed ??= "console";
      continue;
    }
    const rank =
      type === "application/json"
        ? 3
        : type.endsWith("+json") || type.endsWith("/json")
          ? 2
          : type === "application/*"
            ? 1
            : type === "*/*"
              ? 0
              : -1;
    if (rank < 0) continue;
    if (rank === 3) firstNamed ??= "reference";
    if (rank > referenceRank) {
      referenceRank = rank;
      reference = q;
    } else if (rank === referenceRank) {
      reference = Math.max(reference ?? 0, q);
    }
  }
  const consoleQ = console ?? 0;
  const referenceQ = reference ?? 0;
  // Where both are named with one q, the caller's order decides: generated clients list every type they can read.
  const tie = consoleQ === referenceQ && firstNamed === "reference";
  if (consoleQ > 0 && consoleQ >= referenceQ && !tie) return "console";
  if (referenceQ > 0) return "reference";
  return null;
}
