import { afterTestFile } from "@beatmarket/foundation/testing/clean-up.ts";
import { makeScryptCheap } from "./cheap-scrypt.ts";

let isCheap = false;

/** Until the end of the test file, hashing a password costs a thousandth of the normal time. */
export function hashPasswordsCheaply(): void {
  if (isCheap) return;
  isCheap = true;
  const restore = makeScryptCheap();
  afterTestFile(() => {
    isCheap = false;
    restore();
  });
}
