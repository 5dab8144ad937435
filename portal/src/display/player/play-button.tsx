import { ActionIcon } from "@mantine/core";
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from "@tabler/icons-react";
import { t } from "../../api/locale.ts";
import classes from "./play-button.module.css";
import type { Track } from "./player.ts";
import { player, usePlayer } from "./use-player.ts";

interface PlayButtonProps {
  track: Track;
  /** The queue: the list that contains the beat. */
  queue: readonly Track[];
  size?: "md" | "xl";
  /** Whether the button is on a cover. */
  isOnCover?: true;
}

/** Plays or pauses a track in the player at the bottom of the page. */
export function PlayButton({ track, queue, size = "md", isOnCover }: PlayButtonProps) {
  const isPlaying = usePlayer(
    (state) => state.track?.id === track.id && state.track.isBought === track.isBought && state.isPlaying,
  );
  const idleVariant = isOnCover ? "white" : "default";
  return (
    <ActionIcon
      size={size}
      radius="50%"
      variant={isPlaying ? "filled" : idleVariant}
      color={isPlaying ? "violet" : "gray.9"}
      aria-label={t(isPlaying ? "player.pause" : "player.play", { title: track.title })}
      {...(isOnCover && { className: classes.onCover ?? "" })}
      {...(isPlaying && { "data-playing": true })}
      onClick={() => player.toggle(track, queue)}
    >
      {isPlaying ? <IconPlayerPauseFilled size="55%" /> : <IconPlayerPlayFilled size="55%" />}
    </ActionIcon>
  );
}
