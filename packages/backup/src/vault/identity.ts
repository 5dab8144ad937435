import { OperatorError } from "@beatmarket/foundation/errors.ts";
import type { BackupKey } from "./backup-key.ts";

/**
 * The owner of a vault: an embedded cluster by its system identifier, or an external database by the identity of its
 * storage.
 */
export interface Source {
  kind: "cluster" | "storage";
  id: string;
}

/** The content of `vault.json`, which identifies a vault. */
export interface Identity {
  /** Releases with format 1 did not bind data keys to the vault. The next claim changes the format to 2. */
  format: 1 | 2;
  /** The vault's id; absent in format 1 until the next claim. */
  id?: string;
  source: Source;
  /**
   * The id of the operator's key that seals the data keys; null if the vault is neither encrypted nor authenticated.
   */
  key_id: string | null;
  /** The authentication code of the other fields, made with that key. Absent without a key, and in format 1. */
  mac?: string;
}

export const identityName = "vault.json";

const fieldsOf = ({ format, id = "", source, key_id }: Identity): string =>
  JSON.stringify([format, id, source.kind, source.id, key_id]);

/** Adds the authentication code. */
export const authenticated = (identity: Identity, key: BackupKey | null): Identity =>
  key === null ? identity : { ...identity, mac: key.authenticate(fieldsOf(identity)) };

/** Whether the authentication code is right. Format 1 has no code. */
export const isAuthentic = (identity: Identity, key: BackupKey): boolean =>
  identity.format === 1 || identity.mac === key.authenticate(fieldsOf(identity));

/** Null if the text is damaged. Throws an OperatorError for the format of a newer release. */
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
