import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeAll, describe, expect, it, test } from "vitest";
import { de } from "../../../contract/texts/de/index.ts";
import { en } from "../../../contract/texts/en/index.ts";
import { publicUrl } from "../../test/harness/api.ts";
import { insertBeats } from "../../test/harness/database/catalogue.ts";
import { englishIn } from "../../test/harness/english-in.ts";
import { type SignedInVisitor, testPortal } from "../../test/harness/portal.ts";
import { testSeller } from "../../test/harness/seller.ts";

const clock = new FakeClock(Date.UTC(2026, 10, 26, 12));
const portal = await testPortal({ clock, seller: testSeller });
const html = "text/html,application/xhtml+xml,*/*;q=0.8";
const german = { accept: html, "accept-language": "de-DE,de;q=0.9,en;q=0.5" };
let ada: SignedInVisitor;
let beats: number[];

beforeAll(async () => {
  beats = await insertBeats(portal.database, [
    { title: "Mitternacht", producer: "Nightowl", priceCents: 2990, tempo: 140 },
    { title: "Regen", producer: "Nightowl", priceCents: 1990, tempo: 141 },
  ]);
  ada = await portal.signUp("ada@example.com", "Ada");
});

const get = (url: string, headers: Record<string, string> = german) => portal.api.request({ url, headers });
const post = (url: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  portal.api.request({
    method: "POST",
    url,
    headers: { ...german, origin: publicUrl, "content-type": "application/x-www-form-urlencoded", ...headers },
    payload: new URLSearchParams(form).toString(),
  });

const expectGerman = ({ headers, body }: Awaited<ReturnType<typeof get>>): void => {
  expect(headers["content-language"]).toBe("de");
  expect(body).toContain('<html lang="de">');
  expect(englishIn(body, en, de)).toEqual([]);
};

describe("for a reader of German", () => {
  it.each([
    ["/", 200],
    ["/?q=zzzz+from+20", 200],
    ["/?sort=newest&page=1", 200],
    ["/beats/BEAT", 200],
    ["/beats/999999", 404],
    ["/beats/BEAT/report", 200],
    ["/basket", 200],
    ["/basket?code=NOTHING", 200],
    ["/producers/nightowl", 200],
    ["/producers/nightowl?bpm_min=1&bpm_max=2", 200],
    ["/producers/nobody", 404],
    ["/embed/beats/BEAT", 200],
    ["/embed/producers/nightowl", 200],
    ["/terms", 200],
    ["/privacy", 200],
    ["/contact", 200],
    ["/changelog", 200],
    ["/status", 200],
    ["/nothing-here", 404],
    ["/library", 200],
    ["/library/unknown", 404],
    ["/pay/order_1_AAAAAAAAAAAA", 404],
    ["/pay/checkouts/x", 404],
    ["/free-downloads/x", 404],
    ["/mails/preferences", 404],
  ])("%s is in German", async (path, status) => {
    const response = await get(path.replace("BEAT", String(beats[0])));
    expect(response.statusCode).toBe(status);
    expectGerman(response);
  });

  it("the basket, the payment and the files are in German, with amounts as Germans write them", async () => {
    const added = await post("/basket", { beat_id: String(beats[0]), license_type: "basic", price: "2890" });
    const cookie = String([added.headers["set-cookie"]].flat()[0]).split(";")[0] ?? "";
    const shown = await get("/basket", { ...german, cookie });
    expectGerman(shown);
    expect(shown.body).toContain("29,90\u00a0$");
    const wrong = await post("/basket/checkout", { total: "2990", email: "nobody" }, { cookie });
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain(de["failure.email"]);
    const checkout = await post("/basket/checkout", { total: "2990", email: "buyer@example.com" }, { cookie });
    const page = new URL(String(checkout.headers.location), publicUrl).pathname;
    expectGerman(await get(page));
    await post(page, { card: "pm_card_visa_chargeDeclined" });
    expectGerman(await get(page));
    await post(page, { card: "pm_card_visa" });
    const files = await get(page);
    expectGerman(files);
    expect(files.body).toContain("29,90 USD");
  });

  it("favorites and playlists are in German", async () => {
    const cookie = ada.cookie();
    await post("/favorites", { add: String(beats[0]) }, { cookie });
    const creation = await post("/favorites/playlists", { title: "Nachts", beat: String(beats[1]) }, { cookie });
    expectGerman(await get("/favorites?beat=1", { ...german, cookie }));
    expectGerman(await get(String(creation.headers.location), { ...german, cookie }));
    expectGerman(await get(String(creation.headers.location)));
  });

  it("the pages after a rejected and an accepted report are in German", async () => {
    const sent = { reason: "other", details: "Das ist mein Werk.", email: "melder@example.com" };
    expectGerman(await post(`/beats/${beats[0]}/report`, { ...sent, email: "x" }));
    expectGerman(await post(`/beats/${beats[0]}/report`, sent));
  });
});

describe("the language of a page", () => {
  it.each([
    [{}, "en"],
    [{ "accept-language": "de" }, "de"],
    [{ "accept-language": "fr, de;q=0.5" }, "de"],
    [{ "accept-language": "de", cookie: "a=1; language=en" }, "en"],
    [{ "accept-language": "en", cookie: "language=de; b=2" }, "de"],
    [{ "accept-language": "de", cookie: "language=xx" }, "de"],
    [{ cookie: "my_language=de" }, "en"],
  ])("follows the cookie, then the browser: %j", async (headers, language) => {
    const page = await get("/terms", { accept: html, ...headers });
    expect(page.headers["content-language"]).toBe(language);
    expect(page.headers.vary).toBe("Accept, Accept-Encoding, Accept-Language, Cookie");
    expect(page.body).toContain(`<link rel="canonical" href="${publicUrl}/terms">`);
  });

  it("is chosen in the footer, which returns to the page", async () => {
    const page = await get("/terms", { accept: html });
    expect(page.body).toContain('<button name="language" value="de" lang="de">Deutsch</button>');
    const response = await post("/language", { language: "de" }, { referer: `${publicUrl}/?q=trap` });
    expect([response.statusCode, response.headers.location]).toEqual([303, "/?q=trap"]);
    expect(String(response.headers["set-cookie"])).toMatch(
      /^language=de; Path=\/; Secure; SameSite=Lax; Max-Age=31536000$/,
    );
  });

  it("is chosen, on a page that sends no Referer, by a form that contains the path back", async () => {
    const page = await get("/library", { accept: html });
    const back = /name="back" value="([^"]*)"/.exec(page.body)?.[1] ?? "";
    expect(page.headers["content-security-policy"]).toContain("form-action 'self'");
    expect((await post("/language", { language: "de", back })).headers.location).toBe("/library");
  });

  it.each(["https://evil.example/x", "//evil.example/x", "/\\evil.example", "javascript:alert(1)", "http://["])(
    "is chosen without a redirect to another site: %s",
    async (back) => {
      const { location } = (await post("/language", { language: "de", back })).headers;
      expect(new URL(String(location), publicUrl).origin).toBe(publicUrl);
    },
  );

  it("is not changed by another site, nor to an unknown language", async () => {
    expect((await post("/language", { language: "de" }, { origin: "https://evil.example" })).statusCode).toBe(403);
    expect((await post("/language", { language: "xx" })).statusCode).toBe(400);
  });
});

test("responses of the API do not depend on the chosen language", async () => {
  const call = (headers: object) =>
    get("/v1/beats", { authorization: `Bearer ${portal.api.key}`, ...headers } as Record<string, string>);
  const [plain, asked] = [await call({}), await call({ "accept-language": "de", cookie: "language=de" })];
  expect(plain.statusCode).toBe(200);
  expect(asked.body).toBe(plain.body);
  expect(asked.headers.vary).toBe(plain.headers.vary);
  expect(asked.headers).not.toHaveProperty("content-language");
});

test("`englishIn` finds English texts on a German page", () => {
  const page = (body: string) => englishIn(`<html lang="de"><body>${body}</body></html>`, en, de);
  expect(page("<p>Nothing is in the basket yet.</p>")).toEqual(["basket.empty"]);
  expect(page('<button aria-label="Remove Regen">Entfernen</button>')).toEqual(["basket.removeThe"]);
  expect(page('<p>Der Warenkorb ist noch leer.</p><p lang="en">Nothing is in the basket yet.</p>')).toEqual([]);
});
