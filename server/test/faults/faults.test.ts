import { describe, expect, it } from "vitest";
import { Report } from "../harness/programmes/report.ts";
import { faults, play } from "./programme.ts";

// A short version of `npm run faults`: each guarantee once, without durations. Only `npm run faults` kills at random
// times.
const played = ["postgres-killed", "postgres-connections", "stopping", "rolling", "connections", "receivers"];

describe("the guarantees hold when", () => {
  it.each(faults.filter(({ name }) => played.includes(name)))("$about", async (fault) => {
    const report = new Report({ bounds: "ignored" });
    await play(fault, report, "short");
    expect(report.results.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    expect(report.count("passed")).toBeGreaterThan(1);
  });
});

describe("a report", () => {
  it("counts a guarantee that does not hold as failed, and leaves out time limits if bounds are ignored", () => {
    const [strictReport, ignored] = (["held", "ignored"] as const).map((bounds) => {
      const report = new Report({ bounds });
      report.begin("trial");
      report.check("kept", true, "1 of 1");
      report.check("lost", false, 3);
      report.bound("in time", 5, 10, "ms");
      report.bound("too late", 11, 10, "ms");
      report.measure("seen", 7);
      report.skip("elsewhere", "not here");
      return (["passed", "failed", "skipped", "measured"] as const).map((outcome) => report.count(outcome));
    });
    expect([strictReport, ignored]).toEqual([
      [2, 2, 1, 1],
      [1, 1, 1, 1],
    ]);
  });

  it("counts an error thrown by a fault as a failed check, and ends the fault's processes", async () => {
    const report = new Report({ bounds: "ignored" });
    let isEnded = false;
    const fault = {
      name: "broken",
      about: "something breaks",
      run: async (stage: Parameters<(typeof faults)[number]["run"]>[0]) => {
        stage.onClose(async () => {
          isEnded = true;
        });
        throw new Error("It broke.");
      },
    };
    await play(fault, report, "short");
    expect(report.results).toMatchObject([
      { part: "broken", outcome: "failed", figure: expect.stringMatching("It broke.") },
    ]);
    expect(isEnded).toBe(true);
  });
});
