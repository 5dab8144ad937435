/** The numbers 1 to n, shuffled the same way every time. */
export function shuffled(n: number): number[] {
  const numbers = Array.from({ length: n }, (_, index) => index + 1);
  let state = 42;
  for (let index = n - 1; index > 0; index--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const swapIndex = state % (index + 1);
    [numbers[index], numbers[swapIndex]] = [numbers[swapIndex] ?? 0, numbers[index] ?? 0];
  }
  return numbers;
}
