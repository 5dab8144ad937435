import type { Service } from "../bench.ts";
import { readData, readPage } from "../load/request.ts";
import { shuffled } from "../load/shuffle.ts";

const sorts = ["newest", "popular", "price_asc", "price_desc"];
const depths = 10;
const genresWalked = 12;
const producersWalked = 400;
const walkersAtOnce = 16;

/**
 * Paths of `count` different pages of beats: by `after`, in every order, at many depths, of all beats, of genres and of
 * producers; fewer if the catalogue has no more. Collecting them fills the cache, so invalidate lists before
 * measuring them.
 */
export async function pagePaths(service: Service, count: number): Promise<string[]> {
  const starts = await startingPages(service);
  const stepsPerListing = Math.ceil(count / starts.length);
  const paths: string[] = [];
  const walkers = Array.from({ length: walkersAtOnce }, async () => {
    for (let start = starts.shift(); start !== undefined; start = starts.shift()) {
      // Short listings have few pages, so longer listings contribute more.
      const steps = Math.max(stepsPerListing, Math.ceil((count - paths.length) / (starts.length + walkersAtOnce)));
      for await (const path of walk(service, start, steps)) paths.push(path);
    }
  });
  await Promise.all(walkers);
  return shuffled(paths.length)
    .map((position) => paths[position - 1] ?? "")
    .slice(0, count);
}

/**
 * The pages where the walks start. Short listings come first, so that long listings can supply the pages that these
 * lack.
 */
async function startingPages(service: Service): Promise<string[]> {
  const { total } = (await readPage(service, "/v1/beats?limit=1")).pagination;
  const { genres } = await readData<{ genres: { id: number; beats_count: number }[] }>(service, "/v1/genres");
  const largest = genres.toSorted((a, b) => b.beats_count - a.beats_count).slice(0, genresWalked);
  const producers = await producersByBeats(service);
  const deepPages = (count: number) =>
    Array.from({ length: depths }, (_, depth) => 1 + Math.floor((count * depth) / depths / 20));
  return [
    ...producers.map((id) => `/v1/beats?producer=${id}`),
    ...largest.flatMap(({ id }) => sorts.map((sort) => `/v1/beats?genre=${id}&sort=${sort}`)),
    ...deepPages(total).flatMap((page) => sorts.map((sort) => `/v1/beats?sort=${sort}&page=${page}`)),
  ];
}

async function producersByBeats(service: Service): Promise<number[]> {
  const producers: { id: number; beats_count: number }[] = [];
  for (let page = 1; page <= producersWalked / 100; page++) {
    const path = `/v1/producers?limit=100&page=${page}`;
    producers.push(...(await readData<{ producers: typeof producers }>(service, path)).producers);
  }
  return producers.toSorted((a, b) => a.beats_count - b.beats_count).map(({ id }) => id);
}

async function* walk(service: Service, start: string, steps: number): AsyncGenerator<string> {
  let { next } = await readPage(service, start);
  for (let step = 0; step < steps && next !== null; step++) {
    yield next;
    ({ next } = await readPage(service, next));
  }
}
