import fc from "fast-check";
import { expect, test } from "vitest";
import { MemberSets, Members, type UncollectedSet } from "./members.ts";

// Sets of more than 8 members become bitmaps, and lists of every length occur.
const size = 5_000;
const numbers = fc
  .tuple(fc.constantFrom(3, 60, 1_000), fc.integer({ min: 1, max: 40 }), fc.array(fc.nat(size - 1), { maxLength: 30 }))
  .map(([length, step, others]) =>
    Array.from(new Set([...Array.from({ length }, (_, n) => (n * step) % size), ...others])).sort((a, b) => a - b),
  );
const sets = fc.array(
  fc.array(fc.record({ numbers, form: fc.constantFrom("list", "collected", "uncollected") }), { maxLength: 3 }),
  { minLength: 1, maxLength: 3 },
);

function uncollected(memberSets: MemberSets, members: readonly number[]): UncollectedSet {
  const known = new Set(members);
  return {
    most: members.length + 100,
    has: (member) => known.has(member),
    filter: (list, into, from) => {
      const filtered = list.filter((member) => known.has(member));
      into.set(filtered, from);
      return filtered.length;
    },
    all: () => collected(memberSets, members),
  };
}

const collected = (memberSets: MemberSets, members: readonly number[]): Members =>
  memberSets.gather((into) => {
    for (const member of members.toReversed()) into.add(member);
  });

test("an intersection of unions has the same members as that of JavaScript's sets, whatever the forms of the sets", () => {
  const memberSets = new MemberSets();
  fc.assert(
    fc.property(sets, (each) => {
      memberSets.begin(size);
      const made = each.map((some) =>
        some.map(({ numbers, form }) => {
          if (form === "list") return Members.of(Uint32Array.from(numbers));
          return form === "collected" ? collected(memberSets, numbers) : uncollected(memberSets, numbers);
        }),
      );
      const unions = each.map((some) => new Set(some.flatMap(({ numbers }) => numbers)));
      const expected = unions.reduce((both, union) => both.intersection(union));
      const found = memberSets.all(made);
      expect(Array.from(found.slots())).toEqual(Array.from(expected).sort((a, b) => a - b));
      expect(found.count).toBe(expected.size);
      expect(found.most).toBeGreaterThanOrEqual(expected.size);
    }),
    { numRuns: 300, seed: 2026 },
  );
});
