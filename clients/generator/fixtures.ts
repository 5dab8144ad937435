import type { GeneratedFile } from "./emitter.ts";
import type { ClientInterface } from "./interface/types.ts";
import { json } from "./json.ts";

/** The recorded examples as a file of a package. */
export const fixtureFile = (path: string, { fixtures }: ClientInterface): GeneratedFile => ({
  path,
  text: json({ $comment: "Generated from contract/openapi.json by npm run contract; do not edit.", ...fixtures }),
});
