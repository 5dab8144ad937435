import type { Beat, BeatDetail } from "../beats/beat.ts";
import type { Producer } from "../users/user.ts";

/** A result of a search; a beat has all details where a field asks for one of them. */
export type Hit = { kind: "beat"; beat: Beat | BeatDetail } | { kind: "producer"; producer: Producer };
