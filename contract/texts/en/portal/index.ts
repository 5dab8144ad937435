import { account } from "./account.ts";
import { common } from "./common.ts";
import { library } from "./library.ts";
import { market } from "./market.ts";
import { sales } from "./sales.ts";
import { search } from "./search.ts";
import { settings } from "./settings.ts";
import { studio } from "./studio.ts";

/** The texts of the portal in English, for each area: the source of all translations. All pages have those of `common`. */
export const portal = {
  common: { ...common, ...search },
  account: { ...account, ...settings },
  market,
  library,
  studio,
  sales,
} as const;

type Areas = typeof portal;

/** A part of the portal whose pages share their texts. */
export type PortalArea = keyof Areas;

/** The texts of all areas. */
export type Portal = Areas["common"] &
  Areas["account"] &
  Areas["market"] &
  Areas["library"] &
  Areas["studio"] &
  Areas["sales"];
