import { FakeClock } from "@beatmarket/foundation/testing/fake-clock.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { importContent } from "../../../test/harness/imports.ts";
import { testPortal } from "../../../test/harness/portal.ts";
import { listAudit } from "../audit/queries.ts";
import { deleteBeatlessProducers, findErasedImportNames } from "../users/producers.ts";
import { createClaim, deleteOldClaims, listClaims, revokeClaim } from "./claims.ts";
import { moveBeatsOfClaimed } from "./prove-claim.ts";

const clock = new FakeClock(Date.now());
const portal = await testPortal({ clock });
const { api, database } = portal;
const { query: db, driver } = database;
const hourMs = 3_600_000;
const now = () => new Date(clock.nowMs());
const visitor = portal.visitor();

beforeEach(async () => {
  portal.mails.length = 0;
  await driver`truncate beats, users, producer_counts, producer_claims, genres, events cascade`;
  await importCatalogue(90);
  clock.advance(hourMs);
});
const importCatalogue = (tempo: number) =>
  importContent(
    database,
    `external_id,title,producer,genre,tempo,key\n1,One,Ana,Trap,${tempo},Am\n2,Two,Ana,Trap,${tempo},\n3,Three,Bo,House,${tempo},\n`,
  );
const producer = async (name: string): Promise<number> => {
  const [row] = await driver`select id from users where import_name is not null and display_name = ${name}`;
  return Number(row?.id);
};
const claim = async (name: string, email: string) =>
  createClaim(db, { producerId: await producer(name), email }, now());
const prove = (token: string) => visitor.send("POST", "/claims/prove", { token });
const move = () => moveBeatsOfClaimed(db, clock);
const deleteAllBeats = async () => {
  await driver`update beats set is_listed = false`; // Beats are counted by this column.
  await driver`delete from beats`;
  await deleteBeatlessProducers(db);
};
const ownersOf = async () =>
  (await driver`select title, user_id::int as owner from beats order by id`).map(({ title, owner }) => [title, owner]);
const lists = async () => {
  const listed = async (sort: string) => {
    const response = await api.get(`/v1/producers?sort=${sort}`, {
      key: await api.makeKey({ email: "reader@example.com" }),
    });
    const { producers, pagination } = response.json().data;
    return {
      ids: producers.map((producer: { id: number }) => producer.id).sort(),
      total: pagination.total,
    };
  };
  return [await listed("popular"), await listed("newest")];
};

describe("a claim by a mailbox without an account", () => {
  test("turns the producer into an account with the same id and beats, and sends user.registered", async () => {
    const ana = await producer("Ana");
    const { token } = await claim("Ana", "Ana@Example.com");
    const offer = await visitor.send("POST", "/claims/find", { token });
    expect(offer.json()).toEqual({ producer: { id: ana, name: "Ana", beats: 2 }, email: "ana@example.com" });
    const proven = await prove(token);
    expect([proven.statusCode, proven.json()]).toEqual([200, { user_id: ana, is_new: true }]);
    expect(await driver`select email, is_producer from users where id = ${ana}`).toEqual([
      { email: "ana@example.com", is_producer: true },
    ]);
    expect(await driver`select type from events`).toEqual([{ type: "user.registered" }]);
    const [claimed, mailed] = await listAudit(db, ana, { limit: 5 });
    expect(claimed).toMatchObject({
      action: "producer.claimed",
      subject: `producer ${ana} (Ana)`,
      author: { clientAddress: "127.0.0.1" },
    });
    expect(mailed).toMatchObject({ action: "producer.claim_created", author: "operator" });
  });

  test("lets the owner of the mailbox change and withdraw the beats by the API", async () => {
    const { token } = await claim("Ana", "ana@example.com");
    await prove(token);
    const key = await api.makeKey({ email: "ana@example.com" });
    const [{ id } = { id: 0 }] = await driver`select id::int from beats where title = 'One'`;
    const send = (method: "PATCH" | "DELETE", payload?: object) =>
      api.request({
        method,
        url: `/v1/beats/${id}`,
        headers: { authorization: `Bearer ${key}` },
        ...(payload !== undefined && { payload }),
      });
    const changed = await send("PATCH", { title: "One, mastered" });
    expect([changed.statusCode, changed.json().data.beat]).toMatchObject([
      200,
      { title: "One, mastered", status: "published", bpm_source: "producer" },
    ]);
    expect((await send("DELETE")).statusCode).toBe(200);
    expect(await driver`select is_listed from beats where id = ${id}`).toEqual([{ is_listed: false }]);
  });
});

describe("a claim by a mailbox with an account", () => {
  test("moves the beats to the account, in owners, counts, lists and changes", async () => {
    const { userId } = await portal.signUp("ana@example.com", "Ana Real");
    const [ana, bo] = [await producer("Ana"), await producer("Bo")];
    const { token } = await claim("Ana", "ana@example.com");
    expect((await prove(token)).json()).toEqual({ user_id: userId, is_new: false });
    const [{ position } = { position: 0 }] = await driver`select max(position)::int as position from catalogue_changes`;
    await move();
    expect(await ownersOf()).toEqual([
      ["One", userId],
      ["Two", userId],
      ["Three", bo],
    ]);
    const both = { ids: [bo, userId].sort(), total: 2 };
    expect(await lists()).toEqual([both, both]);
    expect(await driver`select beats_count::int as beats from producer_counts where user_id = ${userId}`).toEqual([
      { beats: 2 },
    ]);
    const changes = await driver`
      select subject, type, ids::int[] as ids from catalogue_changes where position > ${position} and subject = 'beats'`;
    expect(changes).toMatchObject([
      { subject: "beats", type: "updated", ids: [expect.any(Number), expect.any(Number)] },
    ]);
    const key = await api.makeKey({ email: "reader@example.com" });
    const beatsOfAccount = await api.get(`/v1/beats?producer=${userId}`, { key });
    expect(
      beatsOfAccount
        .json()
        .data.beats.map(({ title }: { title: string }) => title)
        .sort(),
    ).toEqual(["One", "Two"]);
    const old = await api.get(`/v1/users/${ana}`, { key });
    expect([old.statusCode, old.json().data.user]).toMatchObject([
      200,
      { id: ana, is_producer: false, beats_count: 0 },
    ]);
    expect(await driver`select id from events where type like 'beat.%'`).toEqual([]);
  });

  test("moves the beats of a second producer, too", async () => {
    const { userId } = await portal.signUp("ana@example.com");
    for (const name of ["Ana", "Bo"]) await prove((await claim(name, "ana@example.com")).token);
    await move();
    expect((await ownersOf()).map(([, owner]) => owner)).toEqual([userId, userId, userId]);
    expect(await driver`select user_id::int as id from producer_counts`).toEqual([{ id: userId }]);
  });
});

describe("imports after a claim", () => {
  test.each([true, false])(
    "update the producer's beats, except edited ones (account before: %s)",
    async (hasAccount) => {
      if (hasAccount) await portal.signUp("ana@example.com");
      const { user_id: owner } = (await prove((await claim("Ana", "ana@example.com")).token)).json();
      await move();
      await driver`insert into beat_productions (beat_id, stage) select id, 'released' from beats where title = 'One'`;
      await importCatalogue(100);
      await move();
      expect(
        await driver`select title, tempo, user_id::int as owner from beats where title <> 'Three' order by id`,
      ).toEqual([
        { title: "One", tempo: 90, owner },
        { title: "Two", tempo: 100, owner },
      ]);
      expect(await producer("Ana")).toBeGreaterThan(0);
    },
  );

  test("can find a claimed producer, whose row stays even after all beats are deleted", async () => {
    await prove((await claim("Ana", "ana@example.com")).token);
    await portal.signUp("bo@example.com");
    await prove((await claim("Bo", "bo@example.com")).token);
    await move();
    await deleteAllBeats();
    expect(await driver`select display_name as name from users where import_name is not null order by id`).toEqual([
      { name: "Ana" },
      { name: "Bo" },
    ]);
  });

  test("can find a claimed producer whose account was deleted, even after all beats are deleted", async () => {
    await prove((await claim("Ana", "ana@example.com")).token);
    await driver`update users set email = null, username = 'deleted_' || id where email = 'ana@example.com'`;
    await deleteAllBeats();
    expect(await findErasedImportNames(db)).toEqual(new Set(["ana"]));
  });
});

describe("a link", () => {
  const expectInvalid = async (token: string) => {
    for (const path of ["/claims/find", "/claims/prove"]) {
      const response = await visitor.send("POST", path, { token });
      expect([path, response.statusCode]).toEqual([path, 400]);
      expect(response.json().error.details).toMatch(/^This link does not work any more/);
    }
  };
  const expectNoAccount = async () => expect(await driver`select id from users where email is not null`).toEqual([]);

  test.each(["", "x".repeat(43), "not a token"])("with an unknown token is 400: %j", async (token) => {
    const response = await visitor.send("POST", "/claims/prove", { token });
    expect(response.statusCode).toBe(400);
  });

  test("does not work after 24 hours", async () => {
    const { token } = await claim("Ana", "ana@example.com");
    clock.advance(24 * hourMs);
    await expectInvalid(token);
    await expectNoAccount();
  });

  test("works once", async () => {
    const { token } = await claim("Ana", "ana@example.com");
    await prove(token);
    await expectInvalid(token);
  });

  test("that is opened twice concurrently works once", async () => {
    const { token } = await claim("Ana", "ana@example.com");
    const statuses = await Promise.all([prove(token), prove(token)]);
    expect(statuses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
  });

  test("of a revoked claim does not work, and the audit log has the revocation", async () => {
    const { claim: newClaim, token } = await claim("Ana", "ana@example.com");
    await revokeClaim(db, newClaim.id, now());
    await expectInvalid(token);
    await expectNoAccount();
    const [entry] = await listAudit(db, newClaim.producer_id, { limit: 1 });
    expect(entry).toMatchObject({ action: "producer.claim_revoked", author: "operator" });
  });

  test("does not work after another mailbox has proven its claim", async () => {
    const slow = await claim("Ana", "slow@example.com");
    const fast = await claim("Ana", "fast@example.com");
    expect((await prove(fast.token)).statusCode).toBe(200);
    await expectInvalid(slow.token);
    expect((await listClaims(db)).map(({ email }) => email)).toEqual(["fast@example.com"]);
  });

  test("does not work after a later claim of the same mailbox", async () => {
    const first = await claim("Ana", "ana@example.com");
    const second = await claim("Ana", "ana@example.com");
    await expectInvalid(first.token);
    expect((await prove(second.token)).statusCode).toBe(200);
  });

  test("is stored only as a hash", async () => {
    const { token } = await claim("Ana", "ana@example.com");
    const [row] = await driver`select to_jsonb(producer_claims)::text as text from producer_claims`;
    expect(row?.text).not.toContain(token);
  });

  test("finds an account that is registered concurrently", async () => {
    const { token } = await claim("Ana", "ana@example.com");
    const [proven, account] = await Promise.all([prove(token), portal.signUp("ana@example.com")]);
    expect(proven.statusCode).toBe(200);
    await move();
    expect(proven.json().user_id).toBe(account.userId);
    expect((await ownersOf())[0]).toEqual(["One", account.userId]);
  });
});

describe("createClaim refuses a claim", () => {
  test("of an account", async () => {
    const { userId } = await portal.signUp("bo@example.com");
    await expect(createClaim(db, { producerId: userId, email: "ana@example.com" }, now())).rejects.toMatchObject({
      status: 409,
      details: `User ${userId} has an account already, bo@example.com; nobody can claim it.`,
    });
  });

  test.each([true, false])("of a producer that is claimed already (account before: %s)", async (hasAccount) => {
    if (hasAccount) await portal.signUp("ana@example.com");
    const ana = await producer("Ana");
    await prove((await claim("Ana", "ana@example.com")).token);
    const again = createClaim(db, { producerId: ana, email: "bo@example.com" }, now());
    await expect(again).rejects.toMatchObject({ status: 409 });
  });

  test("of an unknown user, of a user who is not a producer, and by an invalid address", async () => {
    const request = (producerId: number, email: string) => createClaim(db, { producerId, email }, now());
    await expect(request(999_999, "ana@example.com")).rejects.toMatchObject({ status: 404 });
    const [{ id } = { id: 0 }] =
      await driver`insert into users (username, display_name) values ('x', 'X') returning id::int`;
    await expect(request(Number(id), "ana@example.com")).rejects.toMatchObject({
      details: `User ${id} is not a producer.`,
    });
    await expect(request(await producer("Ana"), "ana")).rejects.toMatchObject({ status: 400 });
  });
});

test("revoking is 409 for a proven claim and 404 for an unknown one", async () => {
  const { claim: newClaim, token } = await claim("Ana", "ana@example.com");
  await prove(token);
  await expect(revokeClaim(db, newClaim.id, now())).rejects.toMatchObject({ status: 409 });
  await expect(revokeClaim(db, 999_999, now())).rejects.toMatchObject({ status: 404 });
});

test("unproven claims are deleted 30 days after they expired; proven claims stay", async () => {
  await claim("Bo", "bo@example.com");
  await prove((await claim("Ana", "ana@example.com")).token);
  const after = (days: number) => new Date(clock.nowMs() + (days * 24 + 24) * hourMs + 1);
  await deleteOldClaims(db, after(29));
  expect(await listClaims(db)).toHaveLength(2);
  await deleteOldClaims(db, after(30));
  expect((await listClaims(db)).map(({ email }) => email)).toEqual(["ana@example.com"]);
});
