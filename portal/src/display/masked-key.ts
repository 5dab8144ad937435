import type { ApiKey } from "../api/keys.ts";

/** A key as lists show it, "bm_…x7Qa": the server keeps only its last characters. */
export const maskedKey = ({ ends_with }: Pick<ApiKey, "ends_with">): string => `bm_…${ends_with}`;
