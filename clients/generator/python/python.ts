import type { Emitter, GeneratedFile } from "../emitter.ts";
import { fixtureFile } from "../fixtures.ts";
import type { ClientInterface } from "../interface/types.ts";
import { mirror } from "./mirror.ts";
import { enums, errors, events, models } from "./models.ts";
import { operations } from "./operations.ts";
import { pages } from "./pages.ts";
import { resources } from "./resources.ts";

const generated = "python/src/beatmarket/_generated/";
const synchronous = "python/src/beatmarket/_sync/";
const note = "# Generated from contract/openapi.json by npm run contract; do not edit.\n";

function files(api: ClientInterface): GeneratedFile[] {
  const methods = (folder: string, isAsync: boolean): [string, string][] => [
    [`${folder}/__init__.py`, `${note}"""The methods of the ${isAsync ? "asynchronous" : "synchronous"} client."""\n`],
    [`${folder}/pages.py`, pages(api, isAsync ? "Async" : "")],
    ...resources(api, isAsync).map(([name, text]): [string, string] => [`${folder}/${name}.py`, text]),
  ];
  const allFiles: [string, string][] = [
    ["__init__.py", `${note}"""Objects, operations and their methods, as the contract describes them."""\n`],
    ["enums.py", enums(api)],
    ["models.py", models(api)],
    ["events.py", events(api)],
    ["errors.py", errors(api)],
    ["operations.py", operations(api)],
    ...methods("_async", true),
    ...methods("_sync", false),
  ];
  return [
    ...allFiles.map(([name, text]) => ({ path: generated + name, text })),
    fixtureFile(`${generated}fixtures.json`, api),
    ...mirror().map(([name, text]) => ({ path: synchronous + name, text })),
  ];
}

/** Generates the Python client, including the synchronous client as a mirror of the asynchronous one. */
export const python: Emitter = { folders: [generated, synchronous], files };
