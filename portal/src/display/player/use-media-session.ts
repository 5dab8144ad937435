import { useEffect } from "react";
import { showInMediaSession, takeMediaKeys } from "./media-session.ts";
import type { Track } from "./player.ts";
import { player, usePlayer } from "./use-player.ts";

/** Shows the playing track on the lock screen, and handles the media keys of keyboards and headphones. */
export function useMediaSession({ title, producer, coverUrl }: Track): void {
  const isPlaying = usePlayer((state) => state.isPlaying);
  useEffect(() => showInMediaSession({ title, producer, coverUrl }), [title, producer, coverUrl]);
  useEffect(() => {
    if ("mediaSession" in navigator) navigator.mediaSession.playbackState = isPlaying ? "playing" : "paused";
  }, [isPlaying]);
  useEffect(() => {
    const release = takeMediaKeys(player);
    return () => {
      release();
      showInMediaSession(null);
    };
  }, []);
}
