import { FolderFiles } from "./folder-files.ts";
import { ObjectStorage } from "./object-storage.ts";

/** Objects as files of a folder. */
export class FolderStorage extends ObjectStorage {
  /** `root` is an absolute path; the folder is created when needed. */
  constructor(root: string) {
    super(new FolderFiles(root, "STORAGE_URL"));
  }
}
