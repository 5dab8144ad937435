import type { Queryable } from "@beatmarket/postgres/connection/connect.ts";

/** Where a sealed secret is stored. */
export interface Place {
  /** The table and the column: `table.column`. */
  column: string;
  /** The row's id. */
  id: number | string;
}

/** Encrypts the secrets of endpoints for the database. */
export interface SecretBox {
  seal(transaction: Queryable, place: Place, text: string): Promise<string>;
  /**
   * Throws an OperatorError for a text that was sealed for another place, or with a key that the process does not have.
   */
  open(sealed: string, place: Place): string;
}
