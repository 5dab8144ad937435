export const visibilities = ["private", "public"] as const;

/** A list of beats in an order that its owner chose. Everyone who has its id can read a public one. */
export interface Playlist {
  id: string;
  user_id: number;
  owner_name: string;
  title: string;
  description: string;
  visibility: (typeof visibilities)[number];
  created_at: Date;
  updated_at: Date;
  /** The beats that are on sale, in order. */
  beat_ids: number[];
}

export interface PlaylistFields {
  title: string;
  description?: string | undefined;
  visibility?: Playlist["visibility"] | undefined;
  beat_ids?: readonly number[] | undefined;
}

/** The maximum number of beats in a playlist. */
export const maxBeats = 200;

export const playlistIdPattern = /^pl_[A-Za-z0-9_-]{22}$/;
