import { expect, test } from "vitest";
import { keyVariable } from "./key-variable.ts";

test.each([
  ["Website", "WEBSITE_API_KEY"],
  ["My shop: staging", "MY_SHOP_STAGING_API_KEY"],
  ["Café Zürich", "CAFE_ZURICH_API_KEY"],
  ["CLI key", "CLI_API_KEY"],
  ["API key", "BEATMARKET_API_KEY"],
  ["2nd app", "ND_APP_API_KEY"],
  ["<img src=x onerror=alert(1)>", "IMG_SRC_X_ONERROR_ALERT_API_KEY"],
  ["Nightly import of our whole catalogue", "NIGHTLY_IMPORT_OF_OUR_API_KEY"],
  ["새벽", "BEATMARKET_API_KEY"],
  ["‮gnihtyna", "GNIHTYNA_API_KEY"],
  ["x".repeat(500), `${"X".repeat(24)}_API_KEY`],
])("the variable of a key named %j is %s", (name, variable) => {
  expect(keyVariable(name)).toBe(variable);
  expect(variable).toMatch(/^[A-Z_][A-Z0-9_]*$/);
});
