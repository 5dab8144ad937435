import { CatalogueIndex } from "@beatmarket/catalogue-index/catalogue-index.ts";
import type { CatalogueOpenSearchParts } from "@beatmarket/catalogue-opensearch/catalogue-opensearch.ts";
import { ResponseCache } from "@beatmarket/http/cache/response-cache.ts";
import { Replica } from "@beatmarket/postgres/connection/replica.ts";
import type { PlaceSettings } from "@beatmarket/storage/places.ts";
import { CatalogueReads, CatalogueVersion } from "../../database/catalogue/catalogue-version.ts";
import { lastMigration, type ReadServer, replicaSession } from "../../database/connect.ts";
import { BeatCatalogue } from "../../resources/beats/catalogue/beat-catalogue.ts";
import { ChangeFeed } from "../../resources/changes/routes.ts";
import type { ServiceScope } from "./scope.ts";

/**
 * Opens the parts that serve reads of the catalogue: version and changes, the replica, the index, and the response
 * cache.
 */
export async function openCatalogue({
  config,
  database,
  logger,
  objects,
  sandbox,
  index: indexSettings,
  indexThread: earlyThread,
  threads,
  waits,
  resources,
}: ServiceScope) {
  const catalogue = new CatalogueVersion(threads?.memory.version);
  const unfollow = await catalogue.follow(database.listener, () =>
    logger.warn("the connection for change notices is lost; nothing is cached until it is back"),
  );
  resources.defer(unfollow);
  const changes = await ChangeFeed.follow(database.query, catalogue, (error) =>
    logger.warn({ err: error }, "the newest change of the catalogue could not be read; waiting for the next notice"),
  );
  waits.defer(() => changes.stop());
  const replica =
    config.databaseReplicaUrl === undefined
      ? null
      : new Replica({
          url: config.databaseReplicaUrl,
          session: replicaSession,
          primary: database,
          version: catalogue,
          log: logger,
        });
  await replica?.start();
  resources.defer(() => replica?.close());
  const parts = {
    address: database.address,
    session: { applicationName: "beatmarket index", lastMigration },
    catalogue,
    log: logger,
    ...indexSettings,
  };
  const { catalogueEngine: engine, dataDir } = config;
  const sharedFiles = sandbox === undefined && isShared(config.storage) ? objects.files : null;
  const index =
    engine === null
      ? await CatalogueIndex.open({ ...parts, dataDir, sharedFiles, earlyThread })
      : await openSearch({ ...parts, engine });
  resources.defer(() => index.close());
  return {
    catalogue,
    changes,
    replica,
    reads: new CatalogueReads(database, replica),
    cache: new ResponseCache(catalogue, threads?.memory.threads),
    index,
    beatsOn: beatCatalogues(catalogue),
  };
}

/** Whether other instances may use this storage, too: true unless the storage is a folder in DATA_DIR. */
const isShared = (storage: PlaceSettings): boolean => !("folder" in storage) || storage.isNamed;

/** Loads the client of OpenSearch only if it is used. */
async function openSearch(parts: CatalogueOpenSearchParts) {
  const { CatalogueOpenSearch } = await import("@beatmarket/catalogue-opensearch/catalogue-opensearch.ts");
  return CatalogueOpenSearch.open(parts);
}

/** The beat catalogues of the primary and the replica, by server. */
export function beatCatalogues(version: CatalogueVersion): (server: ReadServer) => BeatCatalogue {
  const catalogues = new WeakMap<ReadServer, BeatCatalogue>();
  return (server) => {
    const beats = catalogues.get(server) ?? new BeatCatalogue(server, version);
    catalogues.set(server, beats);
    return beats;
  };
}
