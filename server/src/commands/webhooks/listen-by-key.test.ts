import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { programEnv, startProgram } from "@beatmarket/postgres/testing/processes.ts";
import { bodySignature } from "@beatmarket/webhooks/signature.ts";
import { afterAll, describe, expect, test } from "vitest";
import { listeningApi } from "../../../test/harness/listening-api.ts";
import { emitEvents } from "../../resources/webhooks/outbox.ts";

// The command runs as a separate program, which has a key but no database.

const { api, origin, caFile } = await listeningApi();
const key = await api.makeKey({ permissions: ["events:read"] });
const received: { body: Buffer; signature: string }[] = [];
const receiver = createServer(async (request, response) => {
  received.push({ body: await buffer(request), signature: String(request.headers["x-webhook-signature"]) });
  response.end();
});
receiver.listen(0, "127.0.0.1");
await once(receiver, "listening");
afterAll(() => receiver.close());
const forward = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

const emit = (data: object) =>
  emitEvents(api.database.query, [{ type: "user.updated", data, at: new Date(), audience: "everyone" }]);
const listen = (env: Record<string, string>, server = origin) =>
  startProgram(
    process.execPath,
    [
      join(import.meta.dirname, "../../main.ts"),
      "webhooks",
      "listen",
      "--server",
      server,
      "--forward",
      forward,
      "--json",
    ],
    { env: { ...programEnv, ...env } },
  );

describe("webhooks listen --server", () => {
  test("forwards events from now on, signed with the printed secret, byte for byte", async () => {
    await emit({ name: "before" });
    const program = listen({ BEATMARKET_API_KEY: key, BEATMARKET_CA_FILE: caFile });
    const { secret } = JSON.parse(await program.nextLine());
    await emit({ name: "後", price: 29.9 });
    expect(JSON.parse(await program.nextLine())).toMatchObject({ type: "user.updated", status: 200, error: null });
    const [stored] = await api.database.driver`select payload from events order by created_at desc, id desc limit 1`;
    expect(received.map(({ body }) => body.toString())).toEqual([stored?.payload]);
    expect(received.map(({ body, signature }) => signature === bodySignature(body, secret))).toEqual([true]);
    program.child.kill("SIGINT");
    expect(await program.ended).toMatchObject({ code: 0 });
  });

  test.each([
    [{ BEATMARKET_CA_FILE: caFile }, "needs an API key with events:read"],
    [{ BEATMARKET_API_KEY: "bm_wrong", BEATMARKET_CA_FILE: caFile }, "refuses the key's events (401)"],
    [{ BEATMARKET_API_KEY: key }, "Name the file of its certificate authority with --ca"],
    [{ BEATMARKET_API_KEY: key, BEATMARKET_CA_FILE: "/nowhere.pem" }, "/nowhere.pem, which cannot be read"],
  ])("%j ends with a sentence that names the remedy", async (env, sentence) => {
    const { code, stderr } = await listen(env as Record<string, string>).ended;
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
  });
});
