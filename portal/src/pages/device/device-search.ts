import { searchParams, text } from "../../api/search-params.ts";

/** Reads the code, which the terminal shows. */
export const readDeviceSearch = searchParams<{ code?: string }>({ code: text(20) });
