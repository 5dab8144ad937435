import crypto, { type ScryptOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { afterTestFile } from "@beatmarket/foundation/testing/clean-up.ts";

type Done = (error: Error | null, key: Buffer) => void;

const scrypt = crypto.scrypt;
/** The minimum of OWASP's Password Storage Cheat Sheet for r = 16, in bytes of memory: 128 * N * r. */
const leastBytes = 32 * 1024 * 1024;
let isCheap = false;

/**
 * Until the end of the test file, a password is hashed at a thousandth of the full cost, which is 80 ms of processor
 * time. Throws where the code under test asks for less than the full cost.
 */
export function hashPasswordsCheaply(): void {
  if (isCheap) return;
  isCheap = true;
  replaceScrypt(((password: string, salt: string, length: number, options: ScryptOptions, done: Done) => {
    const { N = 0, r = 0 } = options;
    if (128 * N * r < leastBytes)
      throw new Error(`A password is hashed with N = ${N} and r = ${r}, which is too cheap.`);
    scrypt(password, salt, length, { ...options, N: N / 1024 }, done);
  }) as typeof scrypt);
  afterTestFile(() => {
    isCheap = false;
    replaceScrypt(scrypt);
  });
}

/** Also replaces it for modules that import it by name. */
function replaceScrypt(implementation: typeof scrypt): void {
  crypto.scrypt = implementation;
  syncBuiltinESMExports();
}
