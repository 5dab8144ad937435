import type { PlaceSettings } from "@beatmarket/storage/places.ts";

export interface BackupSettings {
  /** Null if the server makes no backups. */
  vault: PlaceSettings | null;
  /** Encrypts the contents of the vault; undefined for a vault without encryption. */
  key: string | undefined;
  /** The previous key. It opens the data keys until they are sealed under `key`. */
  keyPrevious: string | undefined;
  /** Any moment of this many days can be restored. */
  keepDays: number;
}
