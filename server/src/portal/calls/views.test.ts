import { beforeAll, describe, expect, it } from "vitest";
import { type SignedInVisitor, testPortal } from "../../../test/harness/portal.ts";
import { maxSavedViews } from "../../resources/saved-views/queries.ts";

const portal = await testPortal();
let me: SignedInVisitor;
let stranger: SignedInVisitor;

beforeAll(async () => {
  [me, stranger] = [await portal.signUp("me@example.com"), await portal.signUp("stranger@example.com")];
});

const save = (name: string, query = "class=4xx&last=24h", visitor = me) =>
  visitor.send("POST", "/calls/views", { name, query });
const names = async (visitor = me): Promise<string[]> =>
  (await visitor.get("/calls/views")).json().views.map(({ name }: { name: string }) => name);

describe("saved views", () => {
  it("are stored by name, changed and deleted", async () => {
    const saved = await save("Refused orders");
    expect(saved.statusCode).toBe(201);
    const { id } = saved.json();
    expect(saved.json()).toEqual({ id, name: "Refused orders", query: "class=4xx&last=24h" });
    await save("all of it", "last=7d");
    expect(await names()).toEqual(["all of it", "Refused orders"]);
    const renamed = await me.send("PATCH", `/calls/views/${id}`, { name: "Refused" });
    expect(renamed.json()).toEqual({ id, name: "Refused", query: "class=4xx&last=24h" });
    const changed = await me.send("PATCH", `/calls/views/${id}`, { query: "status=403" });
    expect(changed.json()).toEqual({ id, name: "Refused", query: "status=403" });
    expect((await me.send("DELETE", `/calls/views/${id}`)).statusCode).toBe(204);
    expect(await names()).toEqual(["all of it"]);
    expect((await me.send("DELETE", `/calls/views/${id}`)).statusCode).toBe(404);
  });

  it("have a unique name in the account, without regard to upper and lower case: 409", async () => {
    const { id } = (await save("Slow")).json();
    await save("Quick");
    const again = await save("SLOW");
    expect([again.statusCode, again.json().error.details]).toEqual([409, expect.stringContaining("“Slow”")]);
    expect((await me.send("PATCH", `/calls/views/${id}`, { name: "quick" })).statusCode).toBe(409);
    expect((await me.send("PATCH", `/calls/views/${id}`, { name: "slow" })).statusCode).toBe(200);
    expect((await save("Slow", "last=1h", stranger)).statusCode).toBe(201);
  });

  it("belong to the account: others get 404", async () => {
    const { id } = (await save("Mine")).json();
    expect(await names(stranger)).not.toContain("Mine");
    expect((await stranger.send("PATCH", `/calls/views/${id}`, { name: "Theirs" })).statusCode).toBe(404);
    expect((await stranger.send("DELETE", `/calls/views/${id}`)).statusCode).toBe(404);
    expect(await names()).toContain("Mine");
  });

  it.each([
    ["no name", { name: "", query: "last=1h" }],
    ["an invisible name", { name: "\u200b", query: "last=1h" }],
    ["a name with NUL", { name: "a\0b", query: "last=1h" }],
    ["a name of 61 characters", { name: "x".repeat(61), query: "last=1h" }],
    ["no filter", { name: "Empty", query: "" }],
    ["a query with NUL", { name: "Cut", query: "text=a\0b" }],
    ["a query of 2,001 characters", { name: "Long", query: "x".repeat(2_001) }],
    ["an unknown field", { name: "More", query: "last=1h", color: "red" }],
  ])("400 for %s", async (_, body) => {
    expect((await me.send("POST", "/calls/views", body)).statusCode).toBe(400);
  });

  it("are at most fifty in an account: 409", async () => {
    const viewCount = (await names(stranger)).length;
    await portal.database.driver`insert into saved_views (user_id, name, query, created_at)
      select ${stranger.userId}, 'View ' || n, 'last=1h', now() from generate_series(${viewCount + 1}::int, ${maxSavedViews - 1}::int) n`;
    const answers = await Promise.all([save("Last", "last=1h", stranger), save("Beyond", "last=1h", stranger)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409]);
    expect(await names(stranger)).toHaveLength(maxSavedViews);
  });

  it("401 without a session", async () => {
    const visitor = portal.visitor();
    expect((await visitor.get("/calls/views")).statusCode).toBe(401);
    expect((await visitor.send("POST", "/calls/views", { name: "A", query: "last=1h" })).statusCode).toBe(401);
  });
});
