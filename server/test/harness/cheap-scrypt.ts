import crypto, { type ScryptOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

type ScryptCallback = (error: Error | null, key: Buffer) => void;

/** The memory of a hash at the full cost (packages/authentication/src/password-hashing.ts), in bytes: 128 * N * r. */
const leastBytes = 32 * 1024 * 1024;

/**
 * Makes hashing passwords in this process cost a thousandth of the normal 80 ms of processor time. Throws if the code
 * under test asks for less than the full cost. Returns a function that restores the normal cost.
 */
export function makeScryptCheap(): () => void {
  const { scrypt } = crypto;
  const cheap = (password: string, salt: string, length: number, options: ScryptOptions, callback: ScryptCallback) => {
    const { N = 0, r = 0 } = options;
    if (128 * N * r < leastBytes)
      throw new Error(`A password is hashed with N = ${N} and r = ${r}, which is too cheap.`);
    scrypt(password, salt, length, { ...options, N: N / 1024 }, callback);
  };
  replaceScrypt(cheap as typeof scrypt);
  return () => replaceScrypt(scrypt);
}

/** This also replaces the function for modules that import it by name. */
function replaceScrypt(implementation: typeof crypto.scrypt): void {
  crypto.scrypt = implementation;
  syncBuiltinESMExports();
}
