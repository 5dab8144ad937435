/** Returns the first `count` elements in sorted order. O(n) if `count` is small. */
export function best<Item>(items: Iterable<Item>, count: number, compare: (a: Item, b: Item) => number): Item[] {
  const first: Item[] = [];
  if (count <= 0) return first;
  for (const item of items) {
    if (first.length === count && compare(item, first[count - 1] as Item) >= 0) continue;
    let low = 0;
    let high = first.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(first[middle] as Item, item) <= 0) low = middle + 1;
      else high = middle;
    }
    first.splice(low, 0, item);
    if (first.length > count) first.pop();
  }
  return first;
}
