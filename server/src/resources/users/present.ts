import { timestamp } from "@beatmarket/http/formats.ts";
import type { Page } from "@beatmarket/http/listing/page.ts";
import { consoleMeta, referencePagination } from "@beatmarket/http/pagination.ts";
import type { PresenterContext } from "@beatmarket/http/pipeline/api-route.ts";
import type { Producer, Profile } from "./user.ts";

/** The public profile, the same record in both forms. */
export const profileReference = (profile: Profile) => ({
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

export const producerReference = (producer: Producer) => ({
  ...profileReference(producer),
  genres: producer.genres.map(({ id, name }) => ({ id, name })),
  play_count: producer.play_count,
});

export const userReference = (profile: Profile) => ({ user: profileReference(profile) });

export const producersReference = (page: Page<Producer>, context: PresenterContext) => ({
  producers: page.items.map(producerReference),
  pagination: referencePagination(page, context),
});

/** Like the reference form, plus the slug of each genre, which all genres of the console form have. */
export const producerConsole = (producer: Producer) => ({
  ...profileReference(producer),
  genres: producer.genres.map(({ id, name, slug }) => ({ id, name, slug })),
  play_count: producer.play_count,
});

export const userConsole = (profile: Profile) => ({ data: profileReference(profile) });

export const producersConsole = (page: Page<Producer>) => ({
  data: page.items.map(producerConsole),
  meta: consoleMeta(page),
});
