import { beat } from "./beat.ts";
import { buying } from "./buying.ts";
import { failures } from "./failures.ts";
import { frame } from "./frame.ts";
import { home } from "./home.ts";
import { scripts } from "./scripts.ts";
import { shop } from "./shop.ts";
import { site } from "./site.ts";

/** The texts of pages in English: the source of all translations. */
export const en = { ...frame, ...home, ...beat, ...shop, ...site, ...failures, ...buying, ...scripts } as const;

export type English = typeof en;
