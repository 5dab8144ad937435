import type { Emitter } from "../emitter.ts";
import { fixtureFile } from "../fixtures.ts";
import { models } from "./models.ts";
import { requests, requestTypes } from "./requests.ts";
import { services } from "./services.ts";

/**
 * The types, methods and recorded examples of the Go client. A Go package is one folder, so these files are next to the
 * hand-written ones.
 */
export const go: Emitter = {
  folders: [],
  files: (api) => [
    ...Object.entries({ models, requests, services }).map(([name, emit]) => ({
      path: `go/${name}_generated.go`,
      text: emit(api),
    })),
    fixtureFile("go/beatmarkettest/fixtures.json", api),
    { path: "../contract/snippets/go-types.json", text: requestTypes(api) },
  ],
};
