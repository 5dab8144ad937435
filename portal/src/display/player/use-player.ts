import { useSyncExternalStore } from "react";
import type { Beat } from "../../api/catalogue.ts";
import { t } from "../../api/locale.ts";
import { ownOrigin } from "../beats/own-origin.ts";
import { Player, type PlayerState, type Track } from "./player.ts";

/** The portal's only player. */
export const player = new Player(() => new Audio(), {
  notAllowed: t("player.playbackBlocked"),
  notPlayable: t("player.previewNotPlayable"),
});

/**
 * Returns the part of the player's state that `select` picks. The component renders when that part changes, so `select`
 * must return a primitive or an object from the state.
 */
export const usePlayer = <Selected>(select: (state: PlayerState) => Selected): Selected =>
  useSyncExternalStore(player.subscribe, () => select(player.state()));

export const trackOf = ({ id, title, producer_name, audio_url, cover_image }: Beat): Track => ({
  id,
  title,
  producer: producer_name,
  audioUrl: ownOrigin(audio_url),
  coverUrl: ownOrigin(cover_image),
});
