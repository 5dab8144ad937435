import type { Beat } from "../beats/beat.ts";
import type { Producer } from "../users/user.ts";

/** One result of a search: a beat or a producer, as the ranking put it. */
export type Hit = { kind: "beat"; beat: Beat } | { kind: "producer"; producer: Producer };
