import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Deliveries, Delivery } from "../runner/deliveries.ts";
import { Actor, expectFailure, expectSuccess, type Scenario } from "./scenario.ts";

interface Vector {
  name: string;
  body_base64: string;
  secrets: string[];
  header: string | null;
  expect: string;
}

const vectors = JSON.parse(
  await readFile(new URL("../../../contract/vectors/client-signature-vectors.json", import.meta.url), "utf8"),
) as Vector[];

/** A tolerance that suffices for the deliveries, which arrived before the scenarios began. */
const dayInSeconds = 86_400;
const otherSecret = `whsec_${Buffer.from("another").toString("base64")}`;

/** The shared signature vectors, and deliveries of the running server. */
export const signatures = (
  { deliveries, secret, newSecret, rotated }: Deliveries,
  types: readonly string[],
): Scenario[] => [
  {
    name: `${vectors.length} signature vectors`,
    run: async (bed) => {
      assert.equal(vectors.length, 27);
      const actor = new Actor(bed, "vectors");
      for (const { name, expect, ...args } of vectors)
        assert.equal((await actor.do("verify", args)).verdict, expect, name);
    },
  },
  {
    name: "deliveries of the server",
    run: async (bed) => {
      const actor = new Actor(bed, "deliveries");
      assert.deepEqual(deliveries.map(({ event }) => event.type).sort(), [...types].sort());
      for (const { body, headers, event } of deliveries) {
        const body_base64 = body.toString("base64");
        for (const tolerance_seconds of [dayInSeconds, null]) {
          const args = { body_base64, headers, secrets: [secret], tolerance_seconds };
          assert.deepEqual(expectSuccess(await actor.do("unwrap", args)).value, event);
        }
        const changedBody = Buffer.concat([body, Buffer.from(" ")]).toString("base64");
        for (const args of [
          { body_base64: changedBody, headers, secrets: [secret] },
          { body_base64, headers, secrets: [otherSecret] },
          { body_base64, headers: {}, secrets: [secret] },
        ])
          for (const tolerance_seconds of [dayInSeconds, null])
            expectFailure(await actor.do("unwrap", { ...args, tolerance_seconds }), "SignatureVerificationError");
        expectFailure(await actor.do("unwrap", { body_base64, headers, secrets: [] }), "BeatMarketError");
      }
      // During a rotation, a receiver with either secret accepts the delivery.
      const [{ body, headers, event }] = rotated as [Delivery];
      assert.ok(headers["x-webhook-signature-previous"]);
      const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
      for (const secrets of [[secret], [newSecret], [otherSecret, secret]])
        for (const each of [headers, upper]) {
          for (const tolerance_seconds of [dayInSeconds, null]) {
            const args = { body_base64: body.toString("base64"), headers: each, secrets, tolerance_seconds };
            assert.deepEqual(expectSuccess(await actor.do("unwrap", args)).value, event);
          }
        }
    },
  },
];
