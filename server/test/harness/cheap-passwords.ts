import { afterTestFile } from "@beatmarket/foundation/testing/clean-up.ts";
import { makeScryptCheap } from "./cheap-scrypt.ts";

let isCheap = false;

/** Until the end of the test file, a password is hashed at a thousandth of the full cost. */
export function hashPasswordsCheaply(): void {
  if (isCheap) return;
  isCheap = true;
  const restore = makeScryptCheap();
  afterTestFile(() => {
    isCheap = false;
    restore();
  });
}
