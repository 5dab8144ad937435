import { beforeAll, describe, expect, it } from "vitest";
import { publicUrl } from "../../../test/harness/api.ts";
import { insertBeats } from "../../../test/harness/database/catalogue.ts";
import { type SignedInVisitor, testPortal } from "../../../test/harness/portal.ts";

const portal = await testPortal();
let ada: SignedInVisitor;
let bob: SignedInVisitor;
let beat = 0;
let two = 0;

beforeAll(async () => {
  [beat = 0, two = 0] = await insertBeats(portal.database, [
    { title: "Midnight", producer: "Nightowl" },
    { title: "Sunrise", producer: "Lark" },
  ]);
  ada = await portal.signUp("ada@example.com", "Ada");
  bob = await portal.signUp("bob@example.com", "Bob");
});

const call = (visitor: { cookie(): string } | null, method: "GET" | "POST", url: string, form?: object, headers = {}) =>
  portal.api.request({
    method,
    url,
    headers: {
      origin: publicUrl,
      accept: "text/html",
      "content-type": "application/x-www-form-urlencoded",
      ...(visitor !== null && { cookie: visitor.cookie() }),
      ...headers,
    },
    ...(form !== undefined && { payload: new URLSearchParams(form as Record<string, string>).toString() }),
  });

describe("/favorites", () => {
  it("has the account's favorite beats, playlists and followed producers", async () => {
    expect((await call(ada, "POST", "/favorites", { add: String(beat) })).headers.location).toBe("/favorites");
    const [producer] = await portal.database.driver`select id::int from users where display_name = 'Nightowl'`;
    await call(ada, "POST", "/favorites", { follow: String(producer?.id) });
    const creation = await call(ada, "POST", "/favorites/playlists", { title: "Night drives", beat: String(two) });
    expect(creation.headers.location).toMatch(/^\/playlists\/pl_[\w-]{22}$/);
    const page = await call(ada, "GET", "/favorites");
    expect([page.statusCode, page.headers["cache-control"]]).toEqual([200, "private, no-store"]);
    for (const text of ["Midnight", "Night drives", "Unfollow Nightowl", "New from them"])
      expect(page.body).toContain(text);
    expect((await call(bob, "GET", "/favorites")).body).not.toContain("Midnight");

    await call(ada, "POST", "/favorites", { remove: String(beat) });
    await call(ada, "POST", "/favorites", { unfollow: String(producer?.id) });
    const after = (await call(ada, "GET", "/favorites")).body;
    for (const text of ["Midnight", "Unfollow Nightowl"]) expect(after).not.toContain(text);
  });

  it("redirects strangers to the sign-in, and then back to the beat", async () => {
    expect((await call(null, "GET", "/favorites")).headers.location).toBe("/portal/sign-in?next=%2Ffavorites");
    const added = await call(null, "POST", "/favorites", { add: String(beat) });
    expect(added.headers.location).toBe(`/portal/sign-in?next=%2Fbeats%2F${beat}`);
  });

  it("refuses other sites, and shows a refusal as a page", async () => {
    const foreign = { origin: "https://evil.example" };
    expect((await call(ada, "POST", "/favorites", { add: String(beat) }, foreign)).statusCode).toBe(403);
    const self = await call(ada, "POST", "/favorites", { follow: String(ada.userId) });
    expect([self.statusCode, self.body.includes("You cannot follow yourself.")]).toEqual([409, true]);
    const untitled = await call(ada, "POST", "/favorites/playlists", { title: " " });
    expect([untitled.statusCode, untitled.body.includes("title of 1 to 200 characters")]).toEqual([400, true]);
  });
});

describe("the page of a playlist", () => {
  const make = async () =>
    String((await call(ada, "POST", "/favorites/playlists", { title: "Drives" })).headers.location);

  it("is visible only to its owner until it is public, and then to everyone, without the forms", async () => {
    const path = await make();
    await call(ada, "POST", path, { add: String(beat) });
    for (const visitor of [null, bob]) expect((await call(visitor, "GET", path)).statusCode).toBe(404);
    await call(ada, "POST", path, { visibility: "public" });
    const page = await call(null, "GET", path);
    expect([page.statusCode, page.body.includes("Midnight"), page.body.includes("Change this playlist")]).toEqual([
      200,
      true,
      false,
    ]);
    expect((await call(bob, "POST", path, { delete: "yes" })).statusCode).toBe(404);
    expect((await call(null, "GET", "/playlists/nothing")).statusCode).toBe(404);
  });

  it("changes order, title and beats, and deletes", async () => {
    const path = await make();
    const order = async () =>
      [...(await call(ada, "GET", path)).body.matchAll(/aria-label="Remove (\w+)"/g)].map(([, title]) => title);
    for (const id of [beat, two]) await call(ada, "POST", path, { add: String(id) });
    expect(await order()).toEqual(["Midnight", "Sunrise"]);
    await call(ada, "POST", path, { up: String(two) });
    expect(await order()).toEqual(["Sunrise", "Midnight"]);
    await call(ada, "POST", path, { down: String(two) });
    expect(await order()).toEqual(["Midnight", "Sunrise"]);
    await call(ada, "POST", path, { remove: String(beat) });
    await call(ada, "POST", path, { title: "<b>Late</b>", description: "Two\r\nlines" });
    const { body } = await call(ada, "GET", path);
    expect(body).toContain("&lt;b&gt;Late&lt;/b&gt;");
    expect(body).toContain("Two<br>lines");
    expect((await call(ada, "POST", path, { delete: "yes" })).headers.location).toBe("/favorites");
    expect((await call(ada, "GET", path)).statusCode).toBe(404);
  });
});
