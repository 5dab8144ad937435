import type { ClientInterface } from "../interface/types.ts";
import { json } from "../json.ts";

/** The recorded examples as a module: not every version of Node that the client supports imports JSON. */
export const fixtures = ({ fixtures: { responses, events } }: ClientInterface): string =>
  `/** The operations with a recorded response. */
export type RecordedOperation =
${Object.keys(responses)
  .map((operation) => `  | "${operation}"`)
  .join("\n")};

/** The body of a successful response. */
export interface RecordedResponse {
  status: "success";
  data: Record<string, unknown>;
}

export const responses: Readonly<Record<RecordedOperation, RecordedResponse>> = ${literal(responses)};

/** The body of a delivery, by the type of its event. */
export const events: Readonly<Record<string, object>> = ${literal(events)};
`;

/**
 * JSON as the formatter writes it in a program: without quotes around names that need none, with last commas, and with
 * a long text below a name of five or more characters.
 */
const literal = (value: object): string =>
  json(value)
    .trimEnd()
    .replace(/^( +)"([A-Za-z_]\w*)":/gm, "$1$2:")
    .replace(/(["\d\]}el])\n(?= *[\]}])/g, "$1,\n")
    .replace(/^(?=.{121})( +)(\w{5,}:) (".*)$/gm, "$1$2\n$1  $3");
