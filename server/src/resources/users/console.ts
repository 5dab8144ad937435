import { consoleMeta } from "../../http/pagination.ts";
import type { Page } from "../../listing/page.ts";
import { profileReference } from "./reference.ts";
import type { Producer, Profile } from "./user.ts";

/** As in the reference form, plus the slug of each genre, which all genres of the console form have. */
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
