import type { PlaceSettings } from "@beatmarket/storage/places.ts";

export interface BackupSettings {
  /** Null: the server makes no backups. */
  vault: PlaceSettings | null;
  /** Encrypts the contents of the vault; if undefined, they are not encrypted. */
  key: string | undefined;
  /** The key before `key`. It opens the vault until the data keys are sealed under `key`. */
  keyPrevious: string | undefined;
  /** Any moment of this many days can be restored. */
  keepDays: number;
}
