import { searchParams, text } from "../../api/search-params.ts";

/** The code that the terminal shows. */
export const readDeviceSearch = searchParams<{ code?: string }>({ code: text(20) });
