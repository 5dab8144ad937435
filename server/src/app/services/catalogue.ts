import { CatalogueIndex } from "@beatmarket/catalogue-index/catalogue-index.ts";
import { ResponseCache } from "@beatmarket/http/cache/response-cache.ts";
import { CatalogueReads } from "../../database/catalogue/catalogue-reads.ts";
import { CatalogueVersion } from "../../database/catalogue/catalogue-version.ts";
import { Replica } from "../../database/catalogue/replica.ts";
import type { ReadServer } from "../../database/connect.ts";
import { lastMigration } from "../../database/migrations.ts";
import { BeatCatalogue } from "../../resources/beats/catalogue/beat-catalogue.ts";
import { ChangeFeed } from "../../resources/changes/feed.ts";
import type { ServiceScope } from "./scope.ts";

/** Opens what serves reads of the catalogue: its version and changes, the replica, the index, and the response cache. */
export async function openCatalogue({
  config,
  database,
  logger,
  index: indexSettings,
  waits,
  resources,
}: ServiceScope) {
  const catalogue = new CatalogueVersion();
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
      : new Replica({ url: config.databaseReplicaUrl, primary: database, version: catalogue, log: logger });
  await replica?.start();
  resources.defer(() => replica?.close());
  const index = await CatalogueIndex.open({
    address: database.address,
    session: { applicationName: "beatmarket index", lastMigration },
    catalogue,
    dataDir: config.dataDir,
    log: logger,
    ...indexSettings,
  });
  resources.defer(() => index.close());
  return {
    catalogue,
    changes,
    replica,
    reads: new CatalogueReads(database, replica),
    cache: new ResponseCache(catalogue),
    index,
    beatsOn: beatCatalogues(catalogue),
  };
}

/** The beat catalogues of the primary and the replica, by server. */
function beatCatalogues(version: CatalogueVersion): (server: ReadServer) => BeatCatalogue {
  const catalogues = new WeakMap<ReadServer, BeatCatalogue>();
  return (server) => {
    const beats = catalogues.get(server) ?? new BeatCatalogue(server, version);
    catalogues.set(server, beats);
    return beats;
  };
}
