import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { testApi } from "../../test/harness/api.ts";
import { insertBeats } from "../../test/harness/database/catalogue.ts";
import { agentOf, former } from "../../test/harness/mcp.ts";
import { permissions } from "../access/roles.ts";
import { createKey } from "../resources/api-keys/queries.ts";
import { findOrCreateAccount } from "../resources/users/accounts.ts";

const clock = new FakeClock();
const api = await testApi({ clock });
const [beat = 0, expensive = 0] = await insertBeats(api.database, [
  { title: "Night Bus", priceCents: 2_990 },
  { title: "Day Train", priceCents: 9_990 },
]);

let key: string;
beforeAll(async () => {
  const { id } = await findOrCreateAccount(api.database.query, { email: "agent@example.com", name: "Agent" });
  const request = { userId: id, name: "agent", plan: "internal", permissions, expiresAt: null } as const;
  ({ key } = await createKey(api.database.query, { ...request, spendingCapCents: 5_000 }, clock.now()));
});

const quoteOf = async (beatId = beat, owner = key) =>
  ((await agentOf(api, { key: owner }).ask("quote", { beat_id: beatId })) as { quote: string }).quote;
const ordersOf = async () =>
  ((await api.get("/v1/orders", { key })).json() as { data: { orders: object[] } }).data.orders.length;

describe("a purchase with a payment method", () => {
  test("asks the person first, and buys once after the person confirmed", async () => {
    const agent = agentOf(api, { key });
    const args = { quote: await quoteOf(), payment_method: "pm_card_visa" };
    const before = await ordersOf();
    const question = await agent.call("buy", args);
    expect(question.resultType).toBe("input_required");
    expect(question.inputRequests?.confirm).toMatchObject({
      method: "elicitation/create",
      params: { message: expect.stringMatching(/basic license of “Night Bus” for 29\.90 USD.*pm_card_visa/) },
    });
    expect(await ordersOf()).toBe(before);
    const answer = {
      inputResponses: { confirm: { action: "accept", content: { confirm: true } } },
      requestState: question.requestState,
    };
    const [purchase, again] = [await agent.call("buy", args, answer), await agent.call("buy", args, answer)];
    expect(JSON.parse(purchase.content?.[0]?.text ?? "")).toMatchObject({ status: "completed", amount: 29.9 });
    expect(again.content).toEqual(purchase.content);
    expect(await ordersOf()).toBe(before + 1);
  });

  test.each([[{ action: "decline" }], [{ action: "cancel" }], [{ action: "accept", content: { confirm: false } }]])(
    "buys nothing if the person answers %j",
    async (answer) => {
      const agent = agentOf(api, { key });
      const args = { quote: await quoteOf(), payment_method: "pm_card_visa" };
      const before = await ordersOf();
      const { requestState } = await agent.call("buy", args);
      const result = await agent.call("buy", args, { inputResponses: { confirm: answer }, requestState });
      expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining("did not confirm") }] });
      expect(await ordersOf()).toBe(before);
    },
  );

  test("asks again if the answer has no state, or the state of another quote", async () => {
    const agent = agentOf(api, { key });
    const inputResponses = { confirm: { action: "accept", content: { confirm: true } } };
    const args = { quote: await quoteOf(), payment_method: "pm_card_visa" };
    const other = await agent.call("buy", { ...args, quote: await quoteOf() });
    const before = await ordersOf();
    expect((await agent.call("buy", args, { inputResponses })).resultType).toBe("input_required");
    const borrowed = await agent.call("buy", args, { inputResponses, requestState: other.requestState });
    expect(borrowed.resultType).toBe("input_required");
    expect(await ordersOf()).toBe(before);
  });

  test("is refused for a client that cannot ask the person, with an alternative", async () => {
    const agent = agentOf(api, { key, revision: former });
    const answer = await agent.ask("buy", { quote: await quoteOf(), payment_method: "pm_card_visa" });
    expect(answer).toMatch(/call buy without payment_method/);
  });
});

test("a purchase without a payment method returns a page on which the person pays", async () => {
  const answer = await agentOf(api, { key, revision: former }).ask("buy", { quote: await quoteOf() });
  expect(answer).toMatchObject({
    status: "waiting_for_payment",
    page: expect.stringMatching(/^https:\/\/localhost:8443\/pay\/checkouts\//),
    amount: 29.9,
  });
});

describe("nothing is bought", () => {
  test("with a key without a spending cap", async () => {
    const answer = await agentOf(api).ask("buy", { quote: await quoteOf(beat, api.key) });
    expect(answer).toMatch(/no spending cap.*Nothing was bought/);
  });

  test("above the spending cap", async () => {
    const answer = await agentOf(api, { key }).ask("buy", { quote: await quoteOf(expensive) });
    expect(answer).toMatch(/costs 99\.90 USD, and this key may spend 50\.00 USD/);
  });

  test("with another key's quote, a changed quote or an expired quote", async () => {
    const agent = agentOf(api, { key });
    const quote = await quoteOf();
    for (const wrong of [await quoteOf(beat, api.key), `x${quote}`, quote.slice(0, -2), "quote"])
      expect(await agent.ask("buy", { quote: wrong })).toMatch(/not one of this key, or it has expired/);
    clock.advance(15 * 60_000);
    expect(await agent.ask("buy", { quote })).toMatch(/it has expired/);
  });
});
