import { conflict } from "@beatmarket/foundation/errors.ts";
import type { Account } from "../../access/account.ts";

/** 409 for the demo's account, which everyone shares: nobody may lock the others out, or see where they are. */
export function requireOwnAccount({ email }: Account, demoEmail: string | null): void {
  if (email === demoEmail)
    throw conflict("Everyone who tries this server shares the demo account. Create an account of your own for this.");
}
