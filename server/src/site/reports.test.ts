import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { publicUrl } from "../../test/harness/api.ts";
import { insertBeats } from "../../test/harness/database/catalogue.ts";
import { type SignedInVisitor, type TestPortal, testPortal } from "../../test/harness/portal.ts";
import { deleteOldReports, reportReasons } from "../resources/reports/report.ts";
import { markOperator } from "../resources/users/standing.ts";

const hour = 3_600_000;
const day = 24 * hour;
const clock = new FakeClock(Date.parse("2026-11-20T12:00:00Z"));
let portal: TestPortal;
let olga: SignedInVisitor;
let nora: SignedInVisitor;
let beat = 0;
let networks = 0;
beforeAll(async () => {
  portal = await testPortal({ clock });
  olga = await portal.signUp("olga@example.com", "Olga Operator", "192.0.2.7");
  nora = await portal.signUp("nora@example.com", "Nora Producer");
  const decision = { author: "operator" as const, now: new Date(clock.nowMs()) };
  await markOperator(portal.database.query, olga.email, true, decision);
});
beforeEach(async () => {
  [beat = 0] = await insertBeats(portal.database, [{ title: "<Ember>", producer: "Nightowl" }]);
  await portal.database.driver`update beats set user_id = ${nora.userId} where id = ${beat}`;
  await portal.database.driver`truncate outgoing_mails, beat_reports`;
  await later(hour);
});

const form = { reason: "sample", details: "My hook, at 0:42.", email: "Rita@example.com" };
const report = (fields: object = {}, { address = `198.51.100.${++networks}`, headers = {} } = {}) =>
  portal.api.request({
    method: "POST",
    url: `/beats/${beat}/report`,
    headers: {
      accept: "text/html",
      origin: publicUrl,
      "content-type": "application/x-www-form-urlencoded",
      ...headers,
    },
    payload: new URLSearchParams({ ...form, ...fields }).toString(),
    remoteAddress: address,
  });
const open = (url: string) => portal.api.get(url, { key: null, accept: "text/html" });
const templates = async () =>
  (await portal.database.driver`select template from outgoing_mails order by template`).map(({ template }) => template);
const queue = async (query = "") => (await olga.get(`/admin/reports${query}`)).json().reports;
const step = (id: number, what: string, body: object = {}) => olga.send("POST", `/admin/reports/${id}/${what}`, body);
const uphold = (id: number) => step(id, "uphold", { reason: "It is the record.", withdraw_files: false });
const counter = (id: number, visitor = nora) =>
  visitor.send("POST", `/studio/reports/${id}/counter`, { text: "I played it." });
const fileReport = async (): Promise<number> => {
  await report();
  const [first] = await queue(`?beat=${beat}`);
  return first.id;
};
/** Advances the clock and the time of all sign-ins, which must be recent for changes of operators. */
async function later(ms: number): Promise<void> {
  clock.advance(ms);
  const now = new Date(clock.nowMs());
  await portal.database.driver`update portal_sessions set created_at = ${now}, updated_at = ${now},
    expires_at = ${new Date(clock.nowMs() + 7 * day)}`;
}

describe("a report", () => {
  it("is sent from the beat's page by a form that needs no script, and escapes names of others", async () => {
    expect((await open(`/beats/${beat}`)).body).toContain(`<a href="/beats/${beat}/report"`);
    const { statusCode, body } = await open(`/beats/${beat}/report`);
    expect(statusCode).toBe(200);
    for (const reason of Object.keys(reportReasons)) expect(body).toContain(`<option value="${reason}">`);
    expect(body).toContain("&lt;Ember&gt;");
    expect(body).not.toContain("<Ember>");
    const sent = await report();
    expect([sent.statusCode, sent.body]).toEqual([200, expect.stringContaining("The operator has your report")]);
    expect(await templates()).toEqual(["report-received", "report-to-review"]);
    expect((await queue())[0]).toMatchObject({
      state: "open",
      is_due: true,
      reason: "sample",
      details: form.details,
      email: "rita@example.com",
      producer_upheld: 0,
      beat: { id: beat, title: "<Ember>", is_taken_down: false },
    });
  });

  it("sends the confirmation and the decision in the language of its page", async () => {
    await report({}, { headers: { "accept-language": "de" } });
    const [{ id }] = await queue(`?beat=${beat}`);
    await step(id, "reject", { reason: "No right in it" });
    const mails = await portal.database.driver`
      select template, language from outgoing_mails where recipient = 'rita@example.com' order by template`;
    expect(mails).toEqual([
      { template: "report-received", language: "de" },
      { template: "report-rejected", language: "de" },
    ]);
  });

  it("400 without a reason, text or address, and the form keeps the typed values", async () => {
    for (const fields of [{ reason: "" }, { reason: "toString" }, { details: " " }, { email: "nobody" }]) {
      const refusal = await report(fields);
      expect(refusal.statusCode).toBe(400);
      expect(refusal.body).toContain('role="alert"');
    }
    expect((await report({ email: "nobody" })).body).toContain("My hook, at 0:42.</textarea>");
    expect(await queue()).toEqual([]);
  });

  it("403 from a page of another origin, 404 for a beat that is not public, 409 for a second report of an address", async () => {
    expect((await report({}, { headers: { origin: "https://evil.example" } })).statusCode).toBe(403);
    await report();
    expect((await report()).statusCode).toBe(409);
    expect(await queue()).toHaveLength(1);
    await portal.database.driver`update beats set is_listed = false where id = ${beat}`;
    expect((await open(`/beats/${beat}/report`)).statusCode).toBe(404);
    expect((await report({ email: "other@example.com" })).statusCode).toBe(404);
  });

  it("429 above five reports an hour from one network or mailbox, even with different labels in the address", async () => {
    const send = (index: number, address?: string) =>
      report({ email: `stranger-${index}@example.com` }, { ...(address !== undefined && { address }) });
    for (let index = 0; index < 5; index++) expect((await send(index, "203.0.113.9")).statusCode).toBe(200);
    const refusal = await send(6, "203.0.113.9");
    expect([refusal.statusCode, refusal.headers["retry-after"]]).toEqual([429, "720"]);
    expect((await send(7, "203.0.113.200")).statusCode).toBe(200);
    await portal.database.driver`truncate beat_reports`;
    const statuses = [];
    for (let index = 0; index < 6; index++)
      statuses.push((await report({ email: `tag+${index}@example.com` })).statusCode);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

describe("reports of a robot with many networks and addresses", () => {
  const waiting = (beats: number[], count: number) => portal.database.driver`
    insert into beat_reports (beat_id, reason, details, email, created_at)
    select (${beats}::bigint[])[1 + n % ${beats.length}], 'other', 'x', 'robot-' || n || '@example.com', ${new Date(clock.nowMs())}
    from generate_series(0, ${count - 1}::int) n`;
  const other = () => report({ email: "rita@example.com" });

  it("429 for a beat with 20 open reports until one is decided, while other beats can be reported", async () => {
    await waiting([beat], 20);
    const refusal = await other();
    expect([refusal.statusCode, refusal.headers["retry-after"]]).toEqual([429, "86400"]);
    expect(refusal.body).toContain("20 reports of this beat wait for a decision");
    expect(await queue(`?beat=${beat}`)).toHaveLength(20);
    expect(await templates()).toEqual([]);
    const [{ id }] = await queue(`?beat=${beat}`);
    await step(id, "reject", { reason: "No right in it" });
    expect((await other()).statusCode).toBe(200);
    await waiting([beat], 1);
    [beat = 0] = await insertBeats(portal.database, [{ title: "Frost", producer: "Nightowl" }]);
    expect((await other()).statusCode).toBe(200);
  });

  it("429 if 2,000 reports of all beats wait, which limits the queue", async () => {
    const others = await insertBeats(
      portal.database,
      Array.from({ length: 100 }, (_, n) => ({ title: `Ash ${n}` })),
    );
    await waiting(others, 1_999);
    expect((await other()).statusCode).toBe(200);
    const refusal = await report({ email: "ralf@example.com" });
    expect(refusal.statusCode).toBe(429);
    expect(refusal.body).toContain("2,000 reports wait for a decision");
    const [row] = await portal.database.driver`select count(*)::int as n from beat_reports`;
    expect(row?.n).toBe(2_000);
  });
});

describe("notice and counter-notice", () => {
  it("the producer reads the text without the address, and counters once; then the operator decides", async () => {
    const id = await fileReport();
    await portal.database.driver`truncate outgoing_mails`;
    expect((await nora.get(`/studio/beats/${beat}`)).json().reports).toEqual([]);
    expect((await counter(id)).statusCode).toBe(404);
    expect((await step(id, "notice")).statusCode).toBe(204);
    expect((await step(id, "notice")).statusCode).toBe(409);
    expect(await templates()).toEqual(["report-notice"]);
    const shown = await nora.get(`/studio/beats/${beat}`);
    expect(shown.json().reports).toMatchObject([
      {
        id,
        details: form.details,
        can_counter: true,
        counter_until: new Date(clock.nowMs() + 14 * day).toISOString(),
        counter: null,
      },
    ]);
    expect(shown.body).not.toContain("rita@example.com");
    expect((await counter(id, olga)).statusCode).toBe(404);
    expect((await counter(id)).json().reports[0]).toMatchObject({ state: "countered", can_counter: false });
    expect((await counter(id)).statusCode).toBe(409);
    expect(await templates()).toContain("report-countered");
    expect((await queue())[0]).toMatchObject({ state: "countered", is_due: false, counter: "I played it." });
    await later(14 * day);
    expect((await queue())[0]).toMatchObject({ is_due: true });
    expect((await step(id, "reject", { reason: "It is theirs" })).statusCode).toBe(204);
    expect(await queue()).toEqual([]);
    expect(await templates()).toEqual(expect.arrayContaining(["report-rejected", "report-rejected-producer"]));
    expect((await open(`/beats/${beat}`)).statusCode).toBe(200);
  });

  it("a report is upheld only after the notice, and after the time for a counter-notice", async () => {
    const id = await fileReport();
    expect((await uphold(id)).statusCode).toBe(409);
    await step(id, "notice");
    expect((await uphold(id)).statusCode).toBe(409);
    expect((await queue())[0]).toMatchObject({ is_due: false });
    await later(14 * day);
    expect((await queue())[0]).toMatchObject({ is_due: true });
    expect((await counter(id)).statusCode).toBe(409);
    expect((await uphold(id)).statusCode).toBe(204);
    expect((await open(`/beats/${beat}`)).statusCode).toBe(410);
    expect(await templates()).toEqual(
      expect.arrayContaining(["report-upheld", "report-upheld-producer", "taken-down"]),
    );
    expect((await uphold(id)).statusCode).toBe(409);
    expect((await step(id, "reject", { reason: "No" })).statusCode).toBe(409);
    expect((await step(999_999, "notice")).statusCode).toBe(404);
  });

  it("counts upheld reports of a producer, and each step is in the audit log", async () => {
    const first = await fileReport();
    await step(first, "notice");
    await later(14 * day);
    await uphold(first);
    [beat = 0] = await insertBeats(portal.database, [{ title: "Frost", producer: "Nightowl" }]);
    await portal.database.driver`update beats set user_id = ${nora.userId} where id = ${beat}`;
    await report();
    expect((await queue())[0]).toMatchObject({ producer_upheld: 1 });
    expect(await queue(`?state=upheld&producer=${nora.userId}`)).toHaveLength(1);
    const { entries } = (await olga.get(`/admin/audit?account=${nora.userId}&actor=operators`)).json();
    expect(entries.slice(0, 3).map(({ action }: { action: string }) => action)).toEqual([
      "beat.taken_down",
      "report.upheld",
      "report.notice_sent",
    ]);
  });
});

it("decided reports are deleted after three years, and open reports stay", async () => {
  await step(await fileReport(), "reject", { reason: "No right in it" });
  await report({ email: "other@example.com" });
  await deleteOldReports(portal.database.query, new Date(clock.nowMs() + 4 * 366 * day));
  expect(await queue("?state=all")).toMatchObject([{ state: "open" }]);
});
