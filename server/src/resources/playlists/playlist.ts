export const visibilities = ["private", "public"] as const;

/** A list of beats in an order of its owner's. A public one is there for everybody with its id. */
export interface Playlist {
  id: string;
  user_id: number;
  owner_name: string;
  title: string;
  description: string;
  visibility: (typeof visibilities)[number];
  created_at: Date;
  updated_at: Date;
  /** Those that are on sale, in order. */
  beat_ids: number[];
}

export interface PlaylistFields {
  title: string;
  description?: string | undefined;
  visibility?: Playlist["visibility"] | undefined;
  beat_ids?: readonly number[] | undefined;
}

/** Of a playlist. */
export const maxBeats = 200;

export const playlistIdPattern = /^pl_[A-Za-z0-9_-]{22}$/;
