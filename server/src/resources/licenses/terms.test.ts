import { builtInTerms } from "@beatmarket/license-terms/built-in.ts";
import { describe, expect, it } from "vitest";
import { testDatabase } from "../../../test/harness/database/database.ts";
import { findTerms, recordTerms } from "./terms.ts";

const { query: db } = await testDatabase();
const now = new Date("2026-11-22T12:00:00Z");

describe("terms in the database", () => {
  it("are stored by version, and cannot change under one version", async () => {
    await Promise.all([recordTerms(db, builtInTerms, now), recordTerms(db, builtInTerms, now)]);
    const { basic } = builtInTerms.texts;
    const texts = { ...builtInTerms.texts, basic: { ...basic, text: `${basic.text} And more.` } };
    await expect(recordTerms(db, { version: "2026-11-26", texts }, now)).rejects.toThrow(
      "The terms of the basic license changed under the version 2026-11-26",
    );
    await recordTerms(db, { version: "2027-01", texts }, new Date(now.getTime() + 1));
    expect((await findTerms(db, "2026-11-26", "basic", null)).text).toBe(basic.text);
    expect((await findTerms(db, "2027-01", "basic", null)).text).toBe(texts.basic.text);
    // An order that is older than the versions of terms.
    expect((await findTerms(db, null, "basic", null)).version).toBe("2026-11-26");
  });
});

describe("terms with limits of a producer", () => {
  it("show those limits, and equal the terms of the version in everything else", async () => {
    await recordTerms(db, builtInTerms, now);
    const changed = { streams: 50_000, videos: 0, paid_performances: 1, years: 1 };
    const { text, limits } = await findTerms(db, "2026-11-26", "basic", changed);
    const [before, after] = [builtInTerms.texts.basic.text, text].map((each) => each.split("\n"));
    expect(after?.filter((line) => !before?.includes(line))).toEqual([
      "- Streaming: up to 50,000 audio and video streams on all services together, paid or not.",
      "- Music videos: none.",
      "- Live: 1 performance for pay, and any number for which nobody is paid.",
      "- Term: 1 year from the date of the order. What was distributed by then may stay available.",
    ]);
    expect(after?.length).toBe(before?.length);
    expect(limits).toEqual({ copies: 2_000, radio_stations: 2, ...changed });
  });

  it("are read once for the same limits", async () => {
    const terms = await findTerms(db, "2026-11-26", "basic", { streams: 60_000 });
    expect(await findTerms(db, "2026-11-26", "basic", { streams: 60_000 })).toBe(terms);
    expect((await findTerms(db, "2026-11-26", "basic", { streams: 70_000 })).limits?.streams).toBe(70_000);
  });

  it("stay within the bounds of the terms, even if the beat has a limit outside them", async () => {
    const { limits } = await findTerms(db, "2026-11-26", "basic", { streams: 5, copies: null });
    expect(limits).toMatchObject({ streams: 1_000, copies: 50_000 });
  });

  it("have no effect on a version that is stored without limits and clauses, until these are recorded", async () => {
    await db.updateTable("license_terms").set({ template: null, limits: null, clauses: null }).execute();
    expect((await findTerms(db, "2026-11-26", "basic", { streams: 40_000 })).limits).toBeNull();
    await recordTerms(db, builtInTerms, now);
    expect((await findTerms(db, "2026-11-26", "basic", { streams: 40_000 })).text).toContain("up to 40,000 audio");
    const { clauses } = await findTerms(db, "2026-11-26", "basic", { streams: 40_000 });
    expect(clauses?.find(({ name }) => name === "streams")?.text).toContain("up to 40,000 audio");
  });
});
