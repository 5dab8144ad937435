/**
 * What a Vitest run came to, from its JSON report: how many tests passed and failed, and what failed, by name.
 * `report` is undefined where Vitest wrote none.
 */
export function readReport(report, exitCode) {
  const files = report?.testResults ?? [];
  const failures = files.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === "failed");
    // A file that fails to load, or whose set-up fails, has no failed test.
    if (failed.length === 0) return status === "failed" ? [name] : [];
    return failed.map((test) => `${name}: ${test.fullName}`);
  });
  // A run that fails without a failed test, such as one that found no test or left an error unhandled, is one failure.
  if (failures.length === 0 && exitCode !== 0) failures.push("Vitest failed, and no test of it");
  return { passed: report?.numPassedTests ?? 0, failures };
}
