/** The numbers 1 to n, shuffled the same way every time. */
export function shuffled(n: number): number[] {
  const numbers = Array.from({ length: n }, (_, index) => index + 1);
  let state = 42;
  for (let at = n - 1; at > 0; at--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = state % (at + 1);
    [numbers[at], numbers[other]] = [numbers[other] ?? 0, numbers[at] ?? 0];
  }
  return numbers;
}
