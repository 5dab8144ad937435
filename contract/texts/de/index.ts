import { beat } from "./beat.ts";
import { buying } from "./buying.ts";
import { failures } from "./failures.ts";
import { frame } from "./frame.ts";
import { home } from "./home.ts";
import { scripts } from "./scripts.ts";
import { shop } from "./shop.ts";
import { site } from "./site.ts";

export const de = { ...frame, ...home, ...beat, ...shop, ...site, ...failures, ...buying, ...scripts } as const;
