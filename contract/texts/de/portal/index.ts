import { account } from "./account.ts";
import { common } from "./common.ts";
import { library } from "./library.ts";
import { market } from "./market.ts";
import { sales } from "./sales.ts";
import { search } from "./search.ts";
import { settings } from "./settings.ts";
import { studio } from "./studio.ts";

export const portal = {
  common: { ...common, ...search },
  account: { ...account, ...settings },
  market,
  library,
  studio,
  sales,
} as const;
