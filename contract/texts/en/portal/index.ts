import { common } from "./common.ts";
import { search } from "./search.ts";

/** The texts of the portal in English, for each area: the source of all translations. All pages have those of `common`. */
export const portal = { common: { ...common, ...search } } as const;

/** A part of the portal whose pages share their texts. */
export type PortalArea = keyof typeof portal;

/** The texts of all areas. */
export type Portal = (typeof portal)["common"];
