/** A row of the queries of both peers. */
export interface BeatRow {
  id: number;
  title: string;
  user_id: number;
  producer_name: string;
  genre_id: number;
  genre_name: string;
  price_cents: number;
  duration_seconds: number;
  tempo: number;
  key: string;
  audio_url: string | null;
  cover_image: string | null;
  created_at: Date;
  play_count: number;
  download_count: number;
}

export interface DetailRow extends BeatRow {
  description: string;
  tags: string[];
  premium_price_cents: number;
  unlimited_price_cents: number;
  exclusive_price_cents: number;
  is_listed: boolean;
  updated_at: Date;
}

const time = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`;

/** A beat in the form of the API, field by field. */
export const beatJson = (row: BeatRow, origin: string) => ({
  id: row.id,
  title: row.title,
  user_id: row.user_id,
  producer_name: row.producer_name,
  genre: { id: row.genre_id, name: row.genre_name },
  price: row.price_cents / 100,
  duration: row.duration_seconds,
  bpm: Math.max(1, Math.round(row.tempo)),
  key: row.key,
  audio_url: row.audio_url ?? `${origin}/media/beats/${row.id}.wav`,
  cover_image: row.cover_image ?? `${origin}/media/beats/${row.id}.svg`,
  created_at: time(row.created_at),
  play_count: row.play_count,
  download_count: row.download_count,
});

export const detailJson = (row: DetailRow, origin: string) => ({
  ...beatJson(row, origin),
  description: row.description,
  tags: row.tags,
  licenses: [
    { type: "basic", price: row.price_cents / 100, available: row.is_listed },
    { type: "premium", price: row.premium_price_cents / 100, available: row.is_listed },
    { type: "unlimited", price: row.unlimited_price_cents / 100, available: row.is_listed },
    { type: "exclusive", price: row.exclusive_price_cents / 100, available: row.is_listed },
  ],
  updated_at: time(row.updated_at),
});

/** `total` is null if it was not counted. Then a full page counts as having a next page. */
export function paginationJson(
  url: URL,
  { page, limit, total, items }: { page: number; limit: number; total: number | null; items: number },
) {
  const last = total === null ? null : Math.max(1, Math.ceil(total / limit));
  const pageUrl = (other: number): string => {
    const target = new URL(url);
    target.searchParams.set("page", String(other));
    return target.href;
  };
  const hasNext = last === null ? items === limit : page < last;
  return {
    total,
    per_page: limit,
    current_page: page,
    last_page: last,
    next_page_url: hasNext ? pageUrl(page + 1) : null,
    prev_page_url: page > 1 ? pageUrl(page - 1) : null,
  };
}
