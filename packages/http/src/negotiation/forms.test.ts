import { describe, expect, it } from "vitest";
import { chooseForm, prefersEventStream } from "./forms.ts";

const console = "application/vnd.beatmarket.console+json";

describe("chooseForm", () => {
  it.each([
    [undefined, "reference"],
    ["", "reference"],
    ["*/*", "reference"],
    ["application/json", "reference"],
    ["application/*", "reference"],
    ["text/html, application/problem+json", "reference"],
    ["text/html,application/xhtml+xml,*/*;q=0.8", "reference"],
    [console, "console"],
    [console.toUpperCase(), "console"],
    [`${console};q=0.9, application/json;q=0.5`, "console"],
    [`${console}, */*`, "console"],
    [`*/*, ${console}`, "console"],
    [`${console}, application/json`, "console"],
    [`application/json, ${console}`, "reference"],
    [`${console};q=0.4, application/json`, "reference"],
    [`${console};q=0, */*`, "reference"],
    ["application/json;q=0, */*", "none"],
    ["text/html", "none"],
    ["application/json;q=0", "none"],
    [`${console};q=0`, "none"],
    ["application/json;q=nonsense", "none"],
  ])("Accept %s selects the form %s (none: 406)", (accept, form) => {
    const choose = () => chooseForm(accept);
    if (form === "none") expect(choose).toThrow(expect.objectContaining({ status: 406, code: "invalid_request" }));
    else expect(choose()).toBe(form);
    // The cached result must be the same.
    if (form === "none") expect(choose).toThrow(expect.objectContaining({ status: 406 }));
    else expect(choose()).toBe(form);
  });
});

describe("prefersEventStream", () => {
  const stream = "text/event-stream";
  it.each([
    [undefined, false],
    ["*/*", false],
    ["text/*", false],
    ["application/json", false],
    [stream, true],
    [`${stream}, */*`, true],
    [`*/*, ${stream}`, true],
    [`${stream}, application/json`, true],
    [`application/json, ${stream}`, false],
    [`${console}, ${stream}`, false],
    [`${stream};q=0.5, application/json`, false],
    [`${stream};q=0.5, */*;q=0.1`, true],
    [`${stream};q=0.9, ${console};q=0.5, application/json;q=0.4`, true],
    [`${stream};q=0`, false],
  ])("%s: %s", (accept, isStream) => {
    expect(prefersEventStream(accept)).toBe(isStream);
  });
});
