/** Round values from 0 to at least `max`, so that gridlines have short labels. */
export function roundTicks(max: number): number[] {
  if (!(max > 0)) return [0];
  const power = 10 ** Math.floor(Math.log10(max / 2));
  const step = [1, 2, 5, 10].map((times) => times * power).find((each) => each * 2 >= max) ?? max;
  return [0, step, step * 2];
}

/**
 * The indexes of the places that get a label: the first of `count`, and every nth after it, so that labels of `labelPx`
 * do not touch. A label, except the first, needs 60 % of `labelPx` to the end of the chart.
 */
export function labelledPlaces(count: number, stepPx: number, labelPx: number): number[] {
  const stride = Math.max(1, Math.ceil(labelPx / Math.max(stepPx, 0.1)));
  return Array.from({ length: Math.ceil(count / stride) }, (_, index) => index * stride).filter(
    (place) => place === 0 || (count - place) * stepPx >= labelPx * 0.6,
  );
}
