import type { PlaceSettings } from "@beatmarket/storage/places.ts";

export interface BackupSettings {
  /** Null: the server makes no backups. */
  vault: PlaceSettings | null;
  /** Encrypts what goes into the vault; undefined leaves it readable. */
  key: string | undefined;
  /** The key before `key`, which opens the vault until it is sealed under `key`. */
  keyPrevious: string | undefined;
  /** Any moment of so many days comes back. */
  keepDays: number;
}
