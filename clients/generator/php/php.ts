import type { Emitter } from "../emitter.ts";
import { fixtureFile } from "../fixtures.ts";
import { webhooksFile } from "./composed.ts";
import { exceptionFiles } from "./exceptions.ts";
import { methodFiles } from "./methods.ts";
import { modelFiles } from "./models.ts";
import { recordFiles } from "./records.ts";
import { valueFiles } from "./values.ts";

/**
 * Generates models, pages, records, enumerations, fixtures, exceptions, the table of operations, the methods of the
 * client, and classes for the resources and for webhooks.
 */
export const php: Emitter = {
  folders: [
    ...["php/src/Exception/", "php/src/Generated/", "php/src/Model/", "php/src/Page/"],
    ...["php/src/Resource/", "php/src/Value/"],
  ],
  files: (api) => [
    ...modelFiles(api),
    ...recordFiles(),
    ...valueFiles(api),
    ...exceptionFiles(),
    ...methodFiles(api),
    webhooksFile(),
    fixtureFile("php/src/Generated/fixtures.json", api),
  ],
};
