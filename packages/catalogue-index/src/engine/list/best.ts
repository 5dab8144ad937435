/** Returns the first `count` elements in sorted order. O(n) if `count` is small. */
export function best<Its>(all: Iterable<Its>, count: number, compare: (a: Its, b: Its) => number): Its[] {
  const first: Its[] = [];
  if (count <= 0) return first;
  for (const one of all) {
    if (first.length === count && compare(one, first[count - 1] as Its) >= 0) continue;
    let [low, high] = [0, first.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(first[middle] as Its, one) <= 0) low = middle + 1;
      else high = middle;
    }
    first.splice(low, 0, one);
    if (first.length > count) first.pop();
  }
  return first;
}
