import { expect, test } from "vitest";
import { readReport } from "./vitest-report.mjs";

const passed = { status: "passed", fullName: "a beat is published" };
const failed = { status: "failed", fullName: "a beat is sold" };

test("every failed test is named with its file", () => {
  const report = {
    numPassedTests: 1,
    testResults: [{ name: "beats.test.ts", status: "failed", assertionResults: [passed, failed] }],
  };
  expect(readReport(report, 1)).toEqual({ passed: 1, failures: ["beats.test.ts: a beat is sold"] });
});

test("a file whose set-up fails is named, though none of its tests failed", () => {
  const report = {
    numPassedTests: 0,
    testResults: [{ name: "beats.test.ts", status: "failed", assertionResults: [] }],
  };
  expect(readReport(report, 1)).toEqual({ passed: 0, failures: ["beats.test.ts"] });
});

test("a run that fails without a failed test is one failure", () => {
  const report = {
    numPassedTests: 1,
    testResults: [{ name: "beats.test.ts", status: "passed", assertionResults: [passed] }],
  };
  expect(readReport(report, 1).failures).toHaveLength(1);
  expect(readReport(undefined, 1)).toEqual({ passed: 0, failures: [expect.any(String)] });
});

test("a run that passes has no failure", () => {
  const report = {
    numPassedTests: 1,
    testResults: [{ name: "beats.test.ts", status: "passed", assertionResults: [passed] }],
  };
  expect(readReport(report, 0)).toEqual({ passed: 1, failures: [] });
});
