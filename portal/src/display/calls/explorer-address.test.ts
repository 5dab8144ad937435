import { expect, test } from "vitest";
import { explorerAddress } from "./explorer-address.ts";

test("the explorer's address of a call names the operation and every set parameter", () => {
  const call = { operationId: "listSimilarBeats", parameters: { beat_id: 17 }, query: { limit: 5, after: undefined } };
  expect(explorerAddress(call)).toEqual({ operation: "listSimilarBeats", beat_id: "17", limit: "5" });
});
