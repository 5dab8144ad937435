import { ApiError } from "@beatmarket/foundation/errors.ts";
import { memoized, preferences } from "./preferences.ts";

/** The two wire forms of every success (docs/api/conventions.md, Response forms). */
export type Form = "reference" | "console";

const consoleType = "application/vnd.beatmarket.console+json";

export const contentTypes: Record<Form, string> = {
  reference: "application/json",
  console: consoleType,
};

/** The media type of an event stream (WHATWG HTML, Server-sent events). */
export const eventStreamType = "text/event-stream";

/**
 * Chooses the form by the Accept header (docs/api/conventions.md, Choosing a form). The console form: if its media type
 * has the highest q. The reference form: for any JSON type, a wildcard or no header. Throws 406 if all JSON is
 * excluded. Among types with equal q the first wins, since generated clients list every type that they can read.
 */
export function chooseForm(accept: string | undefined): Form {
  if (accept === undefined || accept === "" || accept === "application/json" || accept === "*/*") return "reference";
  const { form } = negotiate(accept);
  if (form === null)
    throw new ApiError(
      406,
      "invalid_request",
      "Not acceptable",
      `The Accept header excludes JSON. Send Accept: application/json, or ${consoleType} for the console form.`,
    );
  return form;
}

/** The form of the lines in a file. Accept may name only the file's own media type, so this never throws 406. */
export const formOfLines = (accept = ""): Form => negotiate(accept).form ?? "reference";

/** The media type of problem details (RFC 9457). */
export const problemType = "application/problem+json";

/** Whether an Accept header names the media type of problem details. */
export const acceptsProblems = memoized((accept): boolean =>
  preferences(accept).some(({ value, q }) => value === problemType && q > 0),
);

/** Whether an event stream has the highest q in an Accept header; among equal q, whether it comes before JSON. */
export const prefersEventStream = (accept: string | undefined): boolean =>
  accept?.includes(eventStreamType) === true && negotiate(accept).isStream;

const negotiate = memoized((accept): { form: Form | null; isStream: boolean } => {
  const ranges = preferences(accept);
  const qOf = (type: string) => Math.max(0, ...ranges.filter(({ value }) => value === type).map(({ q }) => q));
  const consoleQ = qOf(consoleType);
  const streamQ = qOf(eventStreamType);
  // The most specific range decides for the reference form (RFC 9110 12.5.1), even if a wildcard has a higher q.
  const matching = ranges.map((range) => ({ ...range, specificity: specificityOf(range.value) }));
  const mostSpecific = Math.max(...matching.map(({ specificity }) => specificity));
  const referenceQ =
    mostSpecific < 0 ? 0 : Math.max(...matching.filter((each) => each.specificity === mostSpecific).map(({ q }) => q));
  const firstNamed = (...types: string[]) => ranges.find(({ value }) => types.includes(value))?.value;
  const isConsole =
    consoleQ > referenceQ ||
    (consoleQ > 0 && consoleQ === referenceQ && firstNamed(consoleType, "application/json") === consoleType);
  const jsonQ = Math.max(consoleQ, referenceQ);
  const isStream =
    streamQ > jsonQ ||
    (streamQ > 0 &&
      streamQ === jsonQ &&
      firstNamed(eventStreamType, consoleType, "application/json") === eventStreamType);
  const otherForm = referenceQ > 0 ? "reference" : null;
  return { form: isConsole ? "console" : otherForm, isStream };
});

/** How specifically a media range matches the reference form; -1 if it does not match. */
function specificityOf(range: string): number {
  if (range === consoleType) return -1;
  if (range === "application/json") return 3;
  if (range.endsWith("+json") || range.endsWith("/json")) return 2;
  if (range === "application/*") return 1;
  return range === "*/*" ? 0 : -1;
}
