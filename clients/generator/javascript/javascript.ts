import type { GeneratedFile } from "../generate.ts";
import type { ClientInterface } from "../interface/types.ts";
import { models } from "./models.ts";
import { operations } from "./operations.ts";
import { resources } from "./resources.ts";

/** Every file in it is generated. */
export const javascriptFolder = "javascript/src/generated/";

const notice = "// Generated from contract/openapi.json by npm run contract; do not edit.\n\n";

/** The types, the table of operations and the methods of the JavaScript client. */
export const javascriptFiles = (api: ClientInterface): GeneratedFile[] =>
  Object.entries({ models, operations, resources }).map(([name, emit]) => ({
    path: `${javascriptFolder}${name}.ts`,
    text: `${notice}${emit(api)}`,
  }));
