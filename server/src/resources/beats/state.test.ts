import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  afterFailure,
  beatStatuses,
  requireTransition,
  type Stage,
  type StoredState,
  statusAfterEdit,
  statusOf,
  stored,
  transitions,
} from "./state.ts";

const stages: Stage[] = ["draft", "processing", "released"];
const booleans = [false, true];

/** Every state that the tables can store for a beat that is not taken down. */
const states: StoredState[] = booleans.flatMap((is_listed) =>
  ["available", "held", "sold"].flatMap((exclusive_state) => [
    { is_listed, is_taken_down: false, exclusive_state, production: null },
    ...stages.flatMap((stage) =>
      booleans.flatMap((was_published) =>
        [null, "The file is silent."].map((rejection) => ({
          is_listed,
          is_taken_down: false,
          exclusive_state,
          production: { stage, was_published, rejection },
        })),
      ),
    ),
  ]),
);
const reachableStates = states.filter(({ is_listed, exclusive_state, production }) => {
  if (is_listed && exclusive_state === "sold") return false;
  const isFirst = production !== null && !production.was_published;
  return isFirst
    ? !is_listed && exclusive_state === "available" && production.stage !== "released"
    : production?.stage !== "draft";
});

test("the documentation has exactly the transitions of the code, with their causes", async () => {
  const text = await readFile(join(import.meta.dirname, "../../../../docs/publishing.md"), "utf8");
  const [, section = ""] = text.split("## States of a beat\n");
  const rows = [...section.matchAll(/^\| (\S+) \| (\S+) \| (.+) \|$/gm)].map(([, from, to, cause]) => ({
    from: from?.replaceAll("`", ""),
    to: to?.replaceAll("`", ""),
    cause,
  }));
  expect(rows.filter(({ from }) => from !== "from" && !from?.startsWith("---"))).toEqual(transitions);
});

test.each(beatStatuses)("a beat stored as %s has that status", (status) => {
  const { stage, is_listed = false } = { is_listed: undefined, ...stored[status] };
  const production = { stage, was_published: stage === "released", rejection: null };
  expect(statusOf({ is_listed, is_taken_down: false, exclusive_state: "available", production })).toBe(status);
});

test("an edit makes only transitions of the table", () => {
  const isKnown = (from: string, to: string) =>
    from === to || transitions.some((transition) => transition.from === from && transition.to === to);
  const executedTransitions = new Set<string>();
  // Only imported beats lack an upload of audio.
  for (const state of reachableStates)
    for (const requested of [undefined, "draft", "published"] as const)
      for (const hasAudio of statusOf(state) === "draft" || statusOf(state) === "processing" ? [true] : booleans)
        for (const hasNewFiles of booleans) {
          const from = statusOf(state);
          let to: string | null = null;
          try {
            to = statusAfterEdit(state, { beatId: 1, requested, hasAudio, hasNewFiles });
          } catch {
            continue;
          }
          // The new files of a published beat are processed while it stays on sale.
          if (to === null || (from === "published" && to === "processing")) continue;
          expect(isKnown(from, to), `${from} → ${to}`).toBe(true);
          executedTransitions.add(`${from} → ${to}`);
        }
  expect([...executedTransitions].sort()).toEqual([
    "draft → processing",
    "processing → draft",
    "processing → processing",
    "published → published",
    "withdrawn → processing",
    "withdrawn → published",
  ]);
});

test("an edit without a new file does not change the status of an imported beat on sale", () => {
  const imported = { is_listed: true, is_taken_down: false, exclusive_state: "available", production: null };
  const edit = { beatId: 1, requested: "published", hasAudio: false, hasNewFiles: false } as const;
  expect(statusAfterEdit(imported, edit)).toBeNull();
});

test("an imported beat has been on sale, so it is never a draft", () => {
  const imported = { is_listed: false, is_taken_down: false, exclusive_state: "available", production: null };
  const edit = { beatId: 1, requested: "draft", hasAudio: false, hasNewFiles: false } as const;
  expect(() => statusAfterEdit(imported, edit)).toThrow(
    expect.objectContaining({ status: 409, details: expect.stringContaining("has been on sale") }),
  );
});

test("a write between two states is refused unless the table of transitions has it", () => {
  const refusedTransitions = new Set<string>();
  for (const before of reachableStates)
    for (const after of [...reachableStates, null])
      try {
        requireTransition(before, after);
      } catch {
        refusedTransitions.add(`${statusOf(before)} → ${after === null ? "none" : statusOf(after)}`);
      }
  expect([...refusedTransitions].sort()).toEqual([
    "draft → published",
    "draft → withdrawn",
    "published → draft",
    "published → processing",
    "withdrawn → draft",
  ]);
});

test("a beat whose publishing fails is withdrawn if it was published before, and a draft otherwise", () => {
  for (const state of reachableStates.filter((each) => statusOf(each) === "processing"))
    expect(afterFailure(state)).toBe(state.production?.was_published === true ? "withdrawn" : "draft");
});
