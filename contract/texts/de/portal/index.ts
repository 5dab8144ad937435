import { common } from "./common.ts";
import { search } from "./search.ts";

export const portal = { common: { ...common, ...search } } as const;
