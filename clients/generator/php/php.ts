import type { Emitter } from "../emitter.ts";
import { methodFiles } from "./methods.ts";
import { modelFiles } from "./models.ts";
import { valueFiles } from "./values.ts";

/** Models, pages, constants of values, the table of operations, and a trait of methods for each resource. */
export const php: Emitter = {
  folders: ["php/src/Generated/", "php/src/Model/", "php/src/Page/", "php/src/Value/"],
  files: (api) => [...modelFiles(api), ...valueFiles(api), ...methodFiles(api)],
};
