/** The public data of a user, never the e-mail address. */
export interface Profile {
  id: number;
  username: string;
  display_name: string;
  bio: string | null;
  location: string | null;
  website: string | null;
  avatar_url: string | null;
  is_producer: boolean;
  /** The number of listed beats. */
  beats_count: number;
  created_at: Date;
}

/** A producer: the profile, the genres of the beats and the number of plays. */
export interface Producer extends Profile {
  /** Most used first. */
  genres: { id: number; name: string; slug: string }[];
  /** The plays of all listed beats. */
  play_count: number;
}

const maxLength = 40;

/**
 * A slug of the display name, used as the beginning of the username; `fallback` if the name has no ASCII letter or
 * digit.
 */
export const usernameSlug = (displayName: string, fallback: string): string =>
  displayName
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maxLength)
    .replace(/^-|-$/g, "") || fallback;
