import { DiskRoom } from "@beatmarket/resumable-uploads/disk-room.ts";
import { PartDrafts } from "@beatmarket/resumable-uploads/drafts.ts";
import { Tus } from "@beatmarket/resumable-uploads/tus.ts";
import { StoragePresence } from "@beatmarket/storage/presence.ts";
import { openTransfers } from "../../media/transfers.ts";
import { diskFolders, diskOf, StorageWatch } from "../../metrics/storage.ts";
import { Exports } from "../../resources/exports/exports.ts";
import { maxBytesOf } from "../../resources/uploads/upload.ts";
import { uploadOwner, uploadStore } from "../../resources/uploads/upload-store.ts";
import type { ServiceScope } from "./scope.ts";

/** Opens the services for files: uploads, exports, downloads, and the disks. */
export function openFiles({ config, database, objects, clock, logger, waits }: ServiceScope) {
  const db = database.query;
  const storagePresence = new StoragePresence({ objects, log: logger });
  const drafts = new PartDrafts(config.dataDir);
  const folders = diskFolders(config);
  const exports = new Exports({ database, dataDir: config.dataDir, publicUrl: config.publicUrl, clock, log: logger });
  waits.defer(() => exports.stop());
  /** What an account of plan standard may store. */
  const standardBytes = config.accountStorageGb * 1_000_000_000;
  const tus = new Tus({
    store: uploadStore({ db, clock, standardBytes }),
    ownerOf: uploadOwner,
    maxBytes: Math.max(...Object.values(maxBytesOf)),
    drafts,
    objects,
    clock,
    // Parts are in DATA_DIR, objects are in the storage.
    room: new DiskRoom({
      folders: [folders.data, folders.storage].filter((folder) => folder !== undefined),
      clock,
      readDisk: diskOf,
    }),
  });
  waits.defer(() => tus.stop());
  return {
    storagePresence,
    storage: new StorageWatch({ db, folders, presence: storagePresence, log: logger }),
    transfers: openTransfers(),
    drafts,
    exports,
    tus,
    standardBytes,
  };
}
