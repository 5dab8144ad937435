import { readFile } from "node:fs/promises";
import { onFirstUse } from "@beatmarket/foundation/first-use.ts";
import { Representation } from "@beatmarket/http/negotiation/representation.ts";
import type { JsonObject } from "@beatmarket/http/openapi/schemas.ts";
import { openRoute } from "@beatmarket/http/pipeline/open-route.ts";
import type { Route } from "@beatmarket/http/pipeline/route.ts";
import { type ApiVersion, firstVersion, readVersion, versions } from "../access/versions.ts";
import type { RecordedExamples } from "./document.ts";

/**
 * The recorded examples of a version: the first version's examples, with the changes of the versions up to this one.
 */
export async function examplesOf(version: ApiVersion, first: RecordedExamples): Promise<RecordedExamples> {
  const changed = await Promise.all(
    versions
      .filter(({ date }) => date > firstVersion.date && date <= version.date)
      .map(async ({ date }) => {
        const file = new URL(`../../../contract/versions/${date}.json`, import.meta.url);
        return JSON.parse(await readFile(file, "utf8")) as Pick<RecordedExamples, "operations" | "events">;
      }),
  );
  return {
    ...first,
    operations: Object.assign({}, first.operations, ...changed.map(({ operations }) => operations)),
    events: Object.assign({}, first.events, ...changed.map(({ events }) => events)),
  };
}

/**
 * The document of each version. A document is built on the first request, because that takes longer than the start of
 * all other routes.
 */
export class ServedDocuments {
  readonly #documents: ReadonlyMap<string, () => Promise<JsonObject>>;
  readonly #texts: ReadonlyMap<string, () => Promise<Representation>>;

  constructor(first: RecordedExamples, build: (examples: RecordedExamples, version: ApiVersion) => JsonObject) {
    this.#documents = new Map(
      versions.map((version) => [
        version.date,
        onFirstUse(async () => build(await examplesOf(version, first), version)),
      ]),
    );
    this.#texts = new Map(
      versions.map(({ date }) => [
        date,
        onFirstUse(async () => new Representation(JSON.stringify(await this.#read(date)), "application/json")),
      ]),
    );
  }

  /** The document of the first version, which the reference shows. */
  readonly first = (): Promise<JsonObject> => this.#read(firstVersion.date);

  /** The route of the document of the first version, or of `?version=`. An unknown version is 400. */
  route(address: string): Route {
    return openRoute(
      address,
      async ({ query }) => {
        const requestedVersion = new URLSearchParams(query).get("version");
        const { date } =
          requestedVersion === null ? firstVersion : readVersion(requestedVersion, "The version parameter", "version");
        return (this.#texts.get(date) as () => Promise<Representation>)();
      },
      { headers: { "cache-control": "no-cache", vary: "Accept-Encoding" } },
    );
  }

  #read(date: string): Promise<JsonObject> {
    return (this.#documents.get(date) as () => Promise<JsonObject>)();
  }
}
