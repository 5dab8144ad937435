import { timestamp } from "../../http/formats.ts";
import { consoleMeta } from "../../http/pagination.ts";
import type { Page } from "../../listing/page.ts";
import type { Producer, Profile } from "./user.ts";

const profileConsole = (profile: Profile) => ({
  id: profile.id,
  username: profile.username,
  display_name: profile.display_name,
  bio: profile.bio,
  location: profile.location,
  website: profile.website,
  avatar_url: profile.avatar_url,
  is_producer: profile.is_producer,
  beats_count: profile.beats_count,
  created_at: timestamp(profile.created_at),
});

/** As in the reference form, plus the slug of each genre, which all genres of the console form have. */
export const producerConsole = (producer: Producer) => ({
  ...profileConsole(producer),
  genres: producer.genres.map(({ id, name, slug }) => ({ id, name, slug })),
  play_count: producer.play_count,
});

export const userConsole = (profile: Profile) => ({ data: profileConsole(profile) });

export const producersConsole = (page: Page<Producer>) => ({
  data: page.items.map(producerConsole),
  meta: consoleMeta(page),
});
