import { StoragePresence } from "@beatmarket/storage/presence.ts";
import { openTransfers } from "../../media/transfers.ts";
import { diskFolders, StorageWatch } from "../../metrics/storage.ts";
import { Exports } from "../../resources/exports/exports.ts";
import { DiskRoom } from "../../resources/uploads/receiving/disk-room.ts";
import { PartDrafts } from "../../resources/uploads/receiving/drafts.ts";
import { Tus } from "../../resources/uploads/tus/tus.ts";
import type { ServiceScope } from "./scope.ts";

/** Opens the services for files: uploads, exports, downloads, and the disks. */
export function openFiles({ config, database, objects, clock, logger, waits }: ServiceScope) {
  const db = database.query;
  const storagePresence = new StoragePresence({ objects, log: logger });
  const drafts = new PartDrafts(config.dataDir);
  const folders = diskFolders(config);
  const exports = new Exports({ database, dataDir: config.dataDir, publicUrl: config.publicUrl, clock, log: logger });
  waits.defer(() => exports.stop());
  const tus = new Tus({
    db,
    drafts,
    objects,
    clock,
    // Parts are in DATA_DIR, objects are in the storage.
    room: new DiskRoom({ folders: [folders.data, folders.storage].filter((folder) => folder !== undefined), clock }),
    standardBytes: config.accountStorageGb * 1_000_000_000,
  });
  waits.defer(() => tus.stop());
  return {
    storagePresence,
    storage: new StorageWatch({ db, folders, presence: storagePresence, log: logger }),
    transfers: openTransfers(),
    drafts,
    exports,
    tus,
  };
}
