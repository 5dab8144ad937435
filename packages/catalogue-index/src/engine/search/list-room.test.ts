import { expect, it } from "vitest";
import { ListRoom } from "./list-room.ts";

/** Writes a list of `length` equal members. */
function write(room: ListRoom, member: number, length: number, most = length): Uint32Array {
  room.reserve(most);
  room.block.fill(member, room.end, room.end + length);
  return room.take(length);
}

it("a list of a search never overwrites another one, whatever their lengths", () => {
  const room = new ListRoom();
  for (let search = 0; search < 3; search++) {
    room.begin();
    const lengths = Array.from({ length: 60 }, (_, n) => (n * 7_919) % 40_000);
    const lists = lengths.map((length, n) => write(room, n + 1, length, length + 100));
    for (const [n, list] of lists.entries()) {
      expect(list.length).toBe(lengths[n]);
      expect(list.every((member) => member === n + 1)).toBe(true);
    }
  }
});

it("the next search overwrites the lists of the previous one", () => {
  const room = new ListRoom();
  const first = write(room, 1, 10);
  room.begin();
  expect(write(room, 2, 10).buffer).toBe(first.buffer);
  expect(Array.from(first)).toEqual(Array(10).fill(2));
});
