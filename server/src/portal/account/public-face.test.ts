import { beforeAll, expect, test } from "vitest";
import { insertUpload } from "../../../test/harness/database/uploads.ts";
import { type SignedInVisitor, type TestPortal, testPortal } from "../../../test/harness/portal.ts";

let portal: TestPortal;
let ada: SignedInVisitor;
let eve: SignedInVisitor;
beforeAll(async () => {
  portal = await testPortal();
  ada = await portal.signUp("ada@example.com", "Ada");
  eve = await portal.signUp("eve@example.com", "Eve");
  await portal.database.driver`update users set is_producer = true where id = ${ada.userId}`;
});

const upload = (visitor: SignedInVisitor, more: Partial<Parameters<typeof insertUpload>[1]> = {}) =>
  insertUpload(portal.database, { userId: visitor.userId, kind: "cover", ...more });
const setPicture = (id: string) => ada.send("PUT", "/account/picture", { upload: id });
const pictures = () => portal.database.driver`select user_id from profile_pictures where user_id = ${ada.userId}`;
const username = async () => (await ada.get("/account/profile")).json().username as string;
const page = async () => (await portal.api.request({ method: "GET", url: `/producers/${await username()}` })).body;

test("each uploaded picture gets a new address in the profile, and the replaced picture is no longer served", async () => {
  const first = await setPicture(await upload(ada, { content: "one" }));
  expect(first.statusCode, first.body).toBe(200);
  const { avatar_url: address } = first.json();
  expect(address).toMatch(new RegExp(`/media/users/${ada.userId}/picture-[0-9a-f]{12}\\.jpg$`));
  const second = (await setPicture(await upload(ada, { content: "two" }))).json().avatar_url;
  expect(second).not.toBe(address);
  expect(await pictures()).toHaveLength(1);
  const { pathname } = new URL(address);
  expect((await portal.api.request({ method: "GET", url: pathname })).statusCode).toBe(404);
  const [event] = await portal.database.driver`
    select payload from events where type = 'user.updated' order by id desc limit 1`;
  expect(JSON.parse(event?.payload).data).toMatchObject({ changed: ["avatar_url"], avatar_url: second });

  expect((await ada.send("DELETE", "/account/picture", {})).json().avatar_url).toBeNull();
  expect(await pictures()).toHaveLength(0);
});

test("another avatar address in the profile removes the uploaded picture", async () => {
  await setPicture(await upload(ada, { content: "three" }));
  await ada.send("PATCH", "/account/profile", { avatar_url: "https://images.example.com/ada.png" });
  expect(await pictures()).toHaveLength(0);
});

test("a picture must be a ready upload of kind cover that belongs to the account", async () => {
  expect((await setPicture(await upload(eve))).statusCode).toBe(404);
  for (const [more, words] of [
    [{ kind: "audio" }, /kind audio/],
    [{ status: "analysing" }, /still being checked/],
    [{ status: "rejected", rejection: "The cover is cut off." }, /The cover is cut off/],
  ] as const) {
    const refusal = await setPicture(await upload(ada, more));
    expect(refusal.statusCode).toBe(409);
    expect(refusal.json().error.details).toMatch(words);
  }
  expect((await setPicture("upl_1")).statusCode).toBe(400);
});

test("links are stored in the given order without duplicates, and the public page marks them with rel=me", async () => {
  const input = [
    "https://www.instagram.com/ada",
    " https://YouTube.com/@ada ",
    "https://soundcloud.com/ada",
    "https://open.spotify.com/artist/1",
    "https://bücher.example/",
    "HTTPS://WWW.instagram.com/ada",
  ];
  const saved = await ada.send("PUT", "/account/links", { links: input });
  expect(saved.statusCode, saved.body).toBe(200);
  expect(saved.json().links).toEqual([
    "https://www.instagram.com/ada",
    "https://youtube.com/@ada",
    "https://soundcloud.com/ada",
    "https://open.spotify.com/artist/1",
    "https://xn--bcher-kva.example/",
  ]);
  expect((await ada.get("/account/links")).json()).toEqual(saved.json());
  await ada.send("PATCH", "/account/profile", { website: "https://ada.example/" });
  const html = await page();
  for (const name of ["ada.example", "Instagram", "YouTube", "SoundCloud", "Spotify", "xn--bcher-kva.example"])
    expect(html).toMatch(new RegExp(`rel="me nofollow noopener">${name.replaceAll(".", "\\.")}</a>`));
  const [, jsonLd = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html) ?? [];
  expect(JSON.parse(jsonLd).sameAs).toEqual(["https://ada.example/", ...saved.json().links]);
});

test.each([
  "http://www.instagram.com/ada",
  "javascript:alert(1)",
  "https://user@instagram.com/ada",
  "https://instagram.com:8443/ada",
  "https://localhost/ada",
  "https://127.0.0.1/ada",
  "https://[::1]/ada",
  "instagram.com/ada",
  `https://a.example/${"x".repeat(290)}`,
])(
  "a link that is not an HTTPS address of a public site, or is longer than 300 characters, is refused: %s",
  async (link) => {
    const refusal = await ada.send("PUT", "/account/links", { links: ["https://good.example", link] });
    expect(refusal.statusCode).toBe(400);
    expect(refusal.json().error.details).toContain("links");
  },
);

test("eight links are stored, and nine are refused", async () => {
  const links = Array.from({ length: 9 }, (_, index) => `https://www${index}.example/`);
  expect((await ada.send("PUT", "/account/links", { links })).statusCode).toBe(400);
  expect((await ada.send("PUT", "/account/links", { links: links.slice(1) })).json().links).toHaveLength(8);
});
