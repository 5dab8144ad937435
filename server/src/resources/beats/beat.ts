/** A beat as every answer needs it: its row with the producer's name and its genre. */
export interface Beat {
  id: number;
  title: string;
  user_id: number;
  producer_name: string;
  genre_id: number;
  genre_name: string;
  genre_slug: string;
  /** The basic licence's. */
  price_cents: number;
  duration_seconds: number;
  /** Beats per minute, unrounded. */
  tempo: number;
  key: string;
  audio_url: string | null;
  cover_image: string | null;
  created_at: Date;
  play_count: number;
  download_count: number;
}

/** What a single beat's answer adds. */
export interface BeatDetail extends Beat {
  description: string;
  tags: string[];
  premium_price_cents: number;
  unlimited_price_cents: number;
  exclusive_price_cents: number;
  is_listed: boolean;
  exclusive_state: "available" | "held" | "sold";
  updated_at: Date;
}
