import type { Emitter } from "../emitter.ts";
import { client } from "./client.ts";
import { fixtures } from "./fixtures.ts";
import { models } from "./models.ts";
import { operations } from "./operations.ts";
import { resources } from "./resources.ts";

const notice = "// Generated from contract/openapi.json by npm run contract; do not edit.\n\n";
const folder = "javascript/src/generated/";

/** The types, the table of operations, the methods and the recorded examples of the JavaScript client. */
export const javascript: Emitter = {
  folders: [folder],
  files: (api) =>
    Object.entries({ client, fixtures, models, operations, resources }).map(([name, emit]) => ({
      path: `${folder}${name}.ts`,
      text: `${notice}${emit(api)}`,
    })),
};
