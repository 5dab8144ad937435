import type { ApiKey } from "../api/keys.ts";
import type { Mode } from "../api/mode.ts";

/** A key as lists show it, "bm_…x7Qa" or "bm_test_…x7Qa": the server stores its last characters, but not the key. */
export const maskedKey = ({ ends_with }: Pick<ApiKey, "ends_with">, mode: Mode = "live"): string =>
  `${mode === "test" ? "bm_test_" : "bm_"}…${ends_with}`;
