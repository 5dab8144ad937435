/** A user as anyone may see them; never the e-mail address. */
export interface Profile {
  id: number;
  username: string;
  display_name: string;
  bio: string | null;
  location: string | null;
  website: string | null;
  avatar_url: string | null;
  is_producer: boolean;
  /** Listed beats. */
  beats_count: number;
  created_at: Date;
}

/** A producer: the profile, what they make and how often it is played. */
export interface Producer extends Profile {
  /** Most used first. */
  genres: { id: number; name: string; slug: string }[];
  /** Plays of all their listed beats. */
  play_count: number;
}
