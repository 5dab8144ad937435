import { writeFileSync } from "node:fs";

/** If no test ends within this time, the run counts as stuck. Longer than the longest test on a busy machine. */
const stuckMs = 1_200_000;

/**
 * A reporter for Vitest that writes the results of a run into the file `COUNTS_FILE`: the number of passed tests, and
 * the names of failures. If no test ends for a long time, it stops the run, and reports the running tests as failures.
 */
export default class CountingReporter {
  #passed = 0;
  /** @type {string[]} */
  #failures = [];
  /** The modules that are running, each with its running tests. */
  #running = new Map();
  #lastEndMs = performance.now();
  #watch;
  #file;
  #exit;

  /** @param {{ file?: string, exit?: (code: number) => unknown }} options for tests */
  constructor({ file = process.env.COUNTS_FILE, exit = (code) => process.exit(code) } = {}) {
    this.#file = file;
    this.#exit = exit;
  }

  onTestRunStart() {
    this.#watch = setInterval(() => this.#stopIfStuck(), 10_000);
    this.#watch.unref?.();
  }

  onTestModuleStart(module) {
    this.#running.set(module.moduleId, new Set());
  }

  onTestCaseReady(test) {
    this.#running.get(test.module.moduleId)?.add(test.fullName);
  }

  onTestCaseResult(test) {
    this.#lastEndMs = performance.now();
    this.#running.get(test.module.moduleId)?.delete(test.fullName);
    const { state } = test.result();
    if (state === "passed") this.#passed += 1;
    if (state === "failed") this.#failures.push(`${test.module.moduleId}: ${test.fullName}`);
  }

  onTestModuleEnd(module) {
    this.#lastEndMs = performance.now();
    this.#running.delete(module.moduleId);
    // A module that fails to load, or whose set-up fails, has no failed test, but counts as a failure.
    const hasFailedTest = this.#failures.some((name) => name.startsWith(`${module.moduleId}: `));
    if (module.state() === "failed" && !hasFailedTest) this.#failures.push(module.moduleId);
  }

  onTestRunEnd(_modules, errors) {
    clearInterval(this.#watch);
    // If no test failed, an error outside of any test is a failure.
    if (this.#failures.length === 0 && errors.length > 0) this.#failures.push(`Vitest: ${errors[0].message}`);
    this.#write();
  }

  #stopIfStuck() {
    if (performance.now() - this.#lastEndMs < stuckMs) return;
    for (const [module, tests] of this.#running)
      this.#failures.push(`${module}: ${[...tests].join(", ") || "its set-up or end"} did not end`);
    this.#write();
    console.error(`No test ended for ${stuckMs / 60_000} minutes. The run is stopped.`);
    this.#exit(1);
  }

  #write() {
    if (this.#file !== undefined)
      writeFileSync(this.#file, JSON.stringify({ passed: this.#passed, failures: this.#failures }));
  }
}
