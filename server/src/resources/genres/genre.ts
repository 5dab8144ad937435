/** A genre and the number of listed beats in it. */
export interface Genre {
  id: number;
  name: string;
  slug: string;
  beats_count: number;
}
