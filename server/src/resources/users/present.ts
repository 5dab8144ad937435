import { timestamp } from "@beatmarket/http/formats.ts";
import type { Page } from "@beatmarket/http/listing/page.ts";
import {
  afterParameter,
  consoleMeta,
  pageParameters,
  ReferencePagination,
  referencePagination,
} from "@beatmarket/http/pagination.ts";
import type { PresenterContext, ResponseSchemas } from "@beatmarket/http/pipeline/api-route.ts";
import Type from "typebox";
import type { Producer, Profile } from "./queries.ts";

/** The public profile, which is the same in both forms. */
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

const textOrNull = Type.Union([Type.String(), Type.Null()]);
const urlOrNull = Type.Union([Type.String({ format: "uri" }), Type.Null()]);

export const UserId = Type.Object({ user_id: Type.Integer({ description: "Identifier of the user." }) });

export const ProducersQuery = Type.Object({
  ...pageParameters(20, 100),
  sort: Type.Enum(["popular", "newest", "name"], {
    default: "popular",
    description: "The order of the list. Every order ends with the id, so pages never overlap.",
  }),
  ...afterParameter,
});

const profileFields = {
  id: Type.Integer(),
  username: Type.String(),
  display_name: Type.String(),
  bio: textOrNull,
  location: textOrNull,
  website: urlOrNull,
  avatar_url: urlOrNull,
  is_producer: Type.Boolean(),
  beats_count: Type.Integer({ minimum: 0, description: "The number of beats on sale." }),
  created_at: Type.String({ format: "date-time", description: "A time in ISO 8601, UTC, whole seconds." }),
};

const producerFields = {
  ...profileFields,
  play_count: Type.Integer({ minimum: 0, description: "The number of plays of all beats on sale." }),
};

const description = "The most frequent comes first.";

export const ProfileSchema = Type.Object(profileFields, { $id: "User", description: "A public profile." });

/** `data` of a user.updated event. */
export const UserUpdated = Type.Object(
  {
    ...profileFields,
    changed: Type.Array(Type.String(), { description: "The names of the changed fields." }),
  },
  { $id: "UserUpdated", description: "A public profile, and the names of the changed fields." },
);

export const ReferenceProducer = Type.Object(
  {
    ...producerFields,
    genres: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() }), { description }),
  },
  { $id: "Producer", description: "A public profile with figures about its beats." },
);

/** A producer in the console form. Search results use it too. */
export const consoleProducerFields = {
  ...producerFields,
  genres: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String(), slug: Type.String() }), {
    description,
  }),
};

const ConsoleProducer = Type.Object(consoleProducerFields, { $id: "ConsoleProducer" });

const text = (maxLength: number, options: object = {}) => Type.String({ minLength: 1, maxLength, ...options });

/** An absent field stays unchanged. Null clears a field (docs/api/users.md, Update your profile). */
export const ProfileFields = Type.Object(
  {
    display_name: Type.Optional(text(100, { description: "The name that is shown." })),
    bio: Type.Optional(Type.Union([text(2_000, { "x-multiline": true }), Type.Null()])),
    location: Type.Optional(Type.Union([text(100), Type.Null()])),
    website: Type.Optional(Type.Union([text(2_000, { format: "uri" }), Type.Null()])),
    avatar_url: Type.Optional(Type.Union([text(2_000, { format: "uri" }), Type.Null()])),
  },
  { $id: "ProfileFields" },
);

export const UserResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ user: ProfileSchema }),
  console: ProfileSchema,
};

export const ProducersResponse: ResponseSchemas = {
  status: 200,
  reference: Type.Object({ producers: Type.Array(ReferenceProducer), pagination: ReferencePagination }),
  console: Type.Array(ConsoleProducer),
  meta: true,
};
