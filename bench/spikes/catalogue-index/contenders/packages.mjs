import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** Imports a package that the runner has installed outside the checkout. */
export const importInstalled = (folder, name) =>
  import(pathToFileURL(createRequire(join(folder, "packages/package.json")).resolve(name)).href);
