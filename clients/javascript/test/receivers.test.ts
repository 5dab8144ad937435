import { createHmac } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SignatureVerificationError, webhooks } from "beatmarket";
import express from "express";
import { expect, onTestFinished, test } from "vitest";

const secret = "whsec_cmVjZWl2ZXI=";

test.each([
  ["express.raw() returns the event", express.raw({ type: "application/json" }), 200, "evt_1"],
  [
    "express.json() gets an error that names express.raw()",
    express.json(),
    401,
    expect.stringContaining("express.raw()"),
  ],
])("a receiver with Express and %s", async (_, parser, status, text) => {
  const app = express();
  app.post("/", parser, async (request, response) => {
    try {
      const { id } = await webhooks.unwrap(request.body, request.headers, secret);
      response.send(id);
    } catch (error) {
      if (!(error instanceof SignatureVerificationError)) throw error;
      response.status(401).send(error.message);
    }
  });
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const body = JSON.stringify({ id: "evt_1", created: 1, type: "beat.purchased", data: { title: "Café 🎵 / Übung" } });
  const timestamp = Math.floor(Date.now() / 1_000);
  const mac = createHmac("sha256", Buffer.from("cmVjZWl2ZXI=", "base64")).update(`evt_1.${timestamp}.${body}`);
  const headers = {
    "content-type": "application/json",
    "webhook-id": "evt_1",
    "webhook-timestamp": `${timestamp}`,
    "webhook-signature": `v1,${mac.digest("base64")}`,
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const received = await fetch(url, { method: "POST", body, headers });
  expect([received.status, await received.text()]).toEqual([status, text]);
});
