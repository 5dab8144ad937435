import type { Beat } from "../beats/beat.ts";
import type { Producer } from "../users/user.ts";

/** A result of a search. */
export type Hit = { kind: "beat"; beat: Beat } | { kind: "producer"; producer: Producer };
