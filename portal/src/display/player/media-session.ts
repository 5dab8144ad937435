import type { Player, Track } from "./player.ts";

/** Shows the playing track on the lock screen; null removes it. */
export function showInMediaSession(track: Pick<Track, "title" | "producer" | "coverUrl"> | null): void {
  if (!("mediaSession" in navigator)) return;
  navigator.mediaSession.metadata =
    track === null
      ? null
      : new MediaMetadata({ title: track.title, artist: track.producer, artwork: [{ src: track.coverUrl }] });
}

/** Connects the media keys of keyboards and headphones to the player. Returns a function that disconnects them. */
export function takeMediaKeys(player: Player): () => void {
  if (!("mediaSession" in navigator)) return () => undefined;
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
  };
}
