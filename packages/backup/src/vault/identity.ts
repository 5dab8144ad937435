import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { BackupKey } from "./backup-key.ts";

/** What a vault belongs to: an embedded cluster by its system identifier, or the files of an external database by its storage. */
export interface Source {
  kind: "cluster" | "storage";
  id: string;
}

/** `vault.json`, by which a vault is recognized. */
export interface Identity {
  /** 1: made by a release that bound no data key to its vault; the next claim makes it 2. */
  format: 1 | 2;
  /** Of this vault; absent in one of format 1 that was not claimed since. */
  id?: string;
  source: Source;
  /** The operator's key that seals the data keys. Null: readable to all who read the vault, and authenticated by no one. */
  key_id: string | null;
  /** Over the rest, by that key. Absent without one, and in format 1. */
  mac?: string;
}

export const identityName = "vault.json";

const fieldsOf = ({ format, id = "", source, key_id }: Identity): string =>
  JSON.stringify([format, id, source.kind, source.id, key_id]);

/** With the code that only a holder of the key can make. */
export const authenticated = (identity: Identity, key: BackupKey | null): Identity =>
  key === null ? identity : { ...identity, mac: key.authenticate(fieldsOf(identity)) };

/** Whether a holder of the key wrote it. Format 1 is older than the code. */
export const isAuthentic = (identity: Identity, key: BackupKey): boolean =>
  identity.format === 1 || identity.mac === key.authenticate(fieldsOf(identity));

/** Null when it is damaged. Throws an OperatorError for one of a newer release. */
export function parseIdentity(text: string, place: string): Identity | null {
  let identity: Identity;
  try {
    identity = JSON.parse(text) as Identity;
  } catch {
    return null;
  }
  if (typeof identity?.format !== "number") return null;
  if (identity.format > 2) throw new OperatorError(`The vault in ${place} was made by a newer release. Use that one.`);
  return typeof identity.source?.kind === "string" && typeof identity.source.id === "string" ? identity : null;
}
