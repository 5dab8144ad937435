import { account } from "./account.ts";
import { common } from "./common.ts";
import { library } from "./library.ts";
import { market } from "./market.ts";
import { sales } from "./sales.ts";
import { search } from "./search.ts";
import { settings } from "./settings.ts";
import { studio } from "./studio.ts";

/**
 * The English texts of the portal by area, from which all translations are made. All pages also have the texts of
 * `common`.
 */
export const portal = {
  common: { ...common, ...search },
  account: { ...account, ...settings },
  market,
  library,
  studio,
  sales,
} as const;

type Areas = typeof portal;

/** An area of the portal, whose pages share their texts. */
export type PortalArea = keyof Areas;

/** The texts of all areas. */
export type Portal = Areas["common"] &
  Areas["account"] &
  Areas["market"] &
  Areas["library"] &
  Areas["studio"] &
  Areas["sales"];
