import { makeDocsIndex } from "@beatmarket/docs-search/docs-index.ts";
import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { describe, expect, test } from "vitest";
import { testApi } from "../../test/harness/api.ts";
import { insertBeats } from "../../test/harness/database/catalogue.ts";
import { agentOf, former, modern } from "../../test/harness/mcp.ts";
import { permissions } from "../access/roles.ts";
import { createKey } from "../resources/api-keys/queries.ts";
import { docs } from "./tools/docs.ts";

const clock = new FakeClock();
const api = await testApi({ clock });
const long = "A very long title of a beat, as people write them ".repeat(4);
const ids = await insertBeats(
  api.database,
  Array.from({ length: 20 }, (_, index) => ({
    title: index === 0 ? "Night Bus" : long,
    tempo: 140 + (index % 3),
    key: "A minor",
    priceCents: 2_990,
    producer: `Producer ${index % 4}`,
  })),
);
const [first = 0] = ids;
const agent = agentOf(api);

describe.each([modern, former] as const)("the protocol of %s", (revision) => {
  const client = agentOf(api, { revision });

  test("lists seven tools in at most 6 kB", async () => {
    const response = await client.send("tools/list");
    expect(response.statusCode).toBe(200);
    const { tools } = client.resultOf(response) as unknown as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual([
      ...["find_beats", "get_beat", "similar_beats", "quote", "buy", "check_license", "docs"],
    ]);
    expect(Buffer.byteLength(response.body)).toBeLessThanOrEqual(6_000);
  });

  test("answers a call", async () => {
    expect(await client.ask("find_beats", { query: "night bus" })).toMatchObject({ beats: [{ id: first, bpm: 140 }] });
  });
});

describe("an answer", () => {
  test.each([
    ["find_beats", { limit: 10 }],
    ["similar_beats", { beat_id: first, limit: 10 }],
    ["get_beat", { beat_id: ids[1] }],
    ["quote", { beat_id: ids[1] }],
  ])("of %s has at most 2 kB, even with long names", async (name, args) => {
    const { content, isError } = await agent.call(name, args);
    expect(isError).toBeUndefined();
    expect(Buffer.byteLength(content?.[0]?.text ?? "")).toBeLessThanOrEqual(2_000);
  });

  test("of a purchase or a license has at most 2 kB, even with long names", async () => {
    const request = { userId: api.userId, name: "agent", plan: "internal", permissions, expiresAt: null } as const;
    const capped = { ...request, spendingCapCents: 10_000 };
    const buyer = agentOf(api, { key: (await createKey(api.database.query, capped, clock.now())).key });
    const { quote } = (await buyer.ask("quote", { beat_id: ids[1] })) as { quote: string };
    const question = await buyer.call("buy", { quote, payment_method: "pm_card_visa" });
    expect(Buffer.byteLength(JSON.stringify(question))).toBeLessThanOrEqual(2_000);
    const purchase = await buyer.call(
      "buy",
      { quote, payment_method: "pm_card_visa" },
      {
        inputResponses: { confirm: { action: "accept", content: { confirm: true } } },
        requestState: question.requestState,
      },
    );
    const text = purchase.content?.[0]?.text ?? "";
    expect(purchase.isError, text).toBeUndefined();
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000);
    const { order_id } = JSON.parse(text);
    const { license } = (await api.get(`/v1/orders/${order_id}/files`)).json().data;
    const { content, isError } = await agent.call("check_license", { license_id: license.id });
    expect(isError).toBeUndefined();
    expect(Buffer.byteLength(content?.[0]?.text ?? "")).toBeLessThanOrEqual(2_000);
  });

  test("of the docs has at most 2 kB, and contains links to pages", async () => {
    const index = makeDocsIndex([
      ...Array.from({ length: 9 }, (_, place) => ({
        address: `/portal/docs/page-${place}#retries`,
        group: "Guides",
        title: `Page ${place}`,
        heading: "Retries of webhooks",
        text: "A delivery is retried over three days. ".repeat(100),
      })),
    ]);
    const tool = docs("https://beats.example", async () => index);
    const answer = await tool.call({ question: "how are webhooks retried?" }, {} as never);
    expect(answer).toMatchObject({
      parts: [{ page: expect.stringMatching(/^https:\/\/beats\.example\/portal\/docs\//) }, {}, {}],
    });
    expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(2_000);
  });
});

describe("a tool", () => {
  test("returns the beats that match filters, and their total", async () => {
    expect(
      await agent.ask("find_beats", { bpm_min: 141, bpm_max: 141, key: "8A", price_max: 29.9, limit: 2 }),
    ).toMatchObject({
      beats: [{ bpm: 141, key: "A minor", price: 29.9 }, { bpm: 141 }],
      total: 7,
      currency: "USD",
    });
  });

  test("returns licenses with their prices", async () => {
    expect(await agent.ask("get_beat", { beat_id: first })).toMatchObject({
      title: "Night Bus",
      licenses: expect.arrayContaining([expect.objectContaining({ type: "basic", price: 29.9 })]),
      page: `https://localhost:8443/beats/${first}`,
    });
  });

  test.each([
    ["find_beats", { quer: "trap" }, /Unknown field "quer". Did you mean query\?/],
    ["find_beats", { key: "loud" }, /key/],
    ["find_beats", { bpm_min: "fast" }, /bpm_min/],
    ["get_beat", {}, /beat_id/],
    ["get_beat", { beat_id: 999_999 }, /Beat 999999 does not exist/],
    ["quote", { beat_id: first, license_type: "gold" }, /license_type/],
    ["check_license", { license_id: "nothing" }, /No license has this id/],
  ])("%s refuses %j with a sentence", async (name, args, sentence) => {
    expect(await agent.ask(name, args)).toMatch(sentence);
  });
});

test.each([modern, former] as const)("an unknown tool is an error of the protocol in %s", async (revision) => {
  const client = agentOf(api, { revision });
  const { body } = await client.send("tools/call", { name: "sell", arguments: {} }, "sell");
  expect(JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body)).toMatchObject({
    error: { code: -32602, message: 'There is no tool "sell". tools/list names all tools.' },
  });
});

describe("a message", () => {
  test("without a key is 401", async () => {
    const response = await agentOf(api, { headers: { authorization: "" } }).send("tools/list");
    expect(response.statusCode).toBe(401);
    expect(response.headers["www-authenticate"]).toMatch(/^Bearer/);
  });

  test("from a page of another site is 403", async () => {
    const response = await agentOf(api, { headers: { origin: "https://evil.example" } }).send("tools/list");
    expect(response.statusCode).toBe(403);
  });

  test("that is not valid JSON is 400, and a message above 64 kB is 413", async () => {
    const post = (payload: string) =>
      api.request({
        method: "POST",
        url: "/mcp",
        headers: { authorization: `Bearer ${api.key}`, "content-type": "application/json" },
        payload,
      });
    expect((await post("{")).statusCode).toBe(400);
    expect((await post(`"${"x".repeat(70_000)}"`)).statusCode).toBe(413);
  });

  test("must be a POST request", async () => {
    const response = await api.get("/mcp");
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe("POST");
  });

  test("counts as one call of the key, although its tool also sends a request to the API", async () => {
    const key = await api.makeKey({ plan: "standard" });
    const { headers: before } = await api.get("/v1/genres", { key });
    const response = await agentOf(api, { key }).send(
      "tools/call",
      { name: "get_beat", arguments: { beat_id: first } },
      "get_beat",
    );
    expect(Number(before["x-ratelimit-remaining"]) - Number(response.headers["x-ratelimit-remaining"])).toBe(1);
  });

  test("is refused with 429 when the key's limit is reached", async () => {
    const key = await api.makeKey({ plan: "standard" });
    const client = agentOf(api, { key });
    const statuses = new Set<number>();
    for (let count = 0; count < 200 && !statuses.has(429); count++)
      statuses.add((await client.send("tools/list")).statusCode);
    expect([...statuses]).toEqual([200, 429]);
  });
});

test("a tool has only the permissions of its key", async () => {
  const key = await api.makeKey({ permissions: ["genres:read"] });
  expect(await agentOf(api, { key }).ask("get_beat", { beat_id: first })).toMatch(/lacks the permission beats:read/);
});
