import { seededRandom } from "../catalogue/seeded/random.ts";

const keys = ["9A", "8A", "C major", "F# minor", "Eb major", "D minor", "G major", "B minor"];
const sorts = ["newest", "popular", "price_asc", "price_desc", "bpm_asc", "bpm_desc"];
const maxFilters = 4;
/** One request in this many is for a far page. */
const farEvery = 5;
const pageSize = 20;

/** The values of the filters. */
export interface FilterValues {
  genres: readonly number[];
  producers: readonly number[];
  /** The number of beats in the catalogue. */
  beats: number;
}

/**
 * Paths of `count` different pages of beats with one to four random filters, in every order. A fifth of them ask for a
 * far page by its number. The same seed gives the same paths.
 */
export function filterPaths({ genres, producers, beats }: FilterValues, count: number, seed = 1): string[] {
  const random = seededRandom(seed);
  const randomBelow = (end: number) => Math.floor(random() * end);
  const pick = <T>(values: readonly T[]): T => values[randomBelow(values.length)] as T;
  const pickTwo = <T>(values: readonly T[]): T[] => {
    const first = randomBelow(values.length);
    return [values[first] as T, values[(first + 1 + randomBelow(values.length - 1)) % values.length] as T];
  };
  const between = (name: string, lowest: number, highest: number) => {
    const [min, max] = [lowest + randomBelow(highest - lowest), lowest + randomBelow(highest - lowest)].sort(
      (a, b) => a - b,
    );
    return `${name}_min=${min}&${name}_max=${max}`;
  };
  // A page uses at most one filter of each row, so that no two filters apply to the same value.
  const filters: (() => string)[][] = [
    [
      () => between("bpm", 60, 190),
      () => `bpm=${70 + randomBelow(100)}&bpm_tolerance=${randomBelow(6)}&half_double=${random() < 0.5}`,
    ],
    [
      () => `key=${encodeURIComponent(pickTwo(keys).join(","))}`,
      () => `key_compatible=${encodeURIComponent(pick(keys))}`,
    ],
    [() => between("price", 1, 100)],
    [() => between("duration", 60, 400)],
    [() => `created_after=${new Date(Date.UTC(1990 + randomBelow(35), randomBelow(12), 1)).toISOString()}`],
    [() => `genre=${pick(genres)}`, () => `genre=${pickTwo(genres).join(",")}`],
    [() => `producer=${pick(producers)}`],
    [() => `license=${pick(["basic", "exclusive"])}`],
  ];
  const paths = new Set<string>();
  while (paths.size < count) {
    const unused = [...filters];
    const parameters = Array.from({ length: 1 + randomBelow(maxFilters) }, () => {
      const [row = []] = unused.splice(randomBelow(unused.length), 1);
      return pick(row)();
    });
    const page = paths.size % farEvery === 0 ? `&page=${1 + randomBelow(beats / pageSize / 10)}` : "";
    paths.add(`/v1/beats?sort=${pick(sorts)}&${parameters.join("&")}${page}`);
  }
  return [...paths];
}
