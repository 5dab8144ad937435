import type {
  BeatFilters,
  BeatSort,
  FacetCount,
  FacetName,
  Facets,
  ListQuery,
  ListResult,
  Range,
} from "@beatmarket/catalogue-index/query.ts";
import type { Driver } from "@beatmarket/postgres/testing/driver.ts";

// The results that the index must return, computed by plain SQL over all rows, in the snapshot of a transaction.

const shownBpm = "greatest(1, floor(tempo + 0.5))";
const createdAt = "(extract(epoch from created_at) * 1000000)";

const sortKeys: Record<BeatSort, { key: string; isAscending: boolean }> = {
  newest: { key: createdAt, isAscending: false },
  popular: { key: "popularity_key", isAscending: false },
  price_asc: { key: "price_cents", isAscending: true },
  price_desc: { key: "price_cents", isAscending: false },
  bpm_asc: { key: shownBpm, isAscending: true },
  bpm_desc: { key: shownBpm, isAscending: false },
};

export async function listBySql(
  driver: Driver,
  { filters, sort, offset, limit, seek, facets }: ListQuery,
): Promise<ListResult> {
  const condition = whereOf(filters);
  const { key, isAscending } = sortKeys[sort];
  const isForward = seek?.direction !== "backward";
  const direction = isAscending === isForward ? "asc" : "desc";
  const comparison = direction === "asc" ? ">" : "<";
  const after = seek === undefined ? "" : `and (${key}, id) ${comparison} (${seek.key}, ${seek.id})`;
  const rows = await driver.unsafe<{ id: number; key: number }[]>(
    `select id, ${key} as key from beats where ${condition} ${after} order by ${key} ${direction}, id ${direction}
     limit ${limit + 1} offset ${seek === undefined ? offset : 0}`,
  );
  const [counted] = await driver.unsafe<{ total: number }[]>(`select count(*) as total from beats where ${condition}`);
  const result: ListResult = {
    ids: rows.map(({ id }) => id),
    keys: rows.map((row) => Number(row.key)),
    total: counted?.total ?? 0,
  };
  if (facets !== undefined) result.facets = await facetsBySql(driver, filters, facets);
  return result;
}

async function facetsBySql(driver: Driver, filters: BeatFilters, names: readonly FacetName[]): Promise<Facets> {
  const facets: Facets = {};
  for (const name of names) facets[name] = await facetsOf[name](driver, filters);
  return facets;
}

const counts = (driver: Driver, value: string, from: string) =>
  driver.unsafe<FacetCount[]>(`select ${value} as value, count(*) as count from ${from} group by 1 order by 2 desc, 1`);

const facetsOf: Record<FacetName, (driver: Driver, filters: BeatFilters) => Promise<FacetCount[]>> = {
  genre: (driver, filters) => counts(driver, "genre_id", `beats where ${whereOf({ ...filters, genres: undefined })}`),
  key: (driver, filters) => counts(driver, "key_code::int", `beats where ${whereOf({ ...filters, keys: undefined })}`),
  tag: (driver, filters) =>
    counts(
      driver,
      "tag",
      `(select distinct id, lower(tag) as tag from beats, unnest(tags) as tag where ${whereOf({ ...filters, tags: undefined })}) as tagged`,
    ),
  bpm: async (driver, filters) => inRanges(driver, shownBpm, whereOf({ ...filters, bpm: undefined }), 10),
  price: async (driver, filters) => {
    const condition = whereOf({ ...filters, priceCents: undefined });
    const [extent] = await driver.unsafe<{ low: number | null; high: number | null }[]>(
      `select min(price_cents) as low, max(price_cents) as high from beats where ${condition}`,
    );
    if (extent === undefined || extent.low === null || extent.high === null) return [];
    return inRanges(driver, "price_cents", condition, priceStep(extent.low, extent.high));
  },
};

const inRanges = (driver: Driver, value: string, condition: string, step: number) =>
  driver.unsafe<FacetCount[]>(
    `select (floor(${value} / ${step}::float8) * ${step})::float8 as value,
            (floor(${value} / ${step}::float8) * ${step} + ${step - 1})::float8 as max, count(*) as count
     from beats where ${condition} group by 1, 2 order by 1`,
  );

/**
 * The smallest step of the form 1, 2 or 5 times a power of ten with which ten ranges cover the lowest to the highest
 * price.
 */
function priceStep(low: number, high: number): number {
  for (let power = 1; ; power *= 10)
    for (const step of [power, 2 * power, 5 * power])
      if (Math.floor(high / step) - Math.floor(low / step) < 10) return step;
}

const rangeCondition = (value: string, { min, max }: Range): string =>
  [min === undefined ? "true" : `${value} >= ${min}`, max === undefined ? "true" : `${value} <= ${max}`].join(" and ");

function whereOf(filters: BeatFilters): string {
  const { genres, producers, keys, tags, bpm, priceCents, durationSeconds, createdAtMicroseconds, availableLicenses } =
    filters;
  const anyOf = (values: readonly number[]) => `any ('{${values.join(",")}}'::bigint[])`;
  return [
    "is_listed",
    genres && `genre_id = ${anyOf(genres)}`,
    producers && `user_id = ${anyOf(producers)}`,
    keys && `key_code = ${anyOf(keys)}`,
    tags &&
      `exists (select from unnest(tags) as tag where lower(tag) = any ('{${tags.map((tag) => tag.toLowerCase()).join(",")}}'))`,
    bpm && `(${bpm.map((range) => rangeCondition(shownBpm, range)).join(" or ")})`,
    priceCents && rangeCondition("price_cents", priceCents),
    durationSeconds && rangeCondition("duration_seconds", durationSeconds),
    createdAtMicroseconds && rangeCondition(createdAt, createdAtMicroseconds),
    availableLicenses && `available_licenses(exclusive_state, unsold_licenses) & ${availableLicenses} <> 0`,
  ]
    .filter((each) => each !== undefined)
    .join(" and ");
}
