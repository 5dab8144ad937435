import { useEffect } from "react";
import type { Track } from "./player.ts";
import { player, usePlayer } from "./use-player.ts";

/** Shows what plays on the lock screen, and takes the keys of keyboards and headphones. */
export function useMediaSession({ title, producer, coverUrl }: Track): void {
  const isPlaying = usePlayer((state) => state.isPlaying);
  useEffect(() => {
    if (!("mediaSession" in navigator)) return;
    navigator.mediaSession.metadata = new MediaMetadata({ title, artist: producer, artwork: [{ src: coverUrl }] });
  }, [title, producer, coverUrl]);
  useEffect(() => {
    if ("mediaSession" in navigator) navigator.mediaSession.playbackState = isPlaying ? "playing" : "paused";
  }, [isPlaying]);
  useEffect(() => {
    if (!("mediaSession" in navigator)) return;
    const actions: [MediaSessionAction, MediaSessionActionHandler][] = [
      ["play", () => player.toggleCurrent()],
      ["pause", () => player.toggleCurrent()],
      ["nexttrack", () => player.next()],
      ["previoustrack", () => player.previous()],
      ["seekto", ({ seekTime }) => player.seek(seekTime ?? 0)],
    ];
    for (const [name, act] of actions) navigator.mediaSession.setActionHandler(name, act);
    return () => {
      for (const [name] of actions) navigator.mediaSession.setActionHandler(name, null);
      navigator.mediaSession.metadata = null;
    };
  }, []);
}
